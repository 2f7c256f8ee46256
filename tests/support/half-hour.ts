import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'

/** 09:00 on the Tuesday after the tests' clock starts, when a new calendar opens in London. */
const TUESDAY = Date.parse('2027-01-05T09:00:00Z')

/** The i-th half hour from then on that a new calendar offers, sixteen on each weekday, as an ISO instant. */
export function offeredHalfHour(i: number): string {
  // Counted from Monday, so that five days make a week.
  const weekday = Math.floor(i / 16) + 1
  const days = Math.floor(weekday / 5) * 7 + (weekday % 5) - 1
  return new Date(TUESDAY + days * DAY_MS + (i % 16) * 30 * MINUTE_MS).toISOString()
}
