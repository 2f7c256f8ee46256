import { describe, expect, test } from 'vitest'
import { addMonths, clampDate, dayAfterKey, lastDateOf } from './month-grid.ts'

test('months are added across the year, in both directions', () => {
  expect(addMonths('2026-12', 1)).toBe('2027-01')
  expect(addMonths('2027-01', -1)).toBe('2026-12')
  expect(addMonths('2026-11', -12)).toBe('2025-11')
  expect(lastDateOf('2026-12')).toBe('2026-12-31')
})

describe('dayAfterKey', () => {
  test.each([
    ['ArrowLeft', false, '2026-11-30'],
    ['ArrowRight', false, '2026-12-02'],
    ['ArrowUp', false, '2026-11-24'],
    ['ArrowDown', false, '2026-12-08'],
    ['Home', false, '2026-11-29'],
    ['End', false, '2026-12-05'],
    ['PageUp', false, '2026-11-01'],
    ['PageDown', false, '2027-01-01'],
    ['PageUp', true, '2025-12-01'],
    ['PageDown', true, '2027-12-01'],
  ])('%s (shift: %s) goes from 1 December 2026 to %s', (key, shiftKey, expected) => {
    expect(dayAfterKey('2026-12-01', key, shiftKey, 0)).toBe(expected)
  })

  test('a month without that day gives its last one', () => {
    expect(dayAfterKey('2027-01-31', 'PageDown', false, 0)).toBe('2027-02-28')
  })

  test('any other key does not move', () => {
    expect(dayAfterKey('2026-12-01', 'a', false, 0)).toBeNull()
  })
})

test('a day outside the range becomes the nearest one inside', () => {
  expect(clampDate('2026-11-01', '2026-11-20', '2028-11-19')).toBe('2026-11-20')
  expect(clampDate('2029-01-01', '2026-11-20', '2028-11-19')).toBe('2028-11-19')
  expect(clampDate('2027-01-01', '2026-11-20', '2028-11-19')).toBe('2027-01-01')
})
