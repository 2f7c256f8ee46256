import { describe, expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { changeRange, copyDay, cutOutBreak, hasOverlap, moveEdge } from './day-hours.ts'
import type { ClockRange } from './overlapping-ranges.ts'

const LUNCH = { start: '12:00', end: '13:00' }

describe('cutting a break out of a day', () => {
  test.each([
    ['splits the range around it', ['09:00-17:00'], ['09:00-12:00', '13:00-17:00']],
    ['splits a range that lasts until midnight', ['00:00-24:00'], ['00:00-12:00', '13:00-24:00']],
    ['shortens a range that begins with it', ['12:00-17:00'], ['13:00-17:00']],
    ['shortens a range that ends with it', ['09:00-13:00'], ['09:00-12:00']],
    [
      'shortens the ranges that reach into it',
      ['09:00-12:30', '12:45-17:00'],
      ['09:00-12:00', '13:00-17:00'],
    ],
    ['removes a range within it', ['09:00-10:00', '12:15-12:45'], ['09:00-10:00']],
    ['removes a range of the same times', ['12:00-13:00'], []],
    ['leaves ranges that only touch it', ['09:00-12:00', '13:00-17:00'], ['09:00-12:00', '13:00-17:00']],
    ['leaves a day without hours then', ['14:00-17:00'], ['14:00-17:00']],
    ['leaves a closed day closed', [], []],
  ])('%s', (_name, day, expected) => {
    expect(cutOutBreak(day.map(toRange), LUNCH)).toEqual(expected.map(toRange))
  })

  test('removes exactly the minutes of the break from every day, and leaves no overlap or empty range', () => {
    fc.assert(
      fc.property(anyDay(), anyRange(), (day, pause) => {
        const rest = cutOutBreak(day, pause)
        const open = listMinutes(day).filter((minute) => !listMinutes([pause]).includes(minute))
        expect(listMinutes(rest)).toEqual(open)
        expect(hasOverlap(rest)).toBe(false)
        expect(rest.every(({ start, end }) => start < end)).toBe(true)
        expect(cutOutBreak(rest, pause)).toEqual(rest)
      }),
    )
  })
})

describe('changing a range', () => {
  const MORNING = { id: 'morning', start: '09:00', end: '12:00' }
  const AFTERNOON = { id: 'afternoon', start: '13:00', end: '17:00' }

  test.each([
    ['08:00', '12:00'],
    ['09:00', '13:00'],
    ['10:00', '10:05'],
  ])('to %s-%s gives it these times', (start, end) => {
    const changed = { id: 'morning', start, end }
    expect(changeRange([MORNING, AFTERNOON], changed)).toEqual({ ok: true, ranges: [changed, AFTERNOON] })
  })

  test('can move it past another one', () => {
    const evening = { id: 'morning', start: '17:00', end: '24:00' }
    expect(changeRange([MORNING, AFTERNOON], evening)).toEqual({ ok: true, ranges: [AFTERNOON, evening] })
  })

  test('is refused when another range of the day overlaps the new times', () => {
    const changed = { ...MORNING, end: '13:01' }
    expect(changeRange([MORNING, AFTERNOON], changed)).toEqual({ ok: false, overlapped: AFTERNOON })
  })

  test('never leaves an overlap, and changes no other range', () => {
    fc.assert(
      fc.property(anyDay(), fc.nat(), anyRange(), (day, pick, times) => {
        const ranges = day.map((range, index) => ({ id: `${index}`, ...range }))
        const id = `${pick % Math.max(1, ranges.length)}`
        const decision = changeRange(ranges, { id, ...times })
        const others = ranges.filter((range) => range.id !== id)
        expect(decision.ok).toBe(!hasOverlap([...others, times]))
        if (!decision.ok) return
        expect(hasOverlap(decision.ranges)).toBe(false)
        expect(decision.ranges.filter((range) => range.id !== id)).toEqual(others)
      }),
    )
  })
})

describe('dragging the end of a range', () => {
  const MORNING = { id: 'morning', start: '09:00', end: '12:00' }
  const AFTERNOON = { id: 'afternoon', start: '13:00', end: '17:00' }

  test.each([
    ['snaps to a quarter of an hour', 'end', 10 * 60 + 8, '09:00-10:15'],
    ['stops at the next range', 'end', 15 * 60, '09:00-13:00'],
    ['stops a quarter of an hour after the start', 'end', 0, '09:00-09:15'],
    ['moves the start to midnight at the earliest', 'start', -90, '00:00-12:00'],
    ['stops a quarter of an hour before the end', 'start', 24 * 60, '11:45-12:00'],
  ] as const)('%s', (_name, edge, minutes, expected) => {
    const { start, end } = moveEdge([MORNING, AFTERNOON], MORNING, { edge, minutes })
    expect(`${start}-${end}`).toBe(expected)
  })

  test('reaches the end of the day', () => {
    const moved = moveEdge([MORNING, AFTERNOON], AFTERNOON, { edge: 'end', minutes: 2_000 })
    expect(moved).toEqual({ ...AFTERNOON, end: '24:00' })
  })

  test('never leaves an overlap or an empty range', () => {
    fc.assert(
      fc.property(
        anyDay().filter((day) => day.length > 0),
        fc.nat(),
        fc.constantFrom('start' as const, 'end' as const),
        fc.integer({ min: -100, max: 1_600 }),
        (day, pick, edge, minutes) => {
          const ranges = day.map((range, index) => ({ id: `${index}`, ...range }))
          const range = ranges[pick % ranges.length]
          if (range === undefined) return
          const moved = moveEdge(ranges, range, { edge, minutes })
          expect(moved.start < moved.end && moved.end <= '24:00').toBe(true)
          expect(changeRange(ranges, moved).ok).toBe(true)
        },
      ),
    )
  })
})

test('copying a day gives the chosen days its hours, each of them once', () => {
  const week = [
    { dayOfWeek: 1, ranges: [LUNCH] },
    { dayOfWeek: 2, ranges: [toRange('09:00-17:00')] },
  ]
  expect(copyDay(week, 1, [2, 0, 2])).toEqual([
    { dayOfWeek: 2, ranges: [LUNCH] },
    { dayOfWeek: 0, ranges: [LUNCH] },
  ])
  expect(copyDay(week, 3, [1])).toEqual([{ dayOfWeek: 1, ranges: [] }])
})

test.each([
  [['09:00-12:00', '12:00-13:00'], false],
  [['12:00-13:00', '09:00-12:01'], true],
  [['09:00-17:00', '10:00-11:00'], true],
  [['09:00-17:00', '09:00-17:00'], true],
  [[], false],
])('the ranges %j overlap: %s', (day, expected) => {
  expect(hasOverlap(day.map(toRange))).toBe(expected)
})

function toRange(text: string): ClockRange {
  const [start = '', end = ''] = text.split('-')
  return { start, end }
}

/** A time of day in steps of ten minutes, up to 24:00. */
function toClock(step: number): string {
  return [Math.floor(step / 6), (step % 6) * 10].map((part) => `${part}`.padStart(2, '0')).join(':')
}

function anyRange(): fc.Arbitrary<ClockRange> {
  return fc
    .uniqueArray(fc.integer({ min: 0, max: 144 }), { minLength: 2, maxLength: 2 })
    .map((steps) => steps.toSorted((a, b) => a - b))
    .map(([start = 0, end = 0]) => ({ start: toClock(start), end: toClock(end) }))
}

/** Up to five sorted ranges. Some touch the next. */
function anyDay(): fc.Arbitrary<ClockRange[]> {
  return fc
    .uniqueArray(fc.integer({ min: 0, max: 144 }), { maxLength: 6 })
    .map((steps) => steps.toSorted((a, b) => a - b))
    .chain((steps) =>
      fc.subarray(
        steps.slice(1).map((end, index) => ({ start: toClock(steps[index] ?? 0), end: toClock(end) })),
      ),
    )
}

/** Lists the steps of ten minutes that lie within the ranges, in their order. */
function listMinutes(ranges: readonly ClockRange[]): number[] {
  return Array.from({ length: 144 }, (_, step) => step).filter((step) =>
    ranges.some(({ start, end }) => start <= toClock(step) && toClock(step) < end),
  )
}
