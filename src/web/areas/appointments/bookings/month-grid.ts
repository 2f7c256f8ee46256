import { addDays, dayOfWeek, listDates } from '#core/shared/calendar-date.ts'

/** In this file, months are `yyyy-MM` and days `yyyy-MM-dd`: plain text, so that no time zone can shift a day. */

/** Returns the month of a date. */
export function monthOf(date: string): string {
  return date.slice(0, 7)
}

/** Adds `count` months, or subtracts them if `count` is negative. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const months = year * 12 + number - 1 + count
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`
}

/** Returns the last date of a month. */
export function lastDateOf(month: string): string {
  return addDays(`${addMonths(month, 1)}-01`, -1)
}

/** Lists the weeks of a month, each with seven dates. The first and last week may include dates of adjacent months. */
export function listWeeks(month: string, firstWeekday: number): string[][] {
  const first = addDays(`${month}-01`, -columnOf(`${month}-01`, firstWeekday))
  const days = listDates(first, 6 * 7)
  return [0, 7, 14, 21, 28, 35]
    .map((start) => days.slice(start, start + 7))
    .filter((week) => week.some((date) => monthOf(date) === month))
}

/** Returns the first day of the week for a language (0 = Sunday). Returns Sunday if the browser cannot tell. */
export function firstWeekdayOf(language: string): number {
  try {
    const locale = new Intl.Locale(language) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } } // TypeScript lacks it
    return (locale.getWeekInfo?.().firstDay ?? 7) % 7
  } catch {
    return 0
  }
}

/** The layout of the month's grid on screen. */
type Layout = {
  /** The weekday of the first column, 0 = Sunday. */
  readonly firstWeekday: number
  /** True if rows start at the right. */
  readonly isRightToLeft: boolean
}

/**
 * Returns the day to which a key moves from `date`, or null for other keys. Arrow keys move in the direction in which
 * they point. Moving by a month keeps the day of the month, or moves to the last day of a shorter month.
 *
 * Source: ARIA Authoring Practices, "Date Picker Dialog" keyboard interaction.
 */
export function dateAfterArrowKey(
  date: string,
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  { firstWeekday, isRightToLeft }: Layout,
): string | null {
  const column = columnOf(date, firstWeekday)
  switch (key) {
    case 'ArrowLeft':
      return addDays(date, isRightToLeft ? 1 : -1)
    case 'ArrowRight':
      return addDays(date, isRightToLeft ? -1 : 1)
    case 'ArrowUp':
      return addDays(date, -7)
    case 'ArrowDown':
      return addDays(date, 7)
    case 'Home':
      return addDays(date, -column)
    case 'End':
      return addDays(date, 6 - column)
    case 'PageUp':
      return sameDayIn(addMonths(monthOf(date), shiftKey ? -12 : -1), date)
    case 'PageDown':
      return sameDayIn(addMonths(monthOf(date), shiftKey ? 12 : 1), date)
    default:
      return null
  }
}

/** Returns the date, or the nearest end of the range if the date is outside it. */
export function clampDate(date: string, from: string, to: string): string {
  if (date < from) return from
  return date > to ? to : date
}

function columnOf(date: string, firstWeekday: number): number {
  return (dayOfWeek(date) - firstWeekday + 7) % 7
}

function sameDayIn(month: string, date: string): string {
  const last = lastDateOf(month)
  const same = `${month}-${date.slice(8)}`
  return same > last ? last : same
}
