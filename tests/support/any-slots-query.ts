import type { SpecialDays } from '#core/availability/special-days.ts'
import type { ClockSpan, WeeklyOpening } from '#core/availability/weekly-opening.ts'
import { toDayNumber } from '#core/shared/calendar-date.ts'
import type { Interval } from '#core/shared/interval.ts'
import { addDays, localDateOf, toEpochMs } from '#core/shared/zoned-time.ts'
import {
  type ApplyingLimit,
  type CountedDay,
  LIMIT_PERIODS,
  LIMIT_UNITS,
} from '#core/slots/booking-limits.ts'
import { type BookingWindow, NO_WINDOW, windowBounds } from '#core/slots/booking-window.ts'
import { OWNERS_WORK_LIMITS } from '#core/slots/occupied-time.ts'
import type { OpenSlotsQuery } from '#core/slots/open-slots.ts'
import { SLOT_INTERVALS_MINUTES, type SlotRules } from '#core/slots/slot-rules.ts'
import * as fc from '#tests/support/fast-check.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS

/** Time zones with unusual clock changes, each with dates on which the change happens. Random dates are drawn as well. */
const ZONES: readonly (readonly [string, ...string[]])[] = [
  ['UTC', '2027-01-04'],
  ['Europe/London', '2027-03-28', '2027-10-31', '1971-10-31'],
  ['America/New_York', '2027-03-14', '2027-11-07'],
  ['Asia/Kathmandu', '1986-01-01', '2027-01-04'],
  ['America/St_Johns', '2010-03-14', '2010-11-06', '2010-11-07', '2027-11-07'],
  ['America/Goose_Bay', '2008-11-02', '2008-11-01'],
  ['Australia/Lord_Howe', '2027-04-04', '2027-10-03'],
  ['Africa/Cairo', '2027-04-30', '2027-10-29', '2027-10-28'],
  ['Africa/Casablanca', '2027-02-07', '2027-03-14'],
  ['Pacific/Apia', '2011-12-29', '2011-12-30', '2011-12-31'],
  ['Pacific/Kwajalein', '1993-08-20', '1993-08-21', '1993-08-22'],
  ['America/Santiago', '2027-04-03', '2027-04-04', '2027-09-05'],
  ['America/Sao_Paulo', '2018-02-17', '2018-02-18', '2018-11-04'],
  ['America/Scoresbysund', '2027-03-27', '2027-03-28', '2027-10-30', '2027-10-31'],
  ['Atlantic/Azores', '2027-03-28', '2027-10-31'],
  ['Antarctica/Troll', '2027-03-28', '2027-10-31'],
  ['Asia/Tehran', '2022-03-22', '2022-09-21', '2022-09-22'],
  ['America/Havana', '2027-03-14', '2027-11-07'],
]

type Precision = { readonly wholeMinutes: boolean }

