import { browserTimeZone, formatLongDate, localDateOf } from '#web/shared/format-date.ts'

/** `December 24, 2026`: the day of an instant for whoever looks at it. */
export function formatPlanDay(instantIso: string): string {
  return formatLongDate(localDateOf(instantIso, browserTimeZone()))
}
