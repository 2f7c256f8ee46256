import { LOCALE } from '#core/shared/locale.ts'
import type { SeriesInterval } from './plan-series.ts'

/** Which series customers can book of an appointment type. Source: rule B47. */
export type CustomerSeriesRule = {
  readonly every_weeks: SeriesInterval[]
  readonly most_dates: number
}

/** The most dates that a series holds before the customer has confirmed their email address. Source: rule B49. */
export const MOST_HELD_DATES = 8

/** What decides which series the booking page offers. */
export type SeriesTerms = {
  readonly series_rule: CustomerSeriesRule | null
  readonly hasPrice: boolean
  /** True when the calendar or the type requires payment. */
  readonly requiresPayment: boolean
  readonly confirmsEmail: boolean
}

/**
 * Returns the series that customers are offered; null for none. Appointments that must be paid at booking do not repeat, whether a
 * payment provider is connected or not. Source: rules B47 and B49.
 */
export function findOfferedSeries({
  series_rule: rule,
  hasPrice,
  requiresPayment,
  confirmsEmail,
}: SeriesTerms): CustomerSeriesRule | null {
  if (rule === null || (hasPrice && requiresPayment)) return null
  return confirmsEmail ? { ...rule, most_dates: Math.min(rule.most_dates, MOST_HELD_DATES) } : rule
}

/** Says in a sentence which series customers can book. */
export function describeSeriesRule({ every_weeks, most_dates }: CustomerSeriesRule): string {
  const intervals = every_weeks.map(nameInterval)
  const list = new Intl.ListFormat(LOCALE, { type: 'disjunction' }).format(intervals)
  return `Customers can repeat an appointment ${list}, up to ${most_dates} dates at once.`
}

/** Names how often a series repeats, within a sentence: `every week`, `every 2 weeks`. */
export function nameInterval(weeks: number): string {
  return weeks === 1 ? 'every week' : `every ${weeks} weeks`
}

/** Names how often a series repeats, as a label of its own: `Every week`, `Every 2 weeks`. */
export function labelInterval(weeks: number): string {
  return weeks === 1 ? 'Every week' : `Every ${weeks} weeks`
}

/** Says how many dates of a series will be booked. */
export function describeBookedDates(booked: number, all: number): string {
  if (booked === 0) return 'No dates will be booked'
  return booked === all ? `All ${all} dates will be booked` : `${booked} of ${all} dates will be booked`
}
