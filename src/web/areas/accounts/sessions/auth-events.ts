import type { Owner } from '#contract/accounts/sessions.ts'

/** The auth-change events the product follows. Source: rule U15. */
export type AuthEvent =
  | 'INITIAL_SESSION'
  | 'SIGNED_IN'
  | 'SIGNED_OUT'
  | 'TOKEN_REFRESHED'
  | 'PASSWORD_RECOVERY'
  | 'USER_UPDATED'
  | 'MFA_CHALLENGE_VERIFIED'

/**
 * The name of what happened between two answers to "who is logged in?". `before` is undefined when nothing was known
 * yet. Null when there is nothing to report: still logged out.
 */
export function decideAuthEvent(before: Owner | null | undefined, now: Owner | null): AuthEvent | null {
  if (before === undefined) return 'INITIAL_SESSION'
  if (now === null) return before === null ? null : 'SIGNED_OUT'
  if (before?.id !== now.id) return 'SIGNED_IN'
  return isSameOwner(before, now) ? 'TOKEN_REFRESHED' : 'USER_UPDATED'
}

/** Logs an auth-change event: its name, whether a session exists, and whose. Source: rule U15. */
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
