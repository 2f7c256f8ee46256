import { useEffect, useRef } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import { decideAuthEvent, logAuthEvent } from './auth-events.ts'
import { rememberSignedIn } from './signed-in-flag.ts'

/**
 * Logs what happens to the session and keeps the `isLoggedIn` flag. `owner` is undefined until the server has answered;
 * `answeredAt` distinguishes two equal answers. `onChange` is called when somebody logged in, signed out or was
 * replaced by somebody else.
 */
export function useAuthEvents(
  owner: Owner | null | undefined,
  answeredAt?: number,
  onChange?: (before: Owner | null, now: Owner | null) => void,
): void {
  const known = useRef<Owner | null | undefined>(undefined)
  const knownAt = useRef<number | undefined>(undefined)
  useEffect(() => {
    // One answer is one event, also where React runs effects twice.
    if (owner === undefined) return
    if (owner === known.current && answeredAt === knownAt.current) return
    const before = known.current
    const event = decideAuthEvent(before, owner)
    known.current = owner
    knownAt.current = answeredAt
    if (event === null) return
    logAuthEvent(event, owner)
    rememberSignedIn(owner !== null)
    if (before !== undefined && before?.id !== owner?.id) onChange?.(before, owner)
  }, [owner, answeredAt, onChange])
}
