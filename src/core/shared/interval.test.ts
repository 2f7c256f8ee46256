import { expect, test } from 'vitest'
import { overlaps, removeInterval, subtractIntervals } from './interval.ts'

test.each([
  [span(0, 10), span(5, 15), true],
  [span(0, 10), span(2, 3), true],
  [span(0, 10), span(10, 20), false],
  [span(0, 10), span(20, 30), false],
  [span(0, 10), span(5, 5), false],
  [span(5, 5), span(5, 5), false],
])('%o and %o overlap: %s', (a, b, expected) => {
  expect(overlaps(a, b)).toBe(expected)
  expect(overlaps(b, a)).toBe(expected)
})

test('one of two equal intervals is removed, and none when no interval is equal', () => {
  const stretches = [span(0, 10), span(20, 30), span(20, 30)]
  expect(removeInterval(stretches, span(20, 30))).toEqual([span(0, 10), span(20, 30)])
  expect(removeInterval(stretches, span(20, 31))).toEqual(stretches)
})

test.each([
  [span(0, 10), [], [span(0, 10)]],
  [span(0, 10), [span(3, 5)], [span(0, 3), span(5, 10)]],
  [span(0, 10), [span(8, 20), span(-5, 2), span(4, 4)], [span(2, 8)]],
  [span(0, 10), [span(0, 6), span(5, 10)], []],
  [span(0, 10), [span(10, 20)], [span(0, 10)]],
  [span(5, 5), [], []],
])('what is left of %o without %o', (whole, others, expected) => {
  expect(subtractIntervals(whole, others)).toEqual(expected)
})

function span(startMs: number, endMs: number) {
  return { startMs, endMs }
}
