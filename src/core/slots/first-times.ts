import type { OpenDay } from './open-day.ts'

/**
 * Number of suggested days, and of suggested times per day: enough to fit on a phone above the month view. Source: rule
 * T33.
 */
export const SUGGESTED_DAY_COUNT = 2
const TIMES_OF_A_DAY = 3

/** Returns the first days that have free times, each with its first free times. Source: rule T33. */
export function pickFirstAvailableTimes(days: readonly OpenDay[]): OpenDay[] {
  return days
    .filter(({ startsMs }) => startsMs.length > 0)
    .slice(0, SUGGESTED_DAY_COUNT)
    .map(({ date, startsMs }) => ({ date, startsMs: startsMs.slice(0, TIMES_OF_A_DAY) }))
}
