import { describe, expect, test } from 'vitest'
import { toDayNumber } from '#core/shared/calendar-date.ts'
import { overlaps } from '#core/shared/interval.ts'
import { addDays, localDateOf } from '#core/shared/zoned-time.ts'
import { arbitrarySlotsQuery } from '#tests/support/any-slots-query.ts'
import * as fc from '#tests/support/fast-check.ts'
import { NO_LIMITS } from './booking-limits.ts'
import { ALL_DATES } from './booking-window.ts'
import { decideOwnerStartTime, explainStart, isFinalReason, START_REASONS } from './explain-start.ts'
import { NO_OWNERS_WORK, toOccupiedTime } from './occupied-time.ts'
import { listOpenSlots } from './open-slots.ts'
import { listOpenStarts } from './session-starts.ts'
import { DEFAULT_SLOT_RULES } from './slot-rules.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const RUNS = Number(process.env.SLOT_RUNS ?? 120)
/** A Monday. */
const NOW = Date.parse('2027-01-04T08:00:00Z')

/** Open on Mondays from 09:00 to 12:00 UTC, with slots every half hour and a buffer of 15 minutes. */
const PRACTICE = {
  timeZone: 'UTC',
  durationMinutes: 30,
  ...NO_OWNERS_WORK,
  ...NO_LIMITS,
  bookable: ALL_DATES,
  rules: { ...DEFAULT_SLOT_RULES, bufferMinutes: 15, maxDurationMinutes: 60 },
  openings: [{ dayOfWeek: 1, startSeconds: 9 * 3600, endSeconds: 12 * 3600 }],
  specialDays: [],
  busy: [],
  locationBusy: [],
  nowMs: NOW,
} as const

