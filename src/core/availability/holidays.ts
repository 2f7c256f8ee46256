import { addDays } from '#core/shared/calendar-date.ts'
import { MAX_DAYS_AHEAD } from '#core/slots/max-days-ahead.ts'
import type { SpecialDayEntry } from './plan-closing.ts'

/** A public holiday on a date, yyyy-MM-dd. */
export type Holiday = { readonly date: string; readonly name: string }

/** Whether a holiday is only proposed, or its date has special days already. Source: rule T56. */
export const HOLIDAY_STATES = ['proposed', 'closed', 'special_hours'] as const
export type HolidayState = (typeof HOLIDAY_STATES)[number]

/** An owner's decisions about the dates of a calendar. */
export type HolidayChoices = {
  /** Dates of holidays that stay open. */
  readonly keptOpen: readonly string[]
  readonly specialDays: readonly SpecialDayEntry[]
  /** In the calendar's time zone. */
  readonly today: string
}

/**
 * Lists the holidays from today until customers can no longer book, the nearest first, without those that the owner keeps
 * open. Holidays of the same date become one. Source: rules T56 and T57.
 */
export function proposeHolidays(
  found: readonly Holiday[],
  { keptOpen, specialDays, today }: HolidayChoices,
): (Holiday & { readonly state: HolidayState })[] {
  const last = addDays(today, MAX_DAYS_AHEAD)
  const namesOf = new Map<string, Set<string>>()
  for (const { date, name } of found) {
    if (date < today || date > last || keptOpen.includes(date)) continue
    namesOf.set(date, (namesOf.get(date) ?? new Set()).add(name))
  }
  return [...namesOf]
    .map(([date, names]) => ({ date, name: [...names].join(', '), state: decideState(date, specialDays) }))
    .sort((a, b) => (a.date < b.date ? -1 : 1))
}

function decideState(date: string, specialDays: readonly SpecialDayEntry[]): HolidayState {
  const entry = specialDays.find(({ first, last }) => first <= date && date <= last)
  if (entry === undefined) return 'proposed'
  return entry.hours.length === 0 ? 'closed' : 'special_hours'
}
