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
  const sums = sumByDay(counted)
  return limits.flatMap((applying) => {
    const taken = sumOver(sums, applying, getPeriod(applying.limit.period, start.dayNumber))
    return isExceeded(applying, taken, start.durationMinutes) ? [{ ...applying, taken }] : []
  })
}

/**
 * Lists the numbers of the days, from `first` to `last`, on which one more appointment would exceed a limit. Counts each period
 * once, so it is faster than `countLimits` for each day.
 */
export function listFullDays(
  { limits, counted }: CountedLimits,
  { first, last }: Period,
  durationMinutes: number,
): number[] {
  const full: number[] = []
  const sums = sumByDay(counted)
  for (const kind of LIMIT_PERIODS) {
    const ofKind = limits.filter(({ limit }) => limit.period === kind)
    for (let day = first; ofKind.length > 0 && day <= last; ) {
      const period = getPeriod(kind, day)
      const isFull = ofKind.some((each) => isExceeded(each, sumOver(sums, each, period), durationMinutes))
      for (; day <= Math.min(period.last, last); day++) if (isFull) full.push(day)
    }
  }
  return full
}

/** What was booked on each day from `firstDay` on, of all types and of the wanted one. */
type DaySums = { readonly firstDay: number; readonly all: Sums; readonly ofType: Sums }
/** Undefined on days without appointments. */
type Sums = { readonly [unit in BookingLimit['unit']]: (number | undefined)[] }

function sumByDay(counted: readonly CountedDay[]): DaySums {
  let firstDay = Infinity
  for (const { dayNumber } of counted) if (dayNumber < firstDay) firstDay = dayNumber
  const all: Sums = { appointments: [], minutes: [] }
  const ofType: Sums = { appointments: [], minutes: [] }
  for (const day of counted) {
    const i = day.dayNumber - firstDay
    addTo(all, i, day)
    if (day.isOfType) addTo(ofType, i, day)
  }
  return { firstDay, all, ofType }
}

function addTo({ appointments, minutes }: Sums, i: number, day: CountedDay): void {
  appointments[i] = (appointments[i] ?? 0) + day.appointments
  minutes[i] = (minutes[i] ?? 0) + day.minutes
}

/** Returns what counts towards a limit in a period. */
function sumOver(
  { firstDay, all, ofType }: DaySums,
  { limit, is_of_type }: ApplyingLimit,
  { first, last }: Period,
): number {
  const taken = (is_of_type ? ofType : all)[limit.unit]
  const until = Math.min(last - firstDay, taken.length - 1)
  let sum = 0
  for (let i = Math.max(first - firstDay, 0); i <= until; i++) sum += taken[i] ?? 0
  return sum
}

function isExceeded({ limit }: ApplyingLimit, taken: number, durationMinutes: number): boolean {
  return taken + (limit.unit === 'appointments' ? 1 : durationMinutes) > limit.most
}

/** True when a limit has no room for a single appointment, so that nobody can ever book it online. */
export function isTooSmall(applying: ApplyingLimit, durationMinutes: number): boolean {
  return isExceeded(applying, 0, durationMinutes)
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

/** The numbers of its first and last day. */
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