describe('explainStart', () => {
  test.each([
    ['on the grid', '09:30', 30, []],
    ['between two starts', '09:40', 30, ['off_grid']],
    ['before opening', '08:30', 30, ['outside_hours']],
    ['running past closing', '11:45', 30, ['outside_hours']],
    ['longer than the longest', '09:00', 90, ['too_long']],
    ['all of it at once', '07:10', 90, ['begun', 'outside_hours', 'too_long']],
    ['at this very moment', '08:00', 30, ['begun', 'outside_hours']],
  ])('%s', (_case, time, durationMinutes, reasons) => {
    expect(explainStart({ ...PRACTICE, durationMinutes }, at(time))).toEqual(reasons)
  })

  test('outside the hours of the type, inside and outside those of the calendar (rule T62)', () => {
    const typeOpenings = [{ dayOfWeek: 1, startSeconds: 10 * 3600, endSeconds: 13 * 3600 }]
    const reasonsAt = (time: string) => explainStart({ ...PRACTICE, typeOpenings }, at(time))
    expect(reasonsAt('10:30')).toEqual([])
    expect(reasonsAt('09:30')).toEqual(['outside_type_hours'])
    expect(reasonsAt('12:00')).toEqual(['outside_hours'])
    expect(reasonsAt('08:30')).toEqual(['outside_hours', 'outside_type_hours'])
    expect(reasonsAt('10:10')).toEqual(['off_grid'])
  })

  test('sooner than the minimum notice', () => {
    const rules = { ...PRACTICE.rules, noticeMinutes: 120 }
    const reasonsAt = (time: string) => explainStart({ ...PRACTICE, rules }, at(time))
    expect(reasonsAt('09:30')).toEqual(['short_notice'])
    expect(reasonsAt('10:00')).toEqual([])
    expect(reasonsAt('08:00')).toEqual(['begun', 'outside_hours'])
  })

  test('after the booking window', () => {
    const reasonsAt = (startsAtMs: number, days: number) => {
      const bookable = { from: null, until: addDays('2027-01-04', days) }
      return explainStart({ ...PRACTICE, bookable }, startsAtMs)
    }
    const nextMonday = at('09:30') + 7 * DAY_MS
    expect(reasonsAt(nextMonday, 7)).toEqual([])
    expect(reasonsAt(nextMonday, 6)).toEqual(['window'])
    expect(reasonsAt(nextMonday + 9 * HOUR_MS, 6)).toEqual(['window', 'outside_hours'])
    expect(reasonsAt(at('09:30'), 0)).toEqual([])
  })

  test('while an external calendar cannot be checked', () => {
    const reasonsAt = (time: string) => explainStart({ ...PRACTICE, isUnchecked: true }, at(time))
    expect(reasonsAt('09:30')).toEqual(['unchecked'])
    expect(reasonsAt('09:40')).toEqual(['unchecked', 'off_grid'])
  })

  test('while the calendar is paused', () => {
    expect(explainStart({ ...PRACTICE, isPaused: true }, at('09:30'))).toEqual(['paused'])
    expect(explainStart({ ...PRACTICE, isPaused: true, isUnchecked: true }, at('09:30'))).toEqual([
      'paused',
      'unchecked',
    ])
  })

  test('a special day with other hours', () => {
    const monday = Math.floor(NOW / DAY_MS)
    const specialDays = [
      { firstDay: monday, lastDay: monday, hours: [{ startSeconds: 10 * 3600, endSeconds: 11 * 3600 }] },
    ]
    const reasonsAt = (time: string) => explainStart({ ...PRACTICE, specialDays }, at(time))
    expect(reasonsAt('09:30')).toEqual(['special_day'])
    expect(reasonsAt('10:30')).toEqual([])
  })

  test('a conflicting appointment, with its buffer on both sides', () => {
    const query = { ...PRACTICE, busy: [{ startMs: at('10:00'), endMs: at('10:30') }] }
    expect(
      ['09:15', '09:16', '09:30', '10:00', '10:30', '10:45', '11:00'].map((time) => [
        time,
        ...explainStart(query, at(time)),
      ]),
    ).toEqual([
      ['09:15', 'off_grid'],
      ['09:16', 'buffer', 'off_grid'],
      ['09:30', 'buffer'],
      ['10:00', 'busy'],
      ['10:30', 'buffer'],
      ['10:45', 'off_grid'],
      ['11:00'],
    ])
  })

  test('preparation and wrap-up, which add up with the buffer', () => {
    const busy = [{ startMs: at('10:30'), endMs: at('11:00') }]
    const query = { ...PRACTICE, busy, prepareMinutes: 10, wrapUpMinutes: 20 }
    expect(
      ['09:25', '09:26', '09:40', '09:41', '10:01', '11:09', '11:10', '11:24', '11:25'].map((time) => [
        time,
        explainStart(query, at(time))[0],
      ]),
    ).toEqual([
      ['09:25', 'off_grid'],
      ['09:26', 'buffer'],
      ['09:40', 'buffer'],
      ['09:41', 'preparation'],
      ['10:01', 'busy'],
      ['11:09', 'preparation'],
      ['11:10', 'buffer'],
      ['11:24', 'buffer'],
      ['11:25', 'off_grid'],
    ])
  })

  test('preparation and wrap-up take the location, without the buffer', () => {
    const locationBusy = [{ startMs: at('10:30'), endMs: at('11:00') }]
    const query = { ...PRACTICE, locationBusy, prepareMinutes: 10, wrapUpMinutes: 20 }
    expect(['09:40', '09:41', '11:09', '11:10'].map((time) => explainStart(query, at(time))[0])).toEqual([
      'off_grid',
      'location_taken',
      'location_taken',
      'off_grid',
    ])
  })

  test('preparation and wrap-up may lie outside the opening hours', () => {
    const query = { ...PRACTICE, prepareMinutes: 60, wrapUpMinutes: 60 }
    expect(explainStart(query, at('09:00'))).toEqual([])
    expect(explainStart(query, at('11:30'))).toEqual([])
  })

  test('between two appointments, one of which overlaps the time', () => {
    const busy = [
      { startMs: at('10:00'), endMs: at('10:30') },
      { startMs: at('11:00'), endMs: at('11:30') },
    ]
    expect(explainStart({ ...PRACTICE, busy }, at('10:40'))).toEqual(['busy', 'off_grid'])
  })

  test('a taken location has no buffer', () => {
    const query = { ...PRACTICE, locationBusy: [{ startMs: at('10:00'), endMs: at('10:30') }] }
    expect(
      ['09:30', '09:31', '10:00', '10:30'].map((time) => [time, ...explainStart(query, at(time))]),
    ).toEqual([['09:30'], ['09:31', 'location_taken', 'off_grid'], ['10:00', 'location_taken'], ['10:30']])
  })

  test('a conflict comes before everything that the owner can override', () => {
    const query = { ...PRACTICE, busy: [{ startMs: at('08:00'), endMs: at('10:30') }] }
    expect(explainStart({ ...query, isPaused: true }, at('07:50'))).toEqual([
      'busy',
      'begun',
      'paused',
      'outside_hours',
    ])
  })

  test('a full day speaks against a start, after its conflicts and before the pause', () => {
    const limits = [{ limit: { most: 2, unit: 'appointments', period: 'day' }, is_of_type: false }] as const
    const counted = [{ dayNumber: NOW / DAY_MS - 1 / 3, isOfType: true, appointments: 2, minutes: 60 }]
    const query = { ...PRACTICE, limits, counted }
    expect(explainStart(query, at('09:30'))).toEqual(['limit'])
    expect(explainStart(query, at('09:30') + 7 * DAY_MS)).toEqual([])
    const busy = [{ startMs: at('09:00'), endMs: at('10:00') }]
    expect(explainStart({ ...query, busy, isPaused: true }, at('09:30'))).toEqual(['busy', 'limit', 'paused'])
    expect(decideOwnerStartTime(['limit'], false)).toEqual({ ok: false, reason: 'limit' })
    expect(decideOwnerStartTime(['limit'], true)).toEqual({ ok: true })
  })

  test.each([
    ['24 hours ago', NOW - DAY_MS, 'begun'],
    ['a moment longer ago', NOW - DAY_MS - 1, 'too_long_ago'],
    ['730 days ahead', NOW + 730 * DAY_MS, 'outside_hours'],
    ['a moment further', NOW + 730 * DAY_MS + 1, 'too_far_ahead'],
    ['no time at all', Number.NaN, 'too_long_ago'],
    ['before all dates', -8.64e15, 'too_long_ago'],
    ['after all dates', 8.64e15, 'too_far_ahead'],
    ['never', Infinity, 'too_far_ahead'],
  ])('%s is %s: %s', (_case, startsAtMs, reason) => {
    expect(explainStart(PRACTICE, startsAtMs)[0]).toBe(reason)
  })
})

