import { dayNumberToDate, dayOfWeekOf, toDayNumber } from '#core/shared/calendar-date.ts'
import { addDays, toEpochMs } from '#core/shared/zoned-time.ts'
import type { DayRange } from './displayed-days.ts'

export const LIMIT_PERIODS = ['day', 'week', 'month'] as const
export type LimitPeriod = (typeof LIMIT_PERIODS)[number]
export const LIMIT_UNITS = ['appointments', 'minutes'] as const
/** The minutes of a month of 31 days. */
export const MOST_MINUTES = 44_640
/** Includes those of its types. Source: rule T54. */
export const LIMITS_PER_CALENDAR = 10

/** At most so many appointments, or minutes of them, start in a day, a week (Monday to Sunday) or a month. Source: rule T51. */
export type BookingLimit = {
  readonly period: LimitPeriod
  readonly unit: (typeof LIMIT_UNITS)[number]
  readonly most: number
}

/** A limit that applies to a booking. */
export type ApplyingLimit = {
  readonly limit: BookingLimit
  /** True when it counts only the appointments of the booking's type. */
  readonly is_of_type: boolean
}

/** A limit and what has been booked towards it. */
export type ReachedLimit = ApplyingLimit & { readonly taken: number }

/** The appointments that start on one day, of the wanted type or of the others. */
export type CountedDay = {
  readonly dayNumber: number
  readonly isOfType: boolean
  readonly appointments: number
  readonly minutes: number
}

/** The limits that apply to a booking, and what counts towards them. */
export type CountedLimits = {
  readonly limits: readonly ApplyingLimit[]
  /** At least the days of `getCountedDays`. */
  readonly counted: readonly CountedDay[]
}

export const NO_LIMITS: CountedLimits = { limits: [], counted: [] }

/** Lists the limits that one more appointment on a day would exceed. Source: rules T51 and T52. */
export function countLimits(
  limits: readonly ApplyingLimit[],
  counted: readonly CountedDay[],
  start: { readonly dayNumber: number; readonly durationMinutes: number },
): ReachedLimit[] {
  return limits.flatMap(({ limit, is_of_type }) => {
    const { first, last } = getPeriod(limit.period, start.dayNumber)
    let taken = 0
    for (const day of counted) {
      if (day.dayNumber < first || day.dayNumber > last || (is_of_type && !day.isOfType)) continue
      taken += day[limit.unit]
    }
    const wanted = limit.unit === 'appointments' ? 1 : start.durationMinutes
    return taken + wanted > limit.most ? [{ limit, is_of_type, taken }] : []
  })
}

/** True when no period has a smaller limit than a shorter one in the same unit. Source: rule T54. */
export function areLimitsInOrder(limits: readonly BookingLimit[]): boolean {
  return limits.every((limit) =>
    limits.every(
      (other) =>
        other.unit !== limit.unit ||
        LIMIT_PERIODS.indexOf(other.period) <= LIMIT_PERIODS.indexOf(limit.period) ||
        other.most >= limit.most,
    ),
  )
}

/** Returns the days whose appointments count towards starts in a range of days: whole weeks and months if a limit has them. */
export function getCountedDays(limits: readonly BookingLimit[], { firstDate, dayCount }: DayRange): DayRange {
  const firstDay = toDayNumber(firstDate)
  const first = limits.map(({ period }) => getPeriod(period, firstDay).first)
  const last = limits.map(({ period }) => getPeriod(period, firstDay + dayCount - 1).last)
  const from = Math.min(firstDay, ...first)
  return { firstDate: dayNumberToDate(from), dayCount: Math.max(firstDay, ...last) - from + 1 }
}

/** Returns the midnights that begin the days of a range, and the midnight that ends its last day. */
export function listMidnights({ firstDate, dayCount }: DayRange, timeZone: string): number[] {
  return Array.from({ length: dayCount + 1 }, (_, i) => toEpochMs(addDays(firstDate, i), 0, timeZone))
}

type Period = { readonly first: number; readonly last: number }

/** Returns the numbers of the first and last day of the period that has a day. */
function getPeriod(period: LimitPeriod, dayNumber: number): Period {
  if (period === 'day') return { first: dayNumber, last: dayNumber }
  if (period === 'week') {
    const monday = dayNumber - ((dayOfWeekOf(dayNumber) + 6) % 7)
    return { first: monday, last: monday + 6 }
  }
  const first = toDayNumber(`${dayNumberToDate(dayNumber).slice(0, 7)}-01`)
  return { first, last: toDayNumber(`${dayNumberToDate(first + 31).slice(0, 7)}-01`) - 1 }
}
