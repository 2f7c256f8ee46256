import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { NO_LIMITS } from '#core/slots/booking-limits.ts'
import { ALL_DATES } from '#core/slots/booking-window.ts'
import { NO_OWNERS_WORK } from '#core/slots/occupied-time.ts'
import { listOpenSlots } from '#core/slots/open-slots.ts'
import { DEFAULT_SLOT_RULES, SLOT_INTERVALS_MINUTES } from '#core/slots/slot-rules.ts'
import * as fc from '#tests/support/fast-check.ts'
import { type DayWithHolds, type HeldTime, hasRoomForHold } from './hold-share.ts'

/** A Monday on which the calendar is open from 09:00 to 17:00 in London: 16 half-hour slots. */
const DATE = '2027-01-04'
const DAY: DayWithHolds = {
  timeZone: 'Europe/London',
  durationMinutes: 30,
  ...NO_OWNERS_WORK,
  ...NO_LIMITS,
  bookable: ALL_DATES,
  rules: { ...DEFAULT_SLOT_RULES, maxDurationMinutes: 480 },
  specialDays: [],
  openings: [1, 2].map((dayOfWeek) => ({ dayOfWeek, startSeconds: 9 * 3600, endSeconds: 17 * 3600 })),
  nowMs: Date.parse('2027-01-01T00:00:00Z'),
  booked: [],
  held: [],
  locationBusy: [],
}

/** A hold, from another network unless `isOwn` is true. */
function at(time: string, minutes = 30, isOwn = false): HeldTime {
  const startMs = Date.parse(`${DATE}T${time}:00Z`)
  return { startMs, endMs: startMs + minutes * MINUTE_MS, isOwn }
}

function hasRoom(day: Partial<DayWithHolds>, time: string, sharePercent = 30): boolean {
  return hasRoomForHold({ ...DAY, ...day }, at(time).startMs, sharePercent)
}

describe('a day of 16 times', () => {
  test('has room for four holds, which are 25 %, and not for a fifth', () => {
    const three = ['09:00', '10:00', '11:00'].map((time) => at(time))
    expect(hasRoom({ held: three }, '12:00')).toBe(true)
    expect(hasRoom({ held: [...three, at('12:00')] }, '13:00')).toBe(false)
  })

  test('has room for two holds of one network, and leaves the other half for others', () => {
    const own = (time: string) => at(time, 30, true)
    expect(hasRoom({ held: [own('09:00')] }, '10:00')).toBe(true)
    expect(hasRoom({ held: [own('09:00'), own('10:00')] }, '11:00')).toBe(false)
    expect(hasRoom({ held: [at('09:00'), own('10:00')] }, '11:00')).toBe(false)
    expect(hasRoom({ held: [at('09:00'), at('10:00')] }, '11:00')).toBe(true)
  })

  test('ignores holds on other days', () => {
    const tuesday = Array.from({ length: 9 }, (_, i) => {
      const { startMs, endMs } = at('09:00')
      const shiftMs = 24 * 60 * MINUTE_MS + i * 30 * MINUTE_MS
      return { startMs: startMs + shiftMs, endMs: endMs + shiftMs, isOwn: false }
    })
    expect(hasRoom({ held: tuesday }, '09:00')).toBe(true)
  })

  test('keeps its last free time, whatever the share', () => {
    const booked = [at('09:00', 360)]
    const held = ['15:00', '15:30', '16:00'].map((time) => at(time))
    expect(hasRoom({ booked, held: held.slice(0, 2) }, '16:00')).toBe(true)
    expect(hasRoom({ booked, held }, '16:30')).toBe(false)
  })

  test('has room for two holds even when they take all of it', () => {
    const booked = [at('09:00', 420)]
    expect(hasRoom({ booked, held: [] }, '16:00')).toBe(true)
    expect(hasRoom({ booked, held: [at('16:00')] }, '16:30')).toBe(true)
  })

  test('has no room for two holds of one network when they take more than half of the share', () => {
    const booked = [at('09:00', 360)]
    expect(hasRoom({ booked, held: [at('15:00', 60, true)] }, '16:00')).toBe(false)
    expect(hasRoom({ booked, held: [at('15:00', 60)] }, '16:00')).toBe(true)
  })

  test('has unlimited room when the share is 100 %', () => {
    const held = Array.from({ length: 15 }, (_, i) => at('09:00', 30 * (i + 1)))
    expect(hasRoom({ held }, '16:30', 100)).toBe(true)
  })
})

test('a hold counts once for every time that it blocks with its buffer', () => {
  const rules = { ...DAY.rules, bufferMinutes: 30 }
  // With the buffer, each hold blocks three of the 16 times. A third hold would block 9 of 16, more than 30 %.
  expect(hasRoom({ rules, held: [at('10:00'), at('12:00')] }, '14:00')).toBe(false)
})

test('70 % of the times of a day stay free, unless there are only two holds (property)', () => {
  const days = fc.record({
    slotMinutes: fc.constantFrom(...SLOT_INTERVALS_MINUTES),
    bufferMinutes: fc.constantFrom(0, 5, 15, 60),
    durationMinutes: fc.constantFrom(15, 30, 60, 90),
    bookedHours: fc.uniqueArray(fc.integer({ min: 9, max: 16 }), { maxLength: 4 }),
    wishes: fc.array(fc.nat(40), { minLength: 1, maxLength: 40 }),
  })
  fc.assert(
    fc.property(days, ({ slotMinutes, bufferMinutes, durationMinutes, bookedHours, wishes }) => {
      const rules = { ...DEFAULT_SLOT_RULES, slotMinutes, bufferMinutes, maxDurationMinutes: 480 }
      const booked = bookedHours.map((hour) => at(`${String(hour).padStart(2, '0')}:00`, 60))
      const listTimes = (busy: readonly Interval[]) => {
        const query = { ...DAY, rules, durationMinutes, firstDate: DATE, dayCount: 1, busy }
        return listOpenSlots(query).flatMap(({ startsMs }) => startsMs)
      }
      const held: HeldTime[] = []
      for (const wish of wishes) {
        const open = listTimes([...booked, ...held])
        const startMs = open[wish % open.length]
        if (startMs === undefined) break
        const day = { ...DAY, rules, durationMinutes, booked, held }
        if (hasRoomForHold(day, startMs, 30))
          held.push({ startMs, endMs: startMs + durationMinutes * MINUTE_MS, isOwn: false })
      }
      const lost = listTimes(booked).length - listTimes([...booked, ...held]).length
      expect(held.length <= 2 || lost <= 0.3 * listTimes([]).length).toBe(true)
    }),
  )
})