test('the reasons against a start are in the order of their importance, each once', () => {
  fc.assert(
    fc.property(anyStart(), fc.boolean(), fc.boolean(), ({ query, startsAtMs }, isPaused, isUnchecked) => {
      const reasons = explainStart({ ...query, isPaused, isUnchecked }, startsAtMs)
      expect(START_REASONS.filter((reason) => reasons.includes(reason))).toEqual(reasons)
    }),
    { numRuns: RUNS },
  )
})

test('a session with a free seat takes no further time, whatever else is there, and does not count again', () => {
  const time = { startMs: at('09:30'), endMs: at('09:30') + PRACTICE.durationMinutes * MINUTE_MS }
  const busy = [time, { startMs: at('09:00'), endMs: at('12:00') }]
  const limit = { period: 'day', unit: 'appointments', most: 1 } as const
  const counted = [{ dayNumber: toDayNumber('2027-01-04'), isOfType: true, appointments: 1, minutes: 30 }]
  const query = { ...PRACTICE, busy, limits: [{ limit, is_of_type: true }], counted }
  const reasonsWith = (seatsLeft: number) =>
    explainStart({ ...query, sessions: [{ ...time, seatsLeft }] }, time.startMs)
  expect(reasonsWith(1)).toEqual([])
  expect(reasonsWith(0)).toEqual(['full'])
  expect(explainStart(query, time.startMs)).toEqual(['busy', 'limit'])
  // A session of another length is an appointment like any other.
  const longer = { ...time, endMs: time.endMs + MINUTE_MS, seatsLeft: 1 }
  expect(explainStart({ ...query, sessions: [longer] }, time.startMs)).toEqual(['busy', 'limit'])
})

test('nothing speaks against a start exactly when the list of open slots has it', () => {
  fc.assert(
    fc.property(anyStart(), ({ query, startsAtMs }) => {
      const firstDate = localDateOf(startsAtMs, query.timeZone)
      const [day] = listOpenSlots({ ...query, firstDate, dayCount: 1 })
      expect(explainStart(query, startsAtMs).length === 0).toBe(day?.startsMs.includes(startsAtMs))
    }),
    { numRuns: RUNS },
  )
})

