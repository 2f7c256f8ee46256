import { describe, expect, test } from 'vitest'
import { listDates } from '#core/shared/calendar-date.ts'
import {
  addMonths,
  clampDate,
  dateAfterArrowKey,
  firstWeekdayOf,
  lastDateOf,
  listWeeks,
} from './month-grid.ts'

const FROM_SUNDAY = { firstWeekday: 0, isRightToLeft: false }

test('months are added across the year, in both directions', () => {
  expect(addMonths('2026-12', 1)).toBe('2027-01')
  expect(addMonths('2027-01', -1)).toBe('2026-12')
  expect(addMonths('2026-11', -12)).toBe('2025-11')
  expect(lastDateOf('2026-12')).toBe('2026-12-31')
})

describe('the weeks of a month', () => {
  test.each([
    ['2026-12', 0, '2026-11-29', '2027-01-02', 5],
    ['2026-12', 1, '2026-11-30', '2027-01-03', 5],
    ['2026-08', 0, '2026-07-26', '2026-09-05', 6],
    ['2026-08', 6, '2026-08-01', '2026-09-04', 5],
    ['2027-02', 1, '2027-02-01', '2027-02-28', 4],
  ])('%s, in weeks from weekday %i, goes from %s to %s in %i rows', (month, firstWeekday, from, to, rows) => {
    const weeks = listWeeks(month, firstWeekday)
    expect(weeks).toHaveLength(rows)
    expect(weeks.every((week) => week.length === 7)).toBe(true)
    expect(weeks.flat()).toEqual(listDates(from, rows * 7))
    expect(weeks.flat().at(-1)).toBe(to)
  })
})

test.each([
  ['en-US', 0],
  ['de-DE', 1],
  ['ar-EG', 6],
  ['dv-MV', 5],
  ['not a language', 0],
])('a week of %s begins on weekday %i', (language, weekday) => {
  expect(firstWeekdayOf(language)).toBe(weekday)
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
    expect(dateAfterArrowKey('2026-12-01', { key, shiftKey }, FROM_SUNDAY)).toBe(expected)
  })

  test('a month without that day gives its last one', () => {
    expect(dateAfterArrowKey('2027-01-31', { key: 'PageDown', shiftKey: false }, FROM_SUNDAY)).toBe(
      '2027-02-28',
    )
  })

  test.each([
    ['ArrowLeft', '2026-12-02'],
    ['ArrowRight', '2026-11-30'],
    ['ArrowDown', '2026-12-08'],
    ['End', '2026-12-05'],
  ])('where rows begin at the right, %s goes from 1 December 2026 to %s', (key, expected) => {
    const layout = { ...FROM_SUNDAY, isRightToLeft: true }
    expect(dateAfterArrowKey('2026-12-01', { key, shiftKey: false }, layout)).toBe(expected)
  })

  test('any other key does not move', () => {
    expect(dateAfterArrowKey('2026-12-01', { key: 'a', shiftKey: false }, FROM_SUNDAY)).toBeNull()
  })
})

test('a day outside the range becomes the nearest one inside', () => {
  expect(clampDate('2026-11-01', '2026-11-20', '2028-11-19')).toBe('2026-11-20')
  expect(clampDate('2029-01-01', '2026-11-20', '2028-11-19')).toBe('2028-11-19')
  expect(clampDate('2027-01-01', '2026-11-20', '2028-11-19')).toBe('2027-01-01')
})
