import { formatDay } from '#web/shared/format-date.ts'
import { classNames } from '#web/ui/class-names.ts'

/** The state of a day in the grid. */
export type DayState = {
  isSelected: boolean
  isToday: boolean
  /** The reason why the day is disabled; undefined if it can be chosen. */
  unavailable: 'past' | 'too far ahead' | undefined
  /** Whether the day has a free time; undefined until this has loaded. */
  mark: 'free' | 'full' | undefined
}

/** Returns the accessible name of a day: `Tuesday, December 1, 2026, today, no available times`. */
export function dayLabel(date: string, { isToday, unavailable, mark }: DayState): string {
  return [
    formatDay(date, { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }),
    isToday && 'today',
    mark === 'full' && unavailable === undefined && 'no available times',
  ]
    .filter(Boolean)
    .join(', ')
}

/** Returns the reason why a day is disabled, as text; undefined if it can be chosen. */
export function disabledReason({ unavailable }: DayState): string | undefined {
  return unavailable && REASONS[unavailable]
}

const REASONS = { past: 'This day has passed', 'too far ahead': 'This day is too far ahead to book' }

/**
 * Returns the CSS classes of a day. A full day is struck through but can be chosen, because times may become free again.
 * Only past days and days too far ahead are disabled. Source: rule W9.
 */
export function dayClassName(day: DayState): string {
  return classNames('grid-day', day.isToday && 'grid-today', stateClassName(day))
}

function stateClassName({ isSelected, unavailable, mark }: DayState): string {
  if (isSelected) return 'day-picked'
  if (unavailable !== undefined) return 'text-ink-faint opacity-45'
  if (mark === 'full') return 'text-ink-faint line-through hover:bg-sunken'
  return mark === 'free' ? 'day-free font-semibold text-ink' : 'text-ink hover:bg-sunken'
}
