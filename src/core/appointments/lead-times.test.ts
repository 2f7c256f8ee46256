import { expect, test } from 'vitest'
import { findMedianBand, LEAD_TIME_BAND_STARTS_HOURS, LEAD_TIME_BANDS } from './lead-times.ts'

const counts = (...appointments: number[]) =>
  appointments.map((count, i) => ({ band: LEAD_TIME_BANDS[i] ?? 'over_four_weeks', appointments: count }))

test('the median band contains the median appointment', () => {
  expect(findMedianBand(counts(1, 0, 0, 0, 0, 0))).toBe('under_a_day')
  expect(findMedianBand(counts(2, 2, 1, 5, 0, 0))).toBe('three_to_seven_days')
  expect(findMedianBand(counts(0, 0, 0, 0, 1, 9))).toBe('over_four_weeks')
})

test('there is no median without appointments', () => {
  expect(findMedianBand(counts(0, 0, 0))).toBeNull()
  expect(findMedianBand([])).toBeNull()
})

test('each band except the first has a start, in ascending order', () => {
  expect(LEAD_TIME_BAND_STARTS_HOURS).toHaveLength(LEAD_TIME_BANDS.length - 1)
  expect([...LEAD_TIME_BAND_STARTS_HOURS].sort((a, b) => a - b)).toEqual([...LEAD_TIME_BAND_STARTS_HOURS])
})
