import type { DayPart } from '#core/waiting-list/waiting-request.ts'
import { formatDayOfWeek, formatShortDate } from './format-date.ts'

/** The form values of a waiting-list request. Dates are `yyyy-MM-dd`, or empty. */
export type WaitingRequest = {
  readonly fromDate: string
  readonly toDate: string
  /** 0 is Sunday. */
  readonly weekdays: readonly number[]
  readonly dayParts: readonly DayPart[]
  /** The last day for offers; null means `toDate`. */
  readonly validUntil: string | null
}

/** Monday first. Source: rule V7. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0] as const

export const PART_WORDS: Readonly<Record<DayPart, string>> = {
  morning: 'Morning',
  afternoon: 'Afternoon',
  evening: 'Evening',
}

/** A new request: any time in the next four weeks. */
export function newWaitingRequest(today: string): WaitingRequest {
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

/** Validates a request: the first error as a sentence, or null. Source: rule Z1. */
export function findMissingField(
  { fromDate, toDate, weekdays, dayParts, validUntil }: WaitingRequest,
  today: string,
): string | null {
  if (fromDate === '' || toDate === '') return 'Please choose both dates.'
  if (toDate < fromDate) return 'Please choose a last date that is not before the first.'
  if (weekdays.length === 0) return 'Please choose at least one weekday.'
  if (dayParts.length === 0) return 'Please choose at least one part of the day.'
  const isValid = validUntil === null || (validUntil >= today && validUntil <= toDate)
  return isValid ? null : 'Please choose until when offers are wanted: a day from today to the last date.'
}

/** Converts a request to fields of the request body. */
export function toRequestBody({ fromDate, toDate, weekdays, dayParts, validUntil }: WaitingRequest) {
  return {
    from_date: fromDate,
    to_date: toDate,
    weekdays: [...weekdays],
    day_parts: [...dayParts],
    valid_until: validUntil,
  }
}

/** Describes a request: `Dec 1, 2026 – Dec 20, 2026`, `Mon, Tue`, `morning or evening`. */
export function describeWaitingRequest(request: Omit<WaitingRequest, 'validUntil'>): {
  dates: string
  weekdays: string
  parts: string
} {
  const days = WEEKDAYS.filter((day) => request.weekdays.includes(day))
  const parts = (Object.keys(PART_WORDS) as DayPart[]).filter((part) => request.dayParts.includes(part)) // its own keys
  return {
    dates:
      request.fromDate === request.toDate
        ? formatShortDate(request.fromDate)
        : `${formatShortDate(request.fromDate)} – ${formatShortDate(request.toDate)}`,
    weekdays: days.length === 7 ? 'any day' : days.map((day) => formatDayOfWeek(day).slice(0, 3)).join(', '),
    parts:
      parts.length === 3
        ? 'any time of the day'
        : parts.map((part) => PART_WORDS[part].toLowerCase()).join(' or '),
  }
}
