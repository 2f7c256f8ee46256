import { dayOfWeek } from '#core/shared/calendar-date.ts'
import { localDateOf, localTimeOf } from '#core/shared/zoned-time.ts'

export const DAY_PARTS = ['morning', 'afternoon', 'evening'] as const
/** Before noon, before 17:00, and later. Source: rule T31. */
export type DayPart = (typeof DAY_PARTS)[number]

/** Which times would suit somebody. Source: rule Z1. */
export type WaitingRequest = {
  readonly typeId: string | null
  /** yyyy-MM-dd, both ends included. */
  readonly fromDate: string
  readonly toDate: string
  /** 0 is Sunday. */
  readonly weekdays: readonly number[]
  readonly dayParts: readonly DayPart[]
}

/** A free start, as the clocks of a zone read it. */
export type ReadTime = {
  readonly startMs: number
  readonly date: string
  readonly weekday: number
  readonly part: DayPart
}

const NOON = '12:00'
const EVENING = '17:00'

/** Reads a start on the clocks of a zone. */
export function readTime(startMs: number, timeZone: string): ReadTime {
  const date = localDateOf(startMs, timeZone)
  const clock = localTimeOf(startMs, timeZone)
  const part = clock < NOON ? 'morning' : clock < EVENING ? 'afternoon' : 'evening'
  return { startMs, date, weekday: dayOfWeek(date), part }
}

/** Whether a time is one that was asked for. The type is not looked at. Source: rule Z1. */
export function matchesRequest(request: WaitingRequest, { date, weekday, part }: ReadTime): boolean {
  return (
    date >= request.fromDate &&
    date <= request.toDate &&
    request.weekdays.includes(weekday) &&
    request.dayParts.includes(part)
  )
}
