import { useEffect, useState } from 'react'
import type { Owner, SessionResponse } from '#contract/sessions.ts'
import { getJson } from '#web/shared/api-client.ts'

/**
 * Who is signed in: undefined until the server has answered, null for a visitor.
 * These pages are the same for everybody, so an answer that fails to come means a visitor and is not shown.
 */
export function useSession(): Owner | null | undefined {
  const [owner, setOwner] = useState<Owner | null | undefined>(undefined)
  useEffect(() => {
    const leaving = new AbortController()
    getJson<SessionResponse>('/api/auth/session', leaving.signal)
      .then(({ user }) => setOwner(user))
      .catch(() => leaving.signal.aborted || setOwner(null))
    return () => leaving.abort()
  }, [])
  return owner
}
