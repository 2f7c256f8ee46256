import { expect, test } from 'vitest'
import { findMiddleBand, LEAD_BAND_STARTS_HOURS, LEAD_BANDS } from './lead-bands.ts'

const counts = (...appointments: number[]) =>
  appointments.map((count, i) => ({ band: LEAD_BANDS[i] ?? 'over_four_weeks', appointments: count }))

test('half of the appointments were booked within the middle band or sooner', () => {
  expect(findMiddleBand(counts(1, 0, 0, 0, 0, 0))).toBe('under_a_day')
  expect(findMiddleBand(counts(2, 2, 1, 5, 0, 0))).toBe('three_to_seven_days')
  expect(findMiddleBand(counts(0, 0, 0, 0, 1, 9))).toBe('over_four_weeks')
})

test('without appointments there is no middle', () => {
  expect(findMiddleBand(counts(0, 0, 0))).toBeNull()
  expect(findMiddleBand([])).toBeNull()
})

test('each band but the first has its beginning, and they go up', () => {
  expect(LEAD_BAND_STARTS_HOURS).toHaveLength(LEAD_BANDS.length - 1)
  expect([...LEAD_BAND_STARTS_HOURS].sort((a, b) => a - b)).toEqual([...LEAD_BAND_STARTS_HOURS])
})
