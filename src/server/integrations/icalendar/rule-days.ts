import { dayOfWeekOf } from '#core/shared/calendar-date.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import type { RecurrenceRule } from './recurrence-rule.ts'

/** The days of one period of a rule, as days since 1970. */
export type PeriodDays = { readonly firstDay: number; readonly days: readonly number[] }

/** Lists the days of the year, month, week or day that lies `index` periods after that of the start. */
export function listDaysOfPeriod(rule: RecurrenceRule, startWallMs: number, index: number): PeriodDays {
  const start = new Date(startWallMs)
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth()]
  if (rule.frequency === 'YEARLY') return listOfYear(year + index, rule.numbers.get('BYMONTH'))
  if (rule.frequency === 'MONTHLY') {
    const firstDay = dayOf(year, month + index)
    return toDays(firstDay, dayOf(year, month + index + 1))
  }
  const day = Math.floor(startWallMs / DAY_MS)
  if (rule.frequency === 'WEEKLY') {
    const firstDay = day - ((dayOfWeekOf(day) - rule.weekStart + 7) % 7) + index * 7
    return toDays(firstDay, firstDay + 7)
  }
  return toDays(day + index, day + index + 1)
}

function listOfYear(year: number, months: readonly number[] | undefined): PeriodDays {
  const firstDay = dayOf(year, 0)
  if (months === undefined) return toDays(firstDay, dayOf(year, 12))
  const days = months
    .toSorted((a, b) => a - b)
    .flatMap((month) => toDays(dayOf(year, month - 1), dayOf(year, month)).days)
  return { firstDay, days }
}

function toDays(firstDay: number, endDay: number): PeriodDays {
  return { firstDay, days: Array.from({ length: endDay - firstDay }, (_, index) => firstDay + index) }
}

/** Returns the first day of a month, in days since 1970. Months beyond the year's end overflow into later years. */
function dayOf(year: number, month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, 1)
  return date.getTime() / DAY_MS
}

/**
 * Builds a test of whether a rule includes a day. Each BY part narrows the selection. Missing parts are taken from the
 * start. Source: RFC 5545 §3.3.10, the table of BYxxx parts.
 */
export function buildDayFilter(rule: RecurrenceRule, startWallMs: number): (day: number) => boolean {
  const { months, monthDays, yearDays, weekNumbers, weekdays } = completeDays(rule, startWallMs)
  const isOfYear = rule.frequency === 'YEARLY' && !rule.numbers.has('BYMONTH')
  const counts =
    (rule.frequency === 'YEARLY' || rule.frequency === 'MONTHLY') && !rule.numbers.has('BYWEEKNO')
  const tests = [
    buildTest(months, ({ month }) => [month]),
    weekdays.length > 0 && buildWeekdayTest(weekdays, { counts, isOfYear }),
    buildTest(monthDays, ({ dayOfMonth, daysInMonth }) => [dayOfMonth, dayOfMonth - daysInMonth - 1]),
    buildTest(yearDays, ({ dayOfYear, daysInYear }) => [dayOfYear, dayOfYear - daysInYear - 1]),
    buildTest(weekNumbers, ({ day, year }) => weekNumbersOf(day, year, rule.weekStart)),
  ].filter((test) => typeof test === 'function')
  return (day) => {
    const described = describeDay(day)
    return tests.every((test) => test(described))
  }
}

type Numbers = readonly number[] | undefined

/** Returns the day parts of a rule. Missing parts that matter are taken from the start. */
function completeDays({ frequency, weekdays, numbers }: RecurrenceRule, startWallMs: number) {
  const start = new Date(startWallMs)
  const given = {
    months: numbers.get('BYMONTH'),
    monthDays: numbers.get('BYMONTHDAY'),
    yearDays: numbers.get('BYYEARDAY'),
    weekNumbers: numbers.get('BYWEEKNO'),
    weekdays,
  }
  if (weekdays.length > 0 || given.monthDays !== undefined || given.yearDays !== undefined) return given
  if (frequency === 'WEEKLY' || given.weekNumbers !== undefined) {
    return { ...given, weekdays: [{ dayOfWeek: start.getUTCDay(), nth: null }] }
  }
  if (frequency !== 'YEARLY' && frequency !== 'MONTHLY') return given
  const ofYear = frequency === 'YEARLY' ? [start.getUTCMonth() + 1] : undefined
  return { ...given, months: given.months ?? ofYear, monthDays: [start.getUTCDate()] }
}

type Day = {
  readonly day: number
  readonly year: number
  /** The month, from 1 to 12. */
  readonly month: number
  readonly dayOfMonth: number
  readonly daysInMonth: number
  readonly dayOfYear: number
  readonly daysInYear: number
}

function describeDay(day: number): Day {
  const date = new Date(day * DAY_MS)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth()
  const dayOfMonth = date.getUTCDate()
  const firstOfYear = dayOf(year, 0)
  return {
    day,
    year,
    month: month + 1,
    dayOfMonth,
    daysInMonth: dayOf(year, month + 1) - (day - dayOfMonth + 1),
    dayOfYear: day - firstOfYear + 1,
    daysInYear: dayOf(year, 12) - firstOfYear,
  }
}

function buildTest(numbers: Numbers, numbersOf: (day: Day) => readonly number[]) {
  if (numbers === undefined) return null
  const wanted = new Set(numbers)
  return (day: Day) => numbersOf(day).some((number) => wanted.has(number))
}

/**
 * Builds the weekday test. With `counts`, 'the second Tuesday' means the second of the month or year; otherwise it
 * means every Tuesday.
 */
function buildWeekdayTest(
  weekdays: RecurrenceRule['weekdays'],
  { counts, isOfYear }: { readonly counts: boolean; readonly isOfYear: boolean },
) {
  return ({ day, dayOfMonth, daysInMonth, dayOfYear, daysInYear }: Day) => {
    const [position, length] = isOfYear ? [dayOfYear, daysInYear] : [dayOfMonth, daysInMonth]
    const nth = Math.ceil(position / 7)
    const nthFromEnd = -Math.ceil((length - position + 1) / 7)
    return weekdays.some(
      (one) =>
        one.dayOfWeek === dayOfWeekOf(day) &&
        (one.nth === null || !counts || one.nth === nth || one.nth === nthFromEnd),
    )
  }
}

/**
 * Returns the week numbers of a day, counted from the beginning and from the end of the year. Week 1 is the first with
 * four days in the year. A day near the end of a year can belong to a week of the adjacent year.
 */
function weekNumbersOf(day: number, year: number, weekStart: number): readonly number[] {
  const first = firstWeekOf(year, weekStart)
  const next = firstWeekOf(year + 1, weekStart)
  const [from, to] =
    day < first
      ? [firstWeekOf(year - 1, weekStart), first]
      : day >= next
        ? [next, firstWeekOf(year + 2, weekStart)]
        : [first, next]
  const week = Math.floor((day - from) / 7) + 1
  return [week, week - (to - from) / 7 - 1]
}

function firstWeekOf(year: number, weekStart: number): number {
  const fourth = dayOf(year, 0) + 3
  return fourth - ((dayOfWeekOf(fourth) - weekStart + 7) % 7)
}
