import { addDays, localDateOf, toEpochMs } from '#core/shared/zoned-time.ts'

/**
 * The dates of the calendar's own zone that one day of the shown zone touches, earliest first: what must be asked for
 * to know every time of that day. Usually one or two; a day of 25 hours can touch three.
 *
 * Source: scheduling-rules 12, "a visitor's day may span two calendar days".
 */
export function calendarDatesOf(date: string, shownZone: string, calendarZone: string): string[] {
  if (shownZone === calendarZone) return [date]
  const startMs = toEpochMs(date, 0, shownZone)
  const endMs = toEpochMs(addDays(date, 1), 0, shownZone)
  const last = localDateOf(endMs - 1, calendarZone)
  const dates: string[] = []
  for (let day = localDateOf(startMs, calendarZone); day <= last; day = addDays(day, 1)) dates.push(day)
  return dates
}

/** The day of an instant (RFC 3339) in a zone, yyyy-MM-dd. */
export function dateOfInstant(startsAt: string, timeZone: string): string {
  return localDateOf(Date.parse(startsAt), timeZone)
}
