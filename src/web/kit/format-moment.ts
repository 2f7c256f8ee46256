import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { formatDay, formatTime, localDateOf } from '#web/shared/format-date.ts'

/** Formats an instant with its weekday, date and time in a zone: `Mon, Jan 4, 2027, 10:12 AM`. */
export function formatMoment(instantIso: string, timeZone: string, hourCycle: HourCycle): string {
  const date = formatDay(localDateOf(instantIso, timeZone), {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  })
  return `${date}, ${formatTime(instantIso, timeZone, hourCycle)}`
}
