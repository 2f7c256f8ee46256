/**
 * What reading needs. `Calendars.ReadBasic` would leave out the texts of events, but Microsoft documents `Calendars.Read` as the
 * least for changes of a calendar view (event: delta) and the only one for notifications. No other scope tells the zone in which
 * all-day events lie. Source: https://learn.microsoft.com/graph/api/event-delta, …/subscription-post-subscriptions
 */
export const READ_SCOPE = 'Calendars.Read'
export const ZONE_SCOPE = 'MailboxSettings.Read'
/** Microsoft has no scope for own events only. */
export const WRITE_SCOPE = 'Calendars.ReadWrite'

/**
 * What is asked for, in two steps. `User.Read` says which account it is: a reconnect with another one is noticed by it. Whoever
 * writes asks to read, too, because notifications do not accept the scope that writes. Source: rules G18 and G19.
 */
export function scopesOf(access: 'read' | 'write'): string {
  const calendar = access === 'write' ? [READ_SCOPE, WRITE_SCOPE] : [READ_SCOPE]
  return ['offline_access', 'User.Read', ZONE_SCOPE, ...calendar].join(' ')
}

/** Whether an account gave this. Microsoft names scopes with or without its address in front, in any case. */
export function isGranted(granted: readonly string[], scope: string): boolean {
  return granted.some((given) => given.replace(/^.*\//, '').toLowerCase() === scope.toLowerCase())
}

/** Whoever may write may read. */
export function canRead(granted: readonly string[]): boolean {
  return [READ_SCOPE, WRITE_SCOPE].some((scope) => isGranted(granted, scope))
}
