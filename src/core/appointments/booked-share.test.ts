import { expect, test } from 'vitest'
import { HOUR_MS } from '#core/shared/duration.ts'
import { countOpenMinutes, getThisAndNextWeek, toPercent } from './booked-share.ts'

test.each([
  ['2026-11-22T12:00Z', 'Europe/London', '2026-11-16'],
  ['2026-11-23T12:00Z', 'Europe/London', '2026-11-23'],
  // At these instants it is still Sunday in New York, and already Monday in Auckland.
  ['2026-11-23T03:00Z', 'America/New_York', '2026-11-16'],
  ['2026-11-22T12:00Z', 'Pacific/Auckland', '2026-11-23'],
])('at %s in %s the two weeks begin on %s', (now, zone, monday) => {
  expect(getThisAndNextWeek(Date.parse(now), zone)).toEqual({ firstDate: monday, dayCount: 14 })
})

test('the openings of a day are summed in elapsed time', () => {
  const hours = (from: number, to: number) => ({ startMs: from * HOUR_MS, endMs: to * HOUR_MS })
  expect(countOpenMinutes([hours(9, 12.5), hours(13.5, 18)])).toBe(480)
  expect(countOpenMinutes([])).toBe(0)
})

test('a share is a whole percentage, and a partial share is neither 0 nor 100', () => {
  expect(toPercent(1, 3)).toBe(33)
  expect(toPercent(0, 5)).toBe(0)
  expect(toPercent(5, 5)).toBe(100)
  expect(toPercent(1, 5_000)).toBe(1)
  expect(toPercent(4_999, 5_000)).toBe(99)
  expect(toPercent(0, 0)).toBeNull()
})
