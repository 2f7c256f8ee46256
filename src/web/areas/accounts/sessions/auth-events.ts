import { useEffect, useRef } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import { setSignedInFlag } from './signed-in-flag.ts'

/** The events that are logged about a session. Source: rule U15. */
type AuthEvent =
  | 'INITIAL_SESSION'
  | 'SIGNED_IN'
  | 'SIGNED_OUT'
  | 'TOKEN_REFRESHED'
  | 'PASSWORD_RECOVERY'
  | 'USER_UPDATED'
  | 'MFA_CHALLENGE_VERIFIED'

/**
 * Returns the event for the change between two responses of the session query. `before` is undefined for the first response.
 * Returns null if nobody was logged in before and nobody is now.
 */
export function findAuthEvent(before: Owner | null | undefined, now: Owner | null): AuthEvent | null {
  if (before === undefined) return 'INITIAL_SESSION'
  if (now === null) return before === null ? null : 'SIGNED_OUT'
  if (before?.id !== now.id) return 'SIGNED_IN'
  return isSameOwner(before, now) ? 'TOKEN_REFRESHED' : 'USER_UPDATED'
}

/** Logs a session event: its name, whether a session exists, and its user. Source: rule U15. */
export function logAuthEvent(event: AuthEvent, owner: Owner | null): void {
  // biome-ignore lint/suspicious/noConsole: this line in the browser's console is the log (rule U15)
  console.info({ event, hasSession: owner !== null, userId: owner?.id ?? null })
}

function isSameOwner(one: Owner, other: Owner): boolean {
  return (
    one.email === other.email &&
    one.first_name === other.first_name &&
    one.last_name === other.last_name &&
    one.full_name === other.full_name &&
    one.avatar_url === other.avatar_url
  )
}

/**
 * Logs session events and keeps the `isLoggedIn` flag up to date. `owner` is undefined until the server has responded.
 * `answeredAt` distinguishes two equal responses. Calls `onChange` after a login, a logout or a change of the user.
 */
export function useLogAuthEvents(
  owner: Owner | null | undefined,
  answeredAt?: number,
  onChange?: (before: Owner | null, now: Owner | null) => void,
): void {
  const known = useRef<Owner | null | undefined>(undefined)
  const knownAt = useRef<number | undefined>(undefined)
  useEffect(() => {
    // Log each response only once, although React runs effects twice in development.
    if (owner === undefined) return
    if (owner === known.current && answeredAt === knownAt.current) return
    const before = known.current
    const event = findAuthEvent(before, owner)
    known.current = owner
    knownAt.current = answeredAt
    if (event === null) return
    logAuthEvent(event, owner)
    setSignedInFlag(owner !== null)
    if (before !== undefined && before?.id !== owner?.id) onChange?.(before, owner)
  }, [owner, answeredAt, onChange])
}
