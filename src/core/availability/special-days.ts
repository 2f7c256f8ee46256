import type { ClockSpan } from './weekly-opening.ts'

/**
 * Consecutive dates with their own hours, as local clock times. The hours replace the weekly openings; no hours means
 * closed. Source: rule T34.
 */
export type SpecialDays = {
  /** Days since 1970-01-01. */
  readonly firstDay: number
  /** Days since 1970-01-01, inclusive. */
  readonly lastDay: number
  readonly hours: readonly ClockSpan[]
}

/** Returns the special days that cover a date. Entries never overlap. */
export function findSpecialDaysOn(specialDays: readonly SpecialDays[], day: number): SpecialDays | undefined {
  return specialDays.find(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay)
}