/** Any query to the slot engine. Many of its times lie close to a clock change. */
export function arbitrarySlotsQuery({ wholeMinutes }: Precision): fc.Arbitrary<OpenSlotsQuery> {
  const busy = fc.array(arbitraryBusyTime(wholeMinutes), { maxLength: 8 })
  return fc
    .record({
      place: anyPlace(),
      dayCount: fc.integer({ min: 1, max: 4 }),
      durationMinutes: fc.oneof(fc.constantFrom(15, 30, 45, 60, 90), fc.integer({ min: 5, max: 480 })),
      prepareMinutes: anyWorkMinutes(),
      wrapUpMinutes: anyWorkMinutes(),
      rules: anySlotRules(),
      drawnWindow: anyWindow(),
      openings: anyWeek(),
      typeOpenings: fc.oneof(fc.constant([]), anyWeek()),
      stepMinutes: fc.constantFrom(null, null, 0, 5, 20, 25, 240),
      isPacked: fc.boolean(),
      special: fc.array(anySpecialDays(), { maxLength: 3 }),
      busy,
      locationBusy: busy,
      limits: fc.oneof(fc.constant([]), fc.array(anyLimit(), { maxLength: 4 })),
      counted: fc.array(anyCountedDay(), { maxLength: 12 }),
      now: fc.option(fc.integer({ min: -600, max: 2_000 }), { freq: 2 }),
      farNow: fc.boolean(),
    })
    .map(({ place: [timeZone, firstDate], now, farNow, special, drawnWindow, ...rest }) => {
      const zoned = { firstDate, timeZone }
      const nowMs = now === null ? null : toBusyInterval([now * MINUTE_MS, 0], zoned).startMs
      const specialDays = layOut(special, toDayNumber(firstDate))
      const window = drawnWindow(firstDate)
      const queryNowMs = nowMs !== null && farNow ? nowMs - 730 * DAY_MS : nowMs
      const today = queryNowMs === null ? firstDate : localDateOf(queryNowMs, timeZone)
      return {
        ...rest,
        ...zoned,
        specialDays,
        bookable: windowBounds(window, { openings: rest.openings, specialDays }, today),
        busy: rest.busy.map((time) => toBusyInterval(time, zoned)),
        locationBusy: rest.locationBusy.map((time) => toBusyInterval(time, zoned)),
        counted: rest.counted.map((day) => ({ ...day, dayNumber: toDayNumber(firstDate) + day.dayNumber })),
        nowMs: queryNowMs,
      }
    })
}

function anyLimit(): fc.Arbitrary<ApplyingLimit> {
  const limit = fc.record({
    period: fc.constantFrom(...LIMIT_PERIODS),
    unit: fc.constantFrom(...LIMIT_UNITS),
    most: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 600 })),
  })
  return fc.record({ limit, is_of_type: fc.boolean() })
}

/** What has been booked on a day, which is given as the days since the first date. */
function anyCountedDay(): fc.Arbitrary<CountedDay> {
  return fc.record({
    dayNumber: fc.integer({ min: -35, max: 40 }),
    isOfType: fc.boolean(),
    appointments: fc.integer({ min: 1, max: 3 }),
    minutes: fc.integer({ min: 5, max: 200 }),
  })
}

/** Minutes of preparation or wrap-up, often none. */
export function anyWorkMinutes(): fc.Arbitrary<number> {
  return fc.constantFrom(0, 0, 0, 5, 15, 60, OWNERS_WORK_LIMITS.minutes)
}

/** A booking window, given the first date of the range: often none, otherwise it begins or ends around that date. */
function anyWindow(): fc.Arbitrary<(firstDate: string) => BookingWindow> {
  const offset = fc.integer({ min: -3, max: 6 })
  const of = (make: (firstDate: string) => BookingWindow) => make
  return fc.oneof(
    fc.constant(of(() => NO_WINDOW)),
    fc
      .record({
        kind: fc.constantFrom('days' as const, 'open_days' as const),
        days: fc.constantFrom(0, 1, 2, 3, 7, 730),
      })
      .map((window) => of(() => window)),
    offset.map((days) => of((firstDate) => ({ kind: 'until', until: addDays(firstDate, days) }))),
    fc.tuple(offset, fc.nat({ max: 4 })).map(([days, more]) =>
      of((firstDate) => ({
        kind: 'between',
        from: addDays(firstDate, days),
        until: addDays(firstDate, days + more),
      })),
    ),
  )
}

function anySlotRules(): fc.Arbitrary<Omit<SlotRules, 'window'>> {
  return fc.record({
    slotMinutes: fc.constantFrom(...SLOT_INTERVALS_MINUTES),
    bufferMinutes: fc.constantFrom(0, 0, 5, 15, 45, 60),
    maxDurationMinutes: fc.constantFrom(480, 480, 480, 120),
    noticeMinutes: fc.constantFrom(0, 0, 1, 90, 1_440),
  })
}

