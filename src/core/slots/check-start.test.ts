import { describe, expect, test } from 'vitest'
import { overlaps } from '#core/shared/interval.ts'
import { arbitrarySlotsQuery } from '#tests/support/any-slots-query.ts'
import * as fc from '#tests/support/fast-check.ts'
import { checkStartTime, decideOwnerStartTime } from './check-start.ts'
import { isOpenSlot, listOpenSlots } from './open-slots.ts'
import { DEFAULT_SLOT_RULES } from './slot-rules.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
const RUNS = Number(process.env.SLOT_RUNS ?? 120)
/** A Monday. */
const NOW = Date.parse('2027-01-04T08:00:00Z')

/** Open on Mondays from 09:00 to 12:00 UTC, with slots every half hour and a buffer of 15 minutes. */
const PRACTICE = {
  timeZone: 'UTC',
  durationMinutes: 30,
  rules: { ...DEFAULT_SLOT_RULES, bufferMinutes: 15, maxDurationMinutes: 60 },
  openings: [{ dayOfWeek: 1, startSeconds: 9 * 3600, endSeconds: 12 * 3600 }],
  specialDays: [],
  busy: [],
  locationBusy: [],
  nowMs: NOW,
} as const

describe('checkStart', () => {
  test.each([
    ['on the grid', '09:30', 30, []],
    ['between two starts', '09:40', 30, ['off_grid']],
    ['before opening', '08:30', 30, ['outside_hours']],
    ['running past closing', '11:45', 30, ['outside_hours']],
    ['longer than the longest', '09:00', 90, ['too_long']],
    ['all of it at once', '07:10', 90, ['begun', 'outside_hours', 'too_long']],
    ['at this very moment', '08:00', 30, ['begun', 'outside_hours']],
  ])('%s', (_case, time, durationMinutes, concerns) => {
    expect(checkStartTime({ ...PRACTICE, durationMinutes }, at(time))).toEqual({ kind: 'free', concerns })
  })

  test('sooner than the minimum notice', () => {
    const rules = { ...PRACTICE.rules, noticeMinutes: 120 }
    const concernsAt = (time: string) => checkStartTime({ ...PRACTICE, rules }, at(time))
    expect(concernsAt('09:30')).toEqual({ kind: 'free', concerns: ['short_notice'] })
    expect(concernsAt('10:00')).toEqual({ kind: 'free', concerns: [] })
    expect(concernsAt('08:00')).toEqual({ kind: 'free', concerns: ['begun', 'outside_hours'] })
  })

  test('while an external calendar cannot be checked', () => {
    const concernsAt = (time: string) => checkStartTime({ ...PRACTICE, isUnchecked: true }, at(time))
    expect(concernsAt('09:30')).toEqual({ kind: 'free', concerns: ['unchecked'] })
    expect(concernsAt('09:40')).toEqual({ kind: 'free', concerns: ['unchecked', 'off_grid'] })
  })

  test('a conflicting appointment comes before every warning, with its buffer on both sides', () => {
    const query = { ...PRACTICE, busy: [{ startMs: at('10:00'), endMs: at('10:30') }] }
    expect(kindsAt(query, ['09:15', '09:16', '10:15', '10:44', '10:45'])).toEqual([
      'free',
      'busy',
      'busy',
      'busy',
      'free',
    ])
  })

  test('a conflict with the buffer only is reported as such', () => {
    const query = { ...PRACTICE, busy: [{ startMs: at('10:00'), endMs: at('10:30') }] }
    expect(checkStartTime(query, at('10:35'))).toEqual({ kind: 'busy', isBufferOnly: true })
    expect(checkStartTime(query, at('10:15'))).toEqual({ kind: 'busy', isBufferOnly: false })
    const between = [...query.busy, { startMs: at('11:00'), endMs: at('11:30') }]
    expect(checkStartTime({ ...query, busy: between }, at('10:40'))).toEqual({
      kind: 'busy',
      isBufferOnly: false,
    })
  })

  test('a taken location has no buffer', () => {
    const query = { ...PRACTICE, locationBusy: [{ startMs: at('10:00'), endMs: at('10:30') }] }
    expect(kindsAt(query, ['09:30', '09:31', '10:29', '10:30'])).toEqual([
      'free',
      'location_taken',
      'location_taken',
      'free',
    ])
  })

  test.each([
    ['24 hours ago', NOW - DAY_MS, 'free'],
    ['a moment longer ago', NOW - DAY_MS - 1, 'too_long_ago'],
    ['730 days ahead', NOW + 730 * DAY_MS, 'free'],
    ['a moment further', NOW + 730 * DAY_MS + 1, 'too_far_ahead'],
    ['no time at all', Number.NaN, 'too_long_ago'],
  ])('%s is %s: %s', (_case, startsAtMs, kind) => {
    expect(checkStartTime(PRACTICE, startsAtMs).kind).toBe(kind)
  })
})

test('a start has no warnings exactly when customers are offered it', () => {
  fc.assert(
    fc.property(anyStart(), ({ query, startsAtMs }) => {
      const verdict = checkStartTime(query, startsAtMs)
      expect(verdict.kind === 'free' && verdict.concerns.length === 0).toBe(isOpenSlot(query, startsAtMs))
    }),
    { numRuns: RUNS },
  )
})

test('a conflict with an appointment is refused with and without the override', () => {
  fc.assert(
    fc.property(anyStart(), ({ query, startsAtMs }) => {
      const verdict = checkStartTime(query, startsAtMs)
      const plain = decideOwnerStartTime(verdict, false)
      const anyway = decideOwnerStartTime(verdict, true)
      if (plain.ok) expect(anyway).toEqual(plain)
      else if (plain.reason === 'busy' || plain.reason === 'location_taken') expect(anyway).toEqual(plain)
    }),
    { numRuns: RUNS },
  )
})

test('the override never books into an appointment, its buffer, or a taken location', () => {
  fc.assert(
    fc.property(anyStart(), ({ query, startsAtMs }) => {
      if (!decideOwnerStartTime(checkStartTime(query, startsAtMs), true).ok) return
      const bufferMs = query.rules.bufferMinutes * MINUTE_MS
      const time = { startMs: startsAtMs, endMs: startsAtMs + query.durationMinutes * MINUTE_MS }
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

function kindsAt(query: Parameters<typeof checkStartTime>[0], times: readonly string[]): string[] {
  return times.map((time) => checkStartTime(query, at(time)).kind)
}

/** An instant on that Monday. */
function at(time: string): number {
  return Date.parse(`2027-01-04T${time}:00Z`)
}
