import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Temporal } from 'temporal-polyfill'
import type { ClockSpan } from '#core/availability/weekly-opening.ts'
import { toDayNumber } from '#core/shared/calendar-date.ts'
import type { Interval } from '#core/shared/interval.ts'
import { localDateOf } from '#core/shared/zoned-time.ts'
import type { LIMIT_UNITS, LimitPeriod } from '#core/slots/booking-limits.ts'
import { ALL_DATES, type BookingWindow, windowBounds } from '#core/slots/booking-window.ts'
import type { OpenSlotsQuery } from '#core/slots/open-slots.ts'
import type { SlotIntervalMinutes } from '#core/slots/slot-rules.ts'
import { OWN_LENGTH } from '#core/slots/start-pattern.ts'

export const CASES_FOLDER = join(import.meta.dirname, '../cases')

type ClockTimes = { readonly start_time: string; readonly end_time: string }
type Opening = ClockTimes & { readonly day_of_week: number }
type Instants = readonly [startsAt: string, endsAt: string]

/** A question, as `docs/conformance.md` describes it. A field that is left out stands for no such rule. */
export type SlotCaseInput = {
  readonly date: string
  /** How many dates from `date` on the answer lists. */
  readonly days?: number
  readonly timezone: string
  readonly duration_minutes: number
  readonly slot_duration_minutes: number
  readonly buffer_time_minutes: number
  readonly max_appointment_duration_minutes: number
  readonly availability: readonly Opening[]
  readonly busy: readonly Instants[]
  readonly location_busy: readonly Instants[]
  readonly now: string | null
  readonly minimum_notice_minutes?: number
  readonly booking_window?: BookingWindow
  readonly special_days?: readonly {
    readonly from: string
    readonly until: string
    readonly hours: readonly ClockTimes[]
  }[]
  readonly prepare_minutes?: number
  readonly wrap_up_minutes?: number
  readonly type_availability?: readonly Opening[]
  readonly start_step_minutes?: number | 'own_length'
  readonly packed?: boolean
  readonly limits?: readonly {
    readonly period: LimitPeriod
    readonly unit: (typeof LIMIT_UNITS)[number]
    readonly most: number
    readonly of_type: boolean
  }[]
  readonly booked?: readonly {
    readonly date: string
    readonly of_type: boolean
    readonly appointments: number
    readonly minutes: number
  }[]
  readonly sessions?: readonly {
    readonly starts_at: string
    readonly ends_at: string
    readonly seats_left: number
  }[]
}

/** A case of the conformance pack: a question and all starts of the answer, as UTC instants in order. */
export type SlotCase<Start = string> = {
  readonly name: string
  /** The rules that the case combines, of those that its file lists. */
  readonly rules?: readonly string[]
  readonly input: SlotCaseInput
  readonly expected: readonly Start[]
}

/** Reads the cases of a file of the pack. */
export function readCases<Start = string>(file: string): SlotCase<Start>[] {
  return JSON.parse(readFileSync(join(CASES_FOLDER, file), 'utf8')).cases
}

/** Translates the input of a case for the engine and for the slow search. */
export function toSlotsQuery(input: SlotCaseInput): OpenSlotsQuery {
  const step = input.start_step_minutes
  const openings = input.availability.map(toOpening)
  const specialDays = (input.special_days ?? []).map(({ from, until, hours }) => ({
    firstDay: toDayNumber(from),
    lastDay: toDayNumber(until),
    hours: hours.map(toClockSpan),
  }))
  const { booking_window: window, now, timezone } = input
  return {
    firstDate: input.date,
    dayCount: input.days ?? 1,
    timeZone: input.timezone,
    durationMinutes: input.duration_minutes,
    prepareMinutes: input.prepare_minutes ?? 0,
    wrapUpMinutes: input.wrap_up_minutes ?? 0,
    stepMinutes: step === 'own_length' ? OWN_LENGTH : (step ?? null),
    isPacked: input.packed ?? false,
    rules: {
      // The files contain only 15, 30 and 60.
      slotMinutes: input.slot_duration_minutes as SlotIntervalMinutes,
      bufferMinutes: input.buffer_time_minutes,
      maxDurationMinutes: input.max_appointment_duration_minutes,
      noticeMinutes: input.minimum_notice_minutes ?? 0,
    },
    bookable:
      window === undefined || now === null
        ? ALL_DATES
        : windowBounds(window, { openings, specialDays }, localDateOf(Date.parse(now), timezone)),
    openings,
    typeOpenings: (input.type_availability ?? []).map(toOpening),
    specialDays,
    busy: input.busy.map(toInterval),
    locationBusy: input.location_busy.map(toInterval),
    limits: (input.limits ?? []).map(({ of_type, ...limit }) => ({ limit, is_of_type: of_type })),
    counted: (input.booked ?? []).map(({ date, of_type, appointments, minutes }) => ({
      dayNumber: toDayNumber(date),
      isOfType: of_type,
      appointments,
      minutes,
    })),
    sessions: (input.sessions ?? []).map(({ starts_at, ends_at, seats_left }) => ({
      ...toInterval([starts_at, ends_at]),
      seatsLeft: seats_left,
    })),
    nowMs: input.now === null ? null : Date.parse(input.now),
  }
}

/** Formats an instant as the files do: `2027-01-04T09:00:00Z`. */
export function formatCaseInstant(epochMs: number): string {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toString()
}

function toOpening({ day_of_week, ...times }: Opening) {
  return { dayOfWeek: day_of_week, ...toClockSpan(times) }
}

function toClockSpan({ start_time, end_time }: ClockTimes): ClockSpan {
  return { startSeconds: secondsOf(start_time), endSeconds: secondsOf(end_time) }
}

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return (hours * 60 + minutes) * 60 + seconds
}

function toInterval([startsAt, endsAt]: Instants): Interval {
  return { startMs: Date.parse(startsAt), endMs: Date.parse(endsAt) }
}
