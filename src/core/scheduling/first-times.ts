import type { OpenDay } from './slot.ts'

/** How many days are offered at once, and how many times of each: what fits a phone above the month. Source: rule T33. */
export const FIRST_DAYS = 2
const TIMES_OF_A_DAY = 3

/** The first days of some that have open times, each with its first ones. Source: rule T33. */
export function pickFirstTimes(days: readonly OpenDay[]): OpenDay[] {
  return days
    .filter(({ startsMs }) => startsMs.length > 0)
    .slice(0, FIRST_DAYS)
    .map(({ date, startsMs }) => ({ date, startsMs: startsMs.slice(0, TIMES_OF_A_DAY) }))
}
