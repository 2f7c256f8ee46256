import { dayOfWeek } from '#core/shared/calendar-date.ts'
import { localDateOf, localTimeOf } from '#core/shared/zoned-time.ts'

export const DAY_PARTS = ['morning', 'afternoon', 'evening'] as const
/** Before noon, before 17:00, and later. Source: rule T31. */
export type DayPart = (typeof DAY_PARTS)[number]

/** The times that a customer on the waiting list wants. Source: rule Z1. */
export type WaitingRequest = {
  readonly appointment_type_id: string | null
  /** yyyy-MM-dd, both inclusive. */
  readonly from_date: string
  readonly to_date: string
  /** 0 is Sunday. */
  readonly weekdays: readonly number[]
  readonly day_parts: readonly DayPart[]
}

/** A free start with its local date, weekday and part of the day in a zone. */
export type LocalStart = {
  readonly startMs: number
  readonly date: string
  readonly weekday: number
  readonly part: DayPart
}

const NOON = '12:00'
const EVENING = '17:00'

/** Converts a start to local date, weekday and part of the day. */
export function toLocalStart(startMs: number, timeZone: string): LocalStart {
  const date = localDateOf(startMs, timeZone)
  const clock = localTimeOf(startMs, timeZone)
  const part = clock < NOON ? 'morning' : clock < EVENING ? 'afternoon' : 'evening'
  return { startMs, date, weekday: dayOfWeek(date), part }
}

/** True when a time matches the request; ignores the appointment type. Source: rule Z1. */
export function matchesRequest(request: WaitingRequest, { date, weekday, part }: LocalStart): boolean {
  return (
    date >= request.from_date &&
    date <= request.to_date &&
    request.weekdays.includes(weekday) &&
    request.day_parts.includes(part)
  )
}
