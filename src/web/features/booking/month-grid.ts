import { addDays, dayOfWeek } from '#core/shared/calendar-date.ts'

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

/**
 * The day a key moves to from `date`, or null when the key does not move. Months keep the day of the month where they
 * have it.
 *
 * Source: ARIA Authoring Practices, "Date Picker Dialog" keyboard interaction.
 */
export function dayAfterKey(
  date: string,
  key: string,
  shiftKey: boolean,
  firstWeekday: number,
): string | null {
  const column = (dayOfWeek(date) - firstWeekday + 7) % 7
  switch (key) {
    case 'ArrowLeft':
      return addDays(date, -1)
    case 'ArrowRight':
      return addDays(date, 1)
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

function sameDayIn(month: string, date: string): string {
  const last = lastDateOf(month)
  const same = `${month}-${date.slice(8)}`
  return same > last ? last : same
}
