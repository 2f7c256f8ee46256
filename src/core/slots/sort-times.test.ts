import { expect, test } from 'vitest'
import { measureCpuTimeUs } from '#tests/support/cpu-cost.ts'
import * as fc from '#tests/support/fast-check.ts'
import { isSorted, sortStartsAndEnds } from './sort-times.ts'

const RANGE_MS = 31 * 24 * 60 * 60_000

test('sorts starts and ends independently', () => {
  fc.assert(
    fc.property(anyTimes(), (pairs) => {
      const { startsMs, endsMs } = sortStartsAndEnds(toLists(pairs), 0, RANGE_MS)
      expect(startsMs.slice(0, pairs.length)).toEqual(sorted(pairs.map(([start]) => start)))
      expect(endsMs.slice(0, pairs.length)).toEqual(sorted(pairs.map(([, end]) => end)))
    }),
  )
})

test('stays fast when all times are clustered in a long range', async () => {
  const count = 100_000
  const pairs = Array.from({ length: count }, (_, i): [number, number] => [count - i, count - i + 5])
  const costUs = await measureCpuTimeUs(() => {
    expect(isSorted(sortStartsAndEnds(toLists(pairs), 0, RANGE_MS))).toBe(true)
  })
  // Maximum CPU time, in microseconds. Insertion sort alone would move five billion numbers.
  expect(costUs).toBeLessThan(2_000_000)
})

test('detects disorder in either list', () => {
  expect(isSorted({ startsMs: [1, 2, 2], endsMs: [3, 3, 4], count: 3 })).toBe(true)
  expect(isSorted({ startsMs: [2, 1], endsMs: [3, 4], count: 2 })).toBe(false)
  expect(isSorted({ startsMs: [1, 2], endsMs: [4, 3], count: 2 })).toBe(false)
  expect(isSorted({ startsMs: [2, 1], endsMs: [4, 3], count: 1 })).toBe(true)
})

/** Random times, spread over the range or clustered in its first second. */
function anyTimes(): fc.Arbitrary<[number, number][]> {
  const anyPair = (untilMs: number) =>
    fc
      .tuple(fc.integer({ min: 0, max: untilMs - 1 }), fc.integer({ min: 1, max: untilMs }))
      .map(([startMs, lengthMs]): [number, number] => [startMs, startMs + lengthMs])
  return fc.constantFrom(RANGE_MS, 1_000).chain((untilMs) => fc.array(anyPair(untilMs), { maxLength: 400 }))
}

function toLists(pairs: readonly [number, number][]) {
  return { startsMs: pairs.map(([start]) => start), endsMs: pairs.map(([, end]) => end), count: pairs.length }
}

function sorted(times: readonly number[]): number[] {
  return times.toSorted((a, b) => a - b)
}
