import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'

/** The Tuesday after the clock of a test begins, when a new calendar opens in London. */
const TUESDAY = Date.parse('2027-01-05T09:00:00Z')

/** The i-th half hour that a new calendar offers from then on: sixteen a weekday. An ISO instant. */
export function halfHour(i: number): string {
  // Counted from the Monday, so that whole weeks are five days.
  const weekday = Math.floor(i / 16) + 1
  const days = Math.floor(weekday / 5) * 7 + (weekday % 5) - 1
  return new Date(TUESDAY + days * DAY_MS + (i % 16) * 30 * MINUTE_MS).toISOString()
}
