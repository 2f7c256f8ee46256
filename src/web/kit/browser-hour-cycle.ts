import { DEFAULT_HOUR_CYCLE, type HourCycle } from '#core/shared/hour-cycle.ts'

/** Returns the clock that is usual in the browser's region, or in that of the given locale. */
export function browserHourCycle(locale?: string): HourCycle {
  const { hourCycle } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
  return hourCycle === 'h23' || hourCycle === 'h24' ? 'h23' : DEFAULT_HOUR_CYCLE
}
