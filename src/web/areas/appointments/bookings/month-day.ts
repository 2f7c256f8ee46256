import { formatDay } from '#web/shared/format-date.ts'
import { classNames } from '#web/ui/class-names.ts'

/** How one day of the month stands. */
export type DayState = {
  isSelected: boolean
  isToday: boolean
  /** Why it cannot be chosen; undefined when it can be. */
  unavailable: 'past' | 'too far ahead' | undefined
  /** Whether it has a free time; undefined while that is not known. */
  mark: 'free' | 'full' | undefined
}

/** What a screen reader calls a day: `Tuesday, December 1, 2026, today, no available times`. */
export function dayName(date: string, { isToday, unavailable, mark }: DayState): string {
  return [
    formatDay(date, { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }),
    isToday && 'today',
    mark === 'full' && unavailable === undefined && 'no available times',
  ]
    .filter(Boolean)
    .join(', ')
}

/** Says why a day cannot be chosen; undefined where it can be. */
export function whyDisabled({ unavailable }: DayState): string | undefined {
  return unavailable && REASONS[unavailable]
}

const REASONS = { past: 'This day has passed', 'too far ahead': 'This day is too far ahead to be booked' }

/**
 * The look of a day. A full day is struck through but can be chosen, because times become free again. Only past days
 * and days too far ahead are disabled. Source: rule W9.
 */
export function dayLooks(standing: DayState): string {
  return classNames('month-day', standing.isToday && 'month-today', looksOf(standing))
}

function looksOf({ isSelected, unavailable, mark }: DayState): string {
  if (isSelected) return 'day-picked'
  if (unavailable !== undefined) return 'text-ink-faint opacity-45'
  if (mark === 'full') return 'text-ink-faint line-through hover:bg-sunken'
  return mark === 'free' ? 'day-free font-semibold text-ink' : 'text-ink hover:bg-sunken'
}
