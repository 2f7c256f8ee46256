import type { DayPart } from '#core/waiting-list/waiting-request.ts'
import { formatDayOfWeek, formatShortDate } from './format-date.ts'

/** Which times would suit somebody, as a form has it. Dates are `yyyy-MM-dd`, empty where none is given. */
export type Wish = {
  readonly fromDate: string
  readonly toDate: string
  /** 0 is Sunday. */
  readonly weekdays: readonly number[]
  readonly dayParts: readonly DayPart[]
  /** The last day on which offers are wanted; null: the last date, also when that is changed. */
  readonly validUntil: string | null
}

/** Monday first. Source: rule V7. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0] as const

export const PART_WORDS: Readonly<Record<DayPart, string>> = {
  morning: 'Morning',
  afternoon: 'Afternoon',
  evening: 'Evening',
}

/** Every time of the four weeks that begin with a day. */
export function anyTimeFrom(today: string): Wish {
  const later = new Date(`${today}T00:00:00Z`)
  later.setUTCDate(later.getUTCDate() + 28)
  return {
    fromDate: today,
    toDate: later.toISOString().slice(0, 10),
    weekdays: WEEKDAYS,
    dayParts: ['morning', 'afternoon', 'evening'],
    validUntil: null,
  }
}

/** What is missing in a wish, or null. Source: rule Z1. */
export function findWishGap(
  { fromDate, toDate, weekdays, dayParts, validUntil }: Wish,
  today: string,
): string | null {
  if (fromDate === '' || toDate === '') return 'Please choose both dates.'
  if (toDate < fromDate) return 'Please choose a last date that is not before the first.'
  if (weekdays.length === 0) return 'Please choose at least one weekday.'
  if (dayParts.length === 0) return 'Please choose at least one part of the day.'
  const isValid = validUntil === null || (validUntil >= today && validUntil <= toDate)
  return isValid ? null : 'Please choose until when offers are wanted: a day from today to the last date.'
}

/** `Dec 1, 2026 – Dec 20, 2026`, `Mon, Tue`, `morning or evening`: what was asked for, in words. */
export function describeWish(wish: Omit<Wish, 'validUntil'>): {
  dates: string
  weekdays: string
  parts: string
} {
  const days = WEEKDAYS.filter((day) => wish.weekdays.includes(day))
  const parts = (Object.keys(PART_WORDS) as DayPart[]).filter((part) => wish.dayParts.includes(part)) // its own keys
  return {
    dates:
      wish.fromDate === wish.toDate
        ? formatShortDate(wish.fromDate)
        : `${formatShortDate(wish.fromDate)} – ${formatShortDate(wish.toDate)}`,
    weekdays: days.length === 7 ? 'any day' : days.map((day) => formatDayOfWeek(day).slice(0, 3)).join(', '),
    parts:
      parts.length === 3
        ? 'any time of the day'
        : parts.map((part) => PART_WORDS[part].toLowerCase()).join(' or '),
  }
}
