import { expect, test } from 'vitest'
import type { OpeningHours } from '#core/availability/opening-times.ts'
import type { ClockSpan } from '#core/availability/weekly-opening.ts'
import { type Interval, overlaps } from '#core/shared/interval.ts'
import { addDays, toEpochMs } from '#core/shared/zoned-time.ts'
import { arbitraryBusyTime, arbitrarySlotsQuery, toBusyInterval } from '#tests/support/any-slots-query.ts'
import * as fc from '#tests/support/fast-check.ts'
import { findSlotsSlowly } from '#tests/support/slow-slots.ts'
import { toOccupiedTime } from './occupied-time.ts'
import { getBusyTimeWindow, listOpenSlots, type OpenSlotsQuery } from './open-slots.ts'

const MINUTE_MS = 60_000

/** `SLOT_RUNS=20000` runs more cases than a normal test run has time for. */
const RUNS = Number(process.env.SLOT_RUNS ?? 150)

test('the engine finds the same slots as a minute-by-minute search', () => {
  fc.assert(
    fc.property(arbitrarySlotsQuery({ wholeMinutes: true }), (query) => {
      for (const day of listOpenSlots(query)) expect(day.startsMs).toEqual(findSlotsSlowly(day.date, query))
    }),
    { numRuns: RUNS },
  )
})

test('no slot, with its preparation and wrap-up, overlaps a busy time or its buffer', () => {
  fc.assert(
    fc.property(arbitrarySlotsQuery({ wholeMinutes: false }), (query) => {
      const forbidden = [
        ...query.busy.filter(isNotEmpty).map((time) => widen(time, query.rules.bufferMinutes)),
        ...query.locationBusy,
      ]
      for (const slot of slotsOf(query)) {
        const occupied = toOccupiedTime(slot, query)
        expect(forbidden.some((time) => overlaps(occupied, time))).toBe(false)
      }
    }),
    { numRuns: RUNS },
  )
})

test('busy times remove exactly the slots that they overlap', () => {
  fc.assert(
    fc.property(
      // Packed starts depend on busy times.
      arbitrarySlotsQuery({ wholeMinutes: false }).map((query) => ({ ...query, isPacked: false })),
      fc.array(arbitraryBusyTime(false), { maxLength: 300 }),
      (query, many) => {
        const busy = many.map((time) => toBusyInterval(time, query))
        const widened = busy.filter(isNotEmpty).map((time) => widen(time, query.rules.bufferMinutes))
        const free = slotsOf({ ...query, busy: [], locationBusy: [] })
        expect(slotsOf({ ...query, busy, locationBusy: [] })).toEqual(
          free.filter((slot) => !widened.some((time) => overlaps(toOccupiedTime(slot, query), time))),
        )
      },
    ),
    { numRuns: RUNS },
  )
})

test('every slot lies within open time and has the requested duration', () => {
  fc.assert(
    fc.property(arbitrarySlotsQuery({ wholeMinutes: true }), (query) => {
      const openings = openingsAround(query)
      for (const slot of slotsOf(query)) {
        expect(slot.endMs - slot.startMs).toBe(query.durationMinutes * MINUTE_MS)
        expect(isCovered(slot, openings)).toBe(true)
      }
    }),
    { numRuns: RUNS },
  )
})

test('the slots of a range are those of its days', () => {
  fc.assert(
    fc.property(arbitrarySlotsQuery({ wholeMinutes: true }), (query) => {
      const days = Array.from({ length: query.dayCount }, (_, i) => addDays(query.firstDate, i))
      expect(listOpenSlots(query)).toEqual(
        days.flatMap((firstDate) => listOpenSlots({ ...query, firstDate, dayCount: 1 })),
      )
    }),
    { numRuns: RUNS },
  )
})

test('busy times outside the busy window have no effect', () => {
  fc.assert(
    fc.property(arbitrarySlotsQuery({ wholeMinutes: false }), (query) => {
      const during = getBusyTimeWindow(query)
      const inside = (time: Interval) => overlaps(time, during)
      expect(
        listOpenSlots({
          ...query,
          busy: query.busy.filter(inside),
          locationBusy: query.locationBusy.filter(inside),
        }),
      ).toEqual(listOpenSlots(query))
    }),
    { numRuns: RUNS },
  )
})

function slotsOf(query: OpenSlotsQuery): Interval[] {
  return listOpenSlots(query).flatMap((day) =>
    day.startsMs.map((startMs) => ({ startMs, endMs: startMs + query.durationMinutes * MINUTE_MS })),
  )
}

function widen(time: Interval, minutes: number): Interval {
  return { startMs: time.startMs - minutes * MINUTE_MS, endMs: time.endMs + minutes * MINUTE_MS }
}

function isNotEmpty(time: Interval): boolean {
  return time.startMs < time.endMs
}

function openingsAround({ firstDate, dayCount, timeZone, ...hours }: OpenSlotsQuery): Interval[] {
  return Array.from({ length: dayCount + 5 }, (_, i) => addDays(firstDate, i - 2)).flatMap((date) =>
    hoursOn(date, hours).map(({ startSeconds, endSeconds }) => ({
      startMs: toEpochMs(date, startSeconds, timeZone),
      endMs: toEpochMs(date, endSeconds, timeZone),
    })),
  )
}

function hoursOn(date: string, { openings, specialDays }: OpeningHours): readonly ClockSpan[] {
  const day = Date.parse(date) / 86_400_000
  const special = specialDays.find(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay)
  return special?.hours ?? openings.filter(({ dayOfWeek }) => dayOfWeek === new Date(date).getUTCDay())
}

/** True when openings cover the whole slot: steps from opening to opening, from the slot's start to its end. */
function isCovered(slot: Interval, openings: readonly Interval[]): boolean {
  let coveredMs = slot.startMs
  while (coveredMs < slot.endMs) {
    const next = openings.find((opening) => opening.startMs <= coveredMs && coveredMs < opening.endMs)
    if (next === undefined) return false
    coveredMs = next.endMs
  }
  return true
}
