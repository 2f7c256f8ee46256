import { DEFAULT_HOUR_CYCLE } from '#core/shared/hour-cycle.ts'
import { browserTimeZone, formatShortDate, formatTime, localDateOf } from '#web/shared/format-date.ts'

/** Formats an instant in the browser's zone: `Dec 1, 2026, 9:30 AM`. */
export function formatMoment(instantIso: string): string {
  const timeZone = browserTimeZone()
  return `${formatShortDate(localDateOf(instantIso, timeZone))}, ${formatTime(instantIso, timeZone, DEFAULT_HOUR_CYCLE)}`
}
