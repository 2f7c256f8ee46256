import { formatDay } from '#web/shared/format-date.ts'
import { classNames } from '#web/ui/class-names.ts'

/** How one day of the month stands. */
export type DayStanding = {
  isSelected: boolean
  isToday: boolean
  /** Past, or too far ahead. */
  isDisabled: boolean
  /** Whether it has a free time; undefined while that is not known. */
  mark: 'free' | 'full' | undefined
}

/** What a screen reader calls a day: `Tuesday, December 1, 2026, today, no available times`. */
export function dayName(date: string, { isToday, isDisabled, mark }: DayStanding): string {
  return [
    formatDay(date, { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }),
    isToday && 'today',
    mark === 'full' && !isDisabled && 'no available times',
  ]
    .filter(Boolean)
    .join(', ')
}

/**
 * The looks of a day. A full day is struck through but can be chosen: times come free again. Only past days and days
 * too far ahead are disabled.
 */
export function dayLooks(standing: DayStanding): string {
  return classNames('month-day', standing.isToday && 'month-today', looksOf(standing))
}

function looksOf({ isSelected, isDisabled, mark }: DayStanding): string {
  if (isSelected) return 'bg-ink font-semibold text-on-ink'
  if (isDisabled) return 'text-ink-faint opacity-45'
  if (mark === 'full') return 'text-ink-faint line-through hover:bg-sunken'
  return mark === 'free' ? 'day-free font-semibold text-ink' : 'text-ink hover:bg-sunken'
}