/** A time zone and the first date of a range in that zone, often on the day of a clock change or just before it. */
function anyPlace(): fc.Arbitrary<[string, string]> {
  const anyDate = fc.integer({ min: 0, max: 365 * 70 }).map((days) => addDays('1975-01-01', days))
  return fc.constantFrom(...ZONES).chain(([timeZone, ...oddDates]) => {
    const nearOdd = fc.tuple(fc.constantFrom(...oddDates), fc.integer({ min: -2, max: 1 }))
    const oddDate = nearOdd.map(([date, days]) => addDays(date, days))
    return fc.tuple(
      fc.constant(timeZone),
      fc.oneof({ weight: 4, arbitrary: oddDate }, { weight: 1, arbitrary: anyDate }),
    )
  })
}

/**
 * A week of opening hours that never overlap but often touch, also at midnight. Many lie in the small hours, when clocks change.
 */
function anyWeek(): fc.Arbitrary<WeeklyOpening[]> {
  return fc
    .array(anyDay(), { minLength: 7, maxLength: 7 })
    .map((days) => days.flatMap((spans, dayOfWeek) => spans.map((span) => ({ dayOfWeek, ...span }))))
}

function anyDay(): fc.Arbitrary<ClockSpan[]> {
  const anyTime = fc.oneof(
    fc.constantFrom(0, 0, 60, 120, 1_380, 1_440, 1_440),
    fc.integer({ min: 0, max: 36 }).map((fives) => fives * 5),
    fc.integer({ min: 0, max: 1_440 }),
  )
  return fc
    .tuple(fc.uniqueArray(anyTime, { minLength: 2, maxLength: 5 }), fc.integer({ min: 0, max: 15 }))
    .map(([times, kept]) => {
      const cuts = times.sort((a, b) => a - b).map((minutes) => minutes * 60)
      const spans = cuts.slice(1).map((endSeconds, i) => ({ startSeconds: cuts[i] ?? 0, endSeconds }))
      return spans.filter((_, i) => (kept >> i) % 2 === 1)
    })
}

/** `gap`: days since the previous period. `length`: days in this period. A period without `hours` is closed. */
type SpecialStretch = { readonly gap: number; readonly length: number; readonly hours: readonly ClockSpan[] }

function anySpecialDays(): fc.Arbitrary<SpecialStretch> {
  return fc.record({
    gap: fc.integer({ min: 0, max: 3 }),
    length: fc.integer({ min: 1, max: 3 }),
    hours: fc.oneof(fc.constant([]), anyDay()),
  })
}

/** Places the periods one after another, starting three days before the first date. No two periods share a date. */
function layOut(stretches: readonly SpecialStretch[], firstDay: number): SpecialDays[] {
  let day = firstDay - 3
  return stretches.map(({ gap, length, hours }) => {
    const start = day + gap
    day = start + length
    return { firstDay: start, lastDay: day - 1, hours }
  })
}

/** The start of a busy time in milliseconds after midnight of the first date, and its duration. */
export type BusyTime = readonly [number, number]

export function arbitraryBusyTime(wholeMinutes: boolean): fc.Arbitrary<BusyTime> {
  const unit = wholeMinutes ? MINUTE_MS : 1
  const length = fc.oneof(fc.constantFrom(0, 30, 60), fc.integer({ min: 0, max: 90 }), fc.constant(2_000))
  return fc.tuple(
    fc
      .integer({ min: (-1_000 * MINUTE_MS) / unit, max: (6_000 * MINUTE_MS) / unit })
      .map((units) => units * unit),
    length.map((minutes) => minutes * MINUTE_MS),
  )
}

export function toBusyInterval(
  [afterMs, lengthMs]: BusyTime,
  { firstDate, timeZone }: Pick<OpenSlotsQuery, 'firstDate' | 'timeZone'>,
): Interval {
  const startMs = toEpochMs(firstDate, 0, timeZone) + afterMs
  return { startMs, endMs: startMs + lengthMs }
}