test('a start of a type with seats is offered exactly when nothing speaks against it, and a full session never is', () => {
  fc.assert(
    fc.property(
      anyStart(),
      fc.array(fc.nat(2), { maxLength: 4 }),
      fc.nat(),
      ({ query, startsAtMs }, seats, pick) => {
        const starts = [startsAtMs, ...listOpenSlots(query).flatMap((day) => day.startsMs)]
        const sessions = seats.map((seatsLeft, i) => {
          const startMs = starts[i === 0 ? 0 : (pick + 7 * i) % starts.length] ?? startsAtMs
          return { startMs, endMs: startMs + query.durationMinutes * MINUTE_MS, seatsLeft }
        })
        const busy = [...query.busy, ...sessions.map((session) => toOccupiedTime(session, query))]
        const withSessions = { ...query, busy, sessions: uniqueByStart(sessions) }
        for (const { startMs } of [{ startMs: startsAtMs }, ...sessions]) {
          const firstDate = localDateOf(startMs, query.timeZone)
          const [day] = listOpenStarts({ ...withSessions, firstDate, dayCount: 1 })
          const reasons = explainStart(withSessions, startMs)
          expect(reasons.length === 0).toBe(day?.startsMs.includes(startMs))
          expect(day?.startsMs).toEqual([...new Set(day?.startsMs)].sort((a, b) => a - b))
          const session = withSessions.sessions.find((one) => one.startMs === startMs)
          if (session?.seatsLeft === 0) expect(reasons.some(isFinalReason)).toBe(true)
          if (session !== undefined) expect(reasons).not.toContain('busy')
        }
      },
    ),
    { numRuns: RUNS },
  )
})

function uniqueByStart<One extends { readonly startMs: number }>(sessions: readonly One[]): One[] {
  return [...new Map(sessions.map((session) => [session.startMs, session])).values()]
}

test('a conflict with an appointment is refused with and without the override', () => {
  fc.assert(
    fc.property(anyStart(), ({ query, startsAtMs }) => {
      const reasons = explainStart(query, startsAtMs)
      const plain = decideOwnerStartTime(reasons, false)
      const anyway = decideOwnerStartTime(reasons, true)
      if (plain.ok) expect(anyway).toEqual(plain)
      else if (['busy', 'preparation', 'buffer', 'location_taken'].includes(plain.reason))
        expect(anyway).toEqual(plain)
    }),
    { numRuns: RUNS },
  )
})

test('the override never books into an appointment, its work, its buffer, or a taken location', () => {
  fc.assert(
    fc.property(anyStart(), ({ query, startsAtMs }) => {
      if (!decideOwnerStartTime(explainStart(query, startsAtMs), true).ok) return
      const bufferMs = query.rules.bufferMinutes * MINUTE_MS
      const endMs = startsAtMs + query.durationMinutes * MINUTE_MS
      const time = toOccupiedTime({ startMs: startsAtMs, endMs }, query)
      const taken = [
        ...query.busy
          .filter(({ startMs, endMs }) => startMs < endMs)
          .map(({ startMs, endMs }) => ({ startMs: startMs - bufferMs, endMs: endMs + bufferMs })),
        ...query.locationBusy,
      ]
      expect(taken.some((other) => overlaps(other, time))).toBe(false)
    }),
    { numRuns: RUNS },
  )
})

/** A random calendar and start time: often an offered start or one next to it, otherwise any minute around its dates. */
function anyStart() {
  return fc
    .record({
      query: arbitrarySlotsQuery({ wholeMinutes: true }),
      pick: fc.nat(),
      besideMinutes: fc.constantFrom(0, 0, 0, 1, 15, -30),
      offered: fc.boolean(),
      minutes: fc.integer({ min: -600, max: 6_000 }),
    })
    .map(({ query: { nowMs, ...rest }, pick, besideMinutes, offered, minutes }) => {
      const firstMs = Date.parse(rest.firstDate)
      const query = { ...rest, nowMs: nowMs ?? firstMs - 3 * DAY_MS }
      const startsMs = listOpenSlots(query).flatMap((day) => day.startsMs)
      const startMs = offered ? startsMs[pick % Math.max(1, startsMs.length)] : undefined
      const startsAtMs = (startMs ?? firstMs + minutes * MINUTE_MS) + besideMinutes * MINUTE_MS
      return { query, startsAtMs }
    })
}

/** An instant on that Monday. */
function at(time: string): number {
  return Date.parse(`2027-01-04T${time}:00Z`)
}
