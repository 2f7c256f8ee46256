const CALENDAR = 'https://www.googleapis.com/auth/calendar'

/** The list of calendars, and when something is in them: without the first there is no choice, without the second no busy time. */
export const READ_SCOPES = [`${CALENDAR}.calendarlist.readonly`, `${CALENDAR}.events.freebusy`]

/**
 * Events on the calendars that the account owns. Least of all would be `calendar.app.created`, a calendar of the product's
 * own. But colleagues see the main calendar only, and owners move appointments in it, so appointments belong there.
 */
export const WRITE_SCOPE = `${CALENDAR}.events.owned`

/** Scopes that allow more than one of ours, which an account may have given to this installation before. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  [`${CALENDAR}.calendarlist.readonly`]: [`${CALENDAR}.calendarlist`, `${CALENDAR}.readonly`, CALENDAR],
  [`${CALENDAR}.events.freebusy`]: [
    `${CALENDAR}.events.readonly`,
    `${CALENDAR}.events`,
    `${CALENDAR}.readonly`,
    CALENDAR,
  ],
  [WRITE_SCOPE]: [`${CALENDAR}.events`, CALENDAR],
}

/** What is asked for. The identity is part of it: a reconnect with another account is noticed by it. Source: rules G18 and G19. */
export function scopesOf(access: 'read' | 'write'): string {
  const calendar = access === 'write' ? [...READ_SCOPES, WRITE_SCOPE] : READ_SCOPES
  return ['openid', 'email', ...calendar].join(' ')
}

/** Whether an account gave this. On Google's page people can untick what they do not want to give. */
export function isGranted(granted: readonly string[], scope: string): boolean {
  return [scope, ...(WIDER[scope] ?? [])].some((allowing) => granted.includes(allowing))
}
