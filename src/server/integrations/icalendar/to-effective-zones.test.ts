import { expect, test } from 'vitest'
import { toEffectiveZones } from './to-effective-zones.ts'

const EIGHT = [
  'Australia/Sydney',
  ...['Asia/Tokyo', 'Asia/Kathmandu', 'Europe/Berlin', 'Europe/London', 'America/New_York'],
  ...['America/Los_Angeles', 'Pacific/Honolulu'],
] as const

test('the zone that a calendar names counts, however many zones its readers have', () => {
  expect(toEffectiveZones('Europe/Paris', [...EIGHT, 'Asia/Dubai'])).toEqual(['Europe/Paris'])
})

test('without one those of its readers count, and more than eight are refused: nothing of it is left out', () => {
  expect(toEffectiveZones(null, EIGHT)).toEqual(EIGHT)
  const inMore = () => toEffectiveZones(null, [...EIGHT, 'Asia/Dubai'])
  expect(inMore).toThrow(expect.objectContaining({ kind: 'refused' }))
})
