import type { ClockSpan } from './weekly-opening.ts'

/**
 * Dates in a row that have hours of their own, in the clock time of the calendar's zone. These count instead of the weekly openings;
 * without any, the dates are closed. Source: rule T34.
 */
export type SpecialDays = {
  /** Days since 1970-01-01. */
  readonly firstDay: number
  /** Days since 1970-01-01; it belongs to them. */
  readonly lastDay: number
  readonly hours: readonly ClockSpan[]
}

/** The special days that a date belongs to. Two of them never share a date. */
export function specialDaysOn(specialDays: readonly SpecialDays[], day: number): SpecialDays | undefined {
  return specialDays.find(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay)
}
