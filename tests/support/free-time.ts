/** The i-th half hour on weekdays from a Monday 7 to 13 days ahead, sixteen a day from 09:00 UTC, as an ISO instant. */
export function nthFreeTime(i: number): string {
  const day = new Date()
  day.setUTCHours(9, 0, 0, 0)
  // Goes to the Monday that is 7 to 13 days ahead.
  day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7) + 7)
  const weekday = Math.floor(i / 16)
  day.setUTCDate(day.getUTCDate() + Math.floor(weekday / 5) * 7 + (weekday % 5))
  return new Date(day.getTime() + (i % 16) * 1_800_000).toISOString()
}
