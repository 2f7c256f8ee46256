import { expect, test } from 'vitest'
import { HOUR_MS } from '#core/shared/duration.ts'
import { openMinutesOf, percentOf, thisAndNextWeek } from './week-fill.ts'

test.each([
  ['2026-11-22T12:00Z', 'Europe/London', '2026-11-16'],
  ['2026-11-23T12:00Z', 'Europe/London', '2026-11-23'],
  // Still Sunday in New York, Monday in Auckland.
  ['2026-11-23T03:00Z', 'America/New_York', '2026-11-16'],
  ['2026-11-22T12:00Z', 'Pacific/Auckland', '2026-11-23'],
])('at %s in %s the two weeks begin on %s', (now, zone, monday) => {
  expect(thisAndNextWeek(Date.parse(now), zone)).toEqual({ firstDate: monday, dayCount: 14 })
})

test('the openings of a day add up in elapsed time', () => {
  const hours = (from: number, to: number) => ({ startMs: from * HOUR_MS, endMs: to * HOUR_MS })
  expect(openMinutesOf([hours(9, 12.5), hours(13.5, 18)])).toBe(480)
  expect(openMinutesOf([])).toBe(0)
})

test('a share is in whole percent, and a little is neither nothing nor everything', () => {
  expect(percentOf(1, 3)).toBe(33)
  expect(percentOf(0, 5)).toBe(0)
  expect(percentOf(5, 5)).toBe(100)
  expect(percentOf(1, 5_000)).toBe(1)
  expect(percentOf(4_999, 5_000)).toBe(99)
  expect(percentOf(0, 0)).toBeNull()
})
