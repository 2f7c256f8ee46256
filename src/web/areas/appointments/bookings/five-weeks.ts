import { addDays, dayOfWeek, toDayNumber } from '#core/shared/calendar-date.ts'

/** In this file, months are `yyyy-MM` and days `yyyy-MM-dd`: plain text, so that no time zone can shift a day. */

/** Returns the month of a date. */
function monthOf(date: string): string {
  return date.slice(0, 7)
}

/** Adds `count` months, or subtracts them if `count` is negative. */
function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const months = year * 12 + number - 1 + count
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`
}

/** Returns the last date of a month. */
function lastDateOf(month: string): string {
  return addDays(`${addMonths(month, 1)}-01`, -1)
}

/** Number of days that the calendar shows at a time: five weeks. Source: rule W9. */
export const SHOWN_DAYS = 35

/**
 * Returns the first of the five shown weeks that contain a date. The first five weeks begin with the week of `today`, and the next
 * five follow them.
 */
export function startOfWeeks(date: string, today: string, firstWeekday: number): string {
  const first = addDays(today, -columnOf(today, firstWeekday))
  const days = toDayNumber(date) - toDayNumber(first)
  return addDays(first, Math.floor(days / SHOWN_DAYS) * SHOWN_DAYS)
}

/** Returns the first day of the week for a language (0 = Sunday). Returns Sunday if the browser cannot tell. */
export function firstWeekdayOf(language?: string): number {
  try {
    const locale = new Intl.Locale(language ?? navigator.language) as Intl.Locale & {
      getWeekInfo?: () => { firstDay: number }
    } // TypeScript lacks it
    return (locale.getWeekInfo?.().firstDay ?? 7) % 7
  } catch {
    return 0
  }
}

/** The layout of the grid on screen. */
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
