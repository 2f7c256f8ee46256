import type { DayPart } from '#core/waiting-list/waiting-request.ts'
import { formatDayOfWeek, formatShortDate } from './format-date.ts'

/** The form values of a waiting-list request. Dates are `yyyy-MM-dd`, or empty. */
export type WaitingRequest = {
  readonly from_date: string
  readonly to_date: string
  /** Weekdays, where 0 is Sunday. */
  readonly weekdays: readonly number[]
  readonly day_parts: readonly DayPart[]
  /** The last day for offers; null means `to_date`. */
  readonly valid_until: string | null
}

/** The weekdays in display order, Monday first. Source: rule V7. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0] as const

export const DAY_PART_LABELS: Readonly<Record<DayPart, string>> = {
  morning: 'Morning',
  afternoon: 'Afternoon',
  evening: 'Evening',
}

/** Returns a new request for any time in the next four weeks. */
export function newWaitingRequest(today: string): WaitingRequest {
  const later = new Date(`${today}T00:00:00Z`)
  later.setUTCDate(later.getUTCDate() + 28)
  return {
    from_date: today,
    to_date: later.toISOString().slice(0, 10),
    weekdays: WEEKDAYS,
    day_parts: ['morning', 'afternoon', 'evening'],
    valid_until: null,
  }
}

/** Validates a request. Returns the message of the first error, or null. Source: rule Z1. */
export function findWaitingRequestError(
  { from_date: from, to_date: to, weekdays, day_parts: parts, valid_until: until }: WaitingRequest,
  today: string,
): string | null {
  if (from === '' || to === '') return 'Please choose both dates.'
  if (to < from) return 'Please choose a last date that is not before the first.'
  if (weekdays.length === 0) return 'Please choose at least one weekday.'
  if (parts.length === 0) return 'Please choose at least one part of the day.'
  const isValid = until === null || (until >= today && until <= to)
  return isValid ? null : 'Please end offers on a day between today and your last date.'
}

/** Converts a request to the fields of the request body. */
export function toWaitingRequestBody(request: WaitingRequest) {
  return { ...request, weekdays: [...request.weekdays], day_parts: [...request.day_parts] }
}

/** Describes a request in words: `Dec 1, 2026 – Dec 20, 2026`, `Mon, Tue`, `morning or evening`. */
export function describeWaitingRequest(request: Omit<WaitingRequest, 'valid_until'>): {
  dates: string
  weekdays: string
  parts: string
} {
  const days = WEEKDAYS.filter((day) => request.weekdays.includes(day))
  const parts = (Object.keys(DAY_PART_LABELS) as DayPart[]).filter((part) => request.day_parts.includes(part)) // keys of `DAY_PART_LABELS`
  return {
    dates:
      request.from_date === request.to_date
        ? formatShortDate(request.from_date)
        : `${formatShortDate(request.from_date)} – ${formatShortDate(request.to_date)}`,
    weekdays: days.length === 7 ? 'any day' : days.map((day) => formatDayOfWeek(day).slice(0, 3)).join(', '),
    parts:
      parts.length === 3
        ? 'any time of the day'
        : parts.map((part) => DAY_PART_LABELS[part].toLowerCase()).join(' or '),
  }
}
