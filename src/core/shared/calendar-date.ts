import { DAY_MS } from './duration.ts'

export const FIRST_YEAR = 1970
export const LAST_YEAR = 2200

/** True when `text` is a real date, yyyy-MM-dd, in the years 1970 to 2200. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-(0[1-9]|1[0-2])-\d\d$/.test(text)) return false
  const year = Number(text.slice(0, 4))
  const day = Number(text.slice(8))
  return year >= FIRST_YEAR && year <= LAST_YEAR && day >= 1 && day <= daysInMonth(text)
}

/** Adds days to a date; negative values subtract. Independent of time zones. */
export function addDays(date: string, days: number): string {
  return dayNumberToDate(toDayNumber(date) + days)
}

/** Weekday of a date, 0 = Sunday … 6 = Saturday (rule T1). */
export function dayOfWeek(date: string): number {
  return dayOfWeekOf(toDayNumber(date))
}

/** Days since 1970-01-01 of a date yyyy-MM-dd. */
export function toDayNumber(date: string): number {
  return Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8))) / DAY_MS
}

/** The last conversion: the slots of a day all have its date. */
let latest = { dayNumber: 0, date: '1970-01-01' }

/** Converts a day number to yyyy-MM-dd. Valid for the years 0 to 9999. */
export function dayNumberToDate(dayNumber: number): string {
  if (dayNumber !== latest.dayNumber) {
    latest = { dayNumber, date: new Date(dayNumber * DAY_MS).toISOString().slice(0, 10) }
  }
  return latest.date
}

/** Weekday of a day number, 0 = Sunday; 1970-01-01 was a Thursday. */
export function dayOfWeekOf(dayNumber: number): number {
  return (((dayNumber + 4) % 7) + 7) % 7
}

/** Lists `count` consecutive dates. Increments within a month, which is ten times faster than creating each date. */
export function listDates(firstDate: string, count: number): string[] {
  const dates: string[] = []
  let monthPrefix = firstDate.slice(0, 8)
  let day = Number(firstDate.slice(8))
  let lastDay = daysInMonth(firstDate)
  while (dates.length < count) {
    if (day > lastDay) {
      const date = addDays(firstDate, dates.length)
      monthPrefix = date.slice(0, 8)
      day = 1
      lastDay = daysInMonth(date)
    }
    dates.push(monthPrefix + (day < 10 ? '0' : '') + day)
    day++
  }
  return dates
}

function daysInMonth(date: string): number {
  const year = Number(date.slice(0, 4))
  const month = Number(date.slice(5, 7))
  return (Date.UTC(year, month) - Date.UTC(year, month - 1)) / DAY_MS
}
