import { describe, expect, test } from 'vitest'
import { localDateOf, localTimeOf } from '#core/shared/zoned-time.ts'
import * as fc from '#tests/support/fast-check.ts'
import { pickSpreadStarts } from './spread-times.ts'

const LONDON = 'Europe/London'

describe('suggested times', () => {
  test('are on different days and at different times of day, not neighbours of one morning', () => {
    const week = ['2027-01-04', '2027-01-05', '2027-01-06', '2027-01-07'].flatMap((date) => workingDay(date))
    expect(pick(week, 3)).toEqual(['2027-01-04 09:00', '2027-01-05 12:00', '2027-01-06 09:00'])
  })

  test('include an evening where there is one', () => {
    const days = ['2027-01-04', '2027-01-05', '2027-01-06'].flatMap((date) => workingDay(date, 20))
    expect(pick(days, 3)).toEqual(['2027-01-04 09:00', '2027-01-05 12:00', '2027-01-06 17:00'])
  })

  test('of a single day are far apart', () => {
    expect(pick(workingDay('2027-01-04'), 3)).toEqual([
      '2027-01-04 09:00',
      '2027-01-04 12:30',
      '2027-01-04 16:30',
    ])
    const morning = workingDay('2027-01-04', 12)
    expect(pick(morning, 3)).toEqual(['2027-01-04 09:00', '2027-01-04 10:00', '2027-01-04 11:30'])
  })

  test('follow the order of preference: the nearest first, then the nearest days', () => {
    const wanted = Date.parse('2027-01-05T10:00:00Z')
    const days = ['2027-01-04', '2027-01-05', '2027-01-06'].flatMap((date) => workingDay(date))
    const nearest = days
      .filter((startMs) => startMs !== wanted)
      .toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))
    expect(pick(nearest, 3)).toEqual(['2027-01-04 16:30', '2027-01-05 09:30', '2027-01-06 09:00'])
  })

  test('are days and times of the zone that is given, also over a change of clocks', () => {
    // Sunday, March 28, 2027: clocks in London go from 1:00 to 2:00.
    const starts = ['2027-03-27T23:30:00Z', '2027-03-28T00:30:00Z', '2027-03-28T11:30:00Z'].map(Date.parse)
    expect(pick(starts, 2)).toEqual(['2027-03-27 23:30', '2027-03-28 00:30'])
    const inAuckland = pickSpreadStarts(starts, 2, 'Pacific/Auckland')
    // The first two are on Sunday afternoon there, and the third is after midnight.
    expect(inAuckland.map((startMs) => localDateOf(startMs, 'Pacific/Auckland'))).toEqual([
      '2027-03-28',
      '2027-03-29',
    ])
  })

  test('of no free times are none', () => {
    expect(pickSpreadStarts([], 3, LONDON)).toEqual([])
    expect(pickSpreadStarts([1], 0, LONDON)).toEqual([])
  })
})

const HALF_HOUR_MS = 30 * 60_000
const anyStarts = fc
  .array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 60 })
  .map((steps) => steps.map((step) => Date.parse('2027-03-20T00:00:00Z') + step * HALF_HOUR_MS))

test('whatever is free: as many different free times as wanted, in order, on as many days as possible', () => {
  fc.assert(
    fc.property(anyStarts, fc.integer({ min: 0, max: 6 }), (starts, count) => {
      const picked = pickSpreadStarts(starts, count, LONDON)
      const free = new Set(starts)
      expect(picked).toHaveLength(Math.min(count, free.size))
      expect(picked.every((startMs) => free.has(startMs))).toBe(true)
      expect(picked).toEqual([...new Set(picked)].sort((a, b) => a - b))
      const daysOf = (some: Iterable<number>) =>
        new Set([...some].map((startMs) => localDateOf(startMs, LONDON)))
      expect(daysOf(picked).size).toBe(Math.min(count, daysOf(free).size))
      // The preferred start is always among them.
      if (count > 0 && starts[0] !== undefined) expect(picked).toContain(starts[0])
    }),
  )
})

test('whatever is free: two times of one day only where no other part of that day is free', () => {
  fc.assert(
    fc.property(anyStarts, (starts) => {
      const picked = pickSpreadStarts(starts, 3, LONDON)
      for (const [date, onDay] of Map.groupBy(picked, (startMs) => localDateOf(startMs, LONDON))) {
        const partsFree = new Set(
          starts.filter((startMs) => localDateOf(startMs, LONDON) === date).map((startMs) => partOf(startMs)),
        )
        expect(new Set(onDay.map(partOf)).size).toBe(Math.min(onDay.length, partsFree.size))
      }
    }),
  )
})

function partOf(startMs: number): number {
  const hour = Number(localTimeOf(startMs, LONDON).slice(0, 2))
  return hour < 12 ? 0 : hour < 17 ? 1 : 2
}

/** The half hours of a day from 9:00 until `endHour` in London in winter. */
function workingDay(date: string, endHour = 17): number[] {
  const opens = Date.parse(`${date}T09:00:00Z`)
  return Array.from({ length: (endHour - 9) * 2 }, (_, index) => opens + index * HALF_HOUR_MS)
}

function pick(startsMs: readonly number[], count: number): string[] {
  return pickSpreadStarts(startsMs, count, LONDON).map(
    (startMs) => `${localDateOf(startMs, LONDON)} ${localTimeOf(startMs, LONDON).slice(0, 5)}`,
  )
}
