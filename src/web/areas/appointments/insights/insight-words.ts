import type { Insights } from '#contract/appointments/insights.ts'
import type { LeadTimeBand } from '#core/appointments/lead-times.ts'
import { formatCount } from '#web/shared/format-count.ts'
import { formatDay } from '#web/shared/format-date.ts'
import { formatMoney } from '#web/shared/format-money.ts'

type LeadWords = {
  readonly band: string
  /** The words for how far ahead at least half of the appointments are booked, if the median is in this band. */
  readonly half: string
}

export const LEAD_TIME_LABELS: Readonly<Record<LeadTimeBand, LeadWords>> = {
  under_a_day: { band: 'Under a day', half: 'less than a day ahead' },
  one_to_three_days: { band: '1 to 3 days', half: 'less than three days ahead' },
  three_to_seven_days: { band: '3 to 7 days', half: 'less than a week ahead' },
  one_to_two_weeks: { band: '1 to 2 weeks', half: 'less than two weeks ahead' },
  two_to_four_weeks: { band: '2 to 4 weeks', half: 'less than four weeks ahead' },
  over_four_weeks: { band: 'Over 4 weeks', half: 'more than four weeks ahead' },
}

/** Formats a month: `Jan`, or `Jan ’27` if the chart shows more than 12 months. */
export function formatShortMonth(month: string, { length }: readonly unknown[]): string {
  const name = formatDay(`${month}-01`, { month: 'short' })
  return length > 12 ? `${name} ’${month.slice(2, 4)}` : name
}

/** Formats a month: `January 2027`. */
export function formatLongMonth(month: string): string {
  return formatDay(`${month}-01`, { month: 'long', year: 'numeric' })
}

/** Formats an amount without cents, for small spaces: `€1,240`. */
export function formatMoneyWithoutCents(price: number, currency: string): string {
  return formatMoney(Math.round(price), currency).replace(/\.00$/, '')
}

export function typeNameOrDefault(name: string | null): string {
  return name ?? 'No type'
}

/** Formats a count with its noun: `1 appointment`, `12 appointments`. */
export function pluralize(count: number, thing: string): string {
  return `${formatCount(count)} ${thing}${count === 1 ? '' : 's'}`
}

/** True if all charts would be empty. */
export function hasNoData({ appointments, money, cancellations }: Insights): boolean {
  return appointments === 0 && money.length === 0 && cancellations.every(({ cancelled }) => cancelled === 0)
}
