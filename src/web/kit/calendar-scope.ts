/** The id of a calendar, or all calendars of the owner, shown in one time zone. Source: rule V13. */
export type CalendarScope = string | { readonly timeZone: string }

/** Takes the place of a calendar's id in the key of a query over all calendars. */
export const ALL_CALENDARS_KEY = 'all'

/** The parts of a query's key that tell one calendar, and all calendars in each time zone, apart. */
export function toKeyParts(scope: CalendarScope): {
  readonly key: string
  readonly timeZone: string | undefined
} {
  return typeof scope === 'string'
    ? { key: scope, timeZone: undefined }
    : { key: ALL_CALENDARS_KEY, timeZone: scope.timeZone }
}
