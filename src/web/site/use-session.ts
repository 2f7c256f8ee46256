import { useEffect, useState } from 'react'
import type { Owner, SessionResponse } from '#contract/sessions.ts'
import { getJson } from '#web/shared/api-client.ts'
import { LOGGED_IN_FLAG } from '#web/shared/sign-out.ts'

/**
 * Who is signed in: undefined until the server has answered, null for a visitor.
 * These pages are the same for everybody, so a first answer that fails to come is not shown: it means a visitor, unless
 * somebody had logged in here. They are not told to do so again.
 * Asked again when the page comes to the front or another tab signs in or out.
 */
export function useSession(): Owner | null | undefined {
  const [owner, setOwner] = useState<Owner | null | undefined>(undefined)
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    // Answers may overtake each other; the last question counts.
    let asked = 0
    const ask = () => {
      asked += 1
      const question = asked
      getJson<SessionResponse>('/api/auth/session', signal)
        .then(({ user }) => question === asked && setOwner(user))
        .catch(() => signal.aborted || setOwner((known) => known ?? (hadLoggedIn() ? undefined : null)))
    }
    const onStorage = ({ key }: StorageEvent) => {
      // A null key means that everything was cleared.
      if (key === LOGGED_IN_FLAG || key === null) ask()
    }
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) ask()
    }
    ask()
    addEventListener('focus', ask, { signal })
    addEventListener('storage', onStorage, { signal })
    addEventListener('pageshow', onPageShow, { signal })
    return () => leaving.abort()
  }, [])
  return owner
}

function hadLoggedIn(): boolean {
  try {
    return localStorage.getItem(LOGGED_IN_FLAG) !== null
  } catch {
    // Storage is forbidden: then the flag was never set.
    return false
  }
}
