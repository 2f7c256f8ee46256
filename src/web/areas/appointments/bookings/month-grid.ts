import { addDays, dayOfWeek, listDates } from '#core/shared/calendar-date.ts'

/** A month is written yyyy-MM; its days are yyyy-MM-dd. Plain text, so no zone can shift a day. */

/** The month of a date. */
export function monthOf(date: string): string {
  return date.slice(0, 7)
}

/** The month `count` months later, or earlier when negative. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const months = year * 12 + number - 1 + count
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`
}

/** The last date of a month. */
export function lastDateOf(month: string): string {
  return addDays(`${addMonths(month, 1)}-01`, -1)
}

/** The weeks that a month has days in, each from its first to its last day, also where those are of another month. */
export function listWeeks(month: string, firstWeekday: number): string[][] {
  const first = addDays(`${month}-01`, -columnOf(`${month}-01`, firstWeekday))
  const days = listDates(first, 6 * 7)
  return [0, 7, 14, 21, 28, 35]
    .map((start) => days.slice(start, start + 7))
    .filter((week) => week.some((date) => monthOf(date) === month))
}

/** First day of the week where the visitor lives, 0 = Sunday; Sunday where the browser does not know. */
export function firstWeekdayOf(language: string): number {
  try {
    const locale = new Intl.Locale(language) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } } // newer than the library types
    return (locale.getWeekInfo?.().firstDay ?? 7) % 7
  } catch {
    return 0
  }
}

/** How a month is laid out on the screen. */
type Layout = {
  /** The weekday of the first column, 0 = Sunday. */
  readonly firstWeekday: number
  /** Whether a row begins at the right. */
  readonly isRightToLeft: boolean
}

/**
 * The day a key moves to from `date`, or null when the key does not move. Arrows move to the day that they point at.
 * Months keep the day of the month where they have it.
 *
 * Source: ARIA Authoring Practices, "Date Picker Dialog" keyboard interaction.
 */
export function dayAfterKey(
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

/** The nearest date of the range. */
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
