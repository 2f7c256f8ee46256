import { localDateOf, toEpochMs } from '#core/shared/zoned-time.ts'

/** A month in a time zone: `month` is yyyy-MM; the instants are epoch milliseconds, `endMs` exclusive. */
export type Month = { readonly month: string; readonly startMs: number; readonly endMs: number }

/** Lists the month of `nowMs` and the months before it, latest first. */
export function listLastMonths(nowMs: number, timeZone: string, count: number): Month[] {
  const [year = 0, month = 1] = localDateOf(nowMs, timeZone).split('-').map(Number)
  // Months since year 0, so that the year changes without special cases.
  const current = year * 12 + month - 1
  return Array.from({ length: count }, (_, i) => ({
    month: nameOf(current - i),
    startMs: toEpochMs(`${nameOf(current - i)}-01`, 0, timeZone),
    endMs: toEpochMs(`${nameOf(current - i + 1)}-01`, 0, timeZone),
  }))
}

function nameOf(months: number): string {
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`
}
