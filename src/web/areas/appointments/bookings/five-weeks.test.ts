import { afterEach, describe, expect, test, vi } from 'vitest'
import { addDays, dayNumberToDate, dayOfWeek } from '#core/shared/calendar-date.ts'
import * as fc from '#tests/support/fast-check.ts'
import { getBookableDates, shownWeeksOf } from './bookable-dates.ts'
import { clampDate, dateAfterArrowKey, firstWeekdayOf, SHOWN_DAYS, startOfWeeks } from './five-weeks.ts'

const FROM_SUNDAY = { firstWeekday: 0, isRightToLeft: false }

describe('five weeks', () => {
  test.each([
    ['begin with the week of today', '2026-11-20', 0, '2026-11-20', '2026-11-15'],
    ['begin on Monday where weeks do', '2026-11-20', 1, '2026-11-20', '2026-11-16'],
    ['begin today when a week begins today', '2026-11-22', 0, '2026-11-22', '2026-11-22'],
    ['begin with the past days of a week that ends today', '2026-11-21', 0, '2026-11-21', '2026-11-15'],
    ['contain their last day', '2026-11-20', 0, '2026-12-19', '2026-11-15'],
    ['follow the five before them', '2026-11-20', 0, '2026-12-20', '2026-12-20'],
    ['go over the end of a year', '2026-11-20', 0, '2027-01-24', '2027-01-24'],
    ['go over the day on which clocks go forward', '2027-03-12', 0, '2027-04-11', '2027-04-11'],
    ['go over the day on which clocks go back', '2026-10-24', 1, '2026-11-22', '2026-10-19'],
    ['go over February of a leap year', '2028-02-20', 0, '2028-03-26', '2028-03-26'],
    ['reach two years ahead', '2026-11-20', 6, '2028-11-19', '2028-11-18'],
  ])(
    '%s: today is %s, weeks begin on weekday %i, %s is in those from %s',
    (_rule, today, firstWeekday, date, start) => {
      expect(startOfWeeks(date, today, firstWeekday)).toBe(start)
      expect(dayOfWeek(start)).toBe(firstWeekday)
    },
  )

  test('follow each other without a gap and without a day twice', () => {
    fc.assert(
      fc.property(fc.nat(30_000), fc.nat(730), fc.nat(6), (first, ahead, firstWeekday) => {
        const today = dayNumberToDate(first)
        const date = addDays(today, ahead)
        const start = startOfWeeks(date, today, firstWeekday)
        expect(date >= start && date < addDays(start, SHOWN_DAYS)).toBe(true)
        expect(startOfWeeks(addDays(start, SHOWN_DAYS), today, firstWeekday)).toBe(addDays(start, SHOWN_DAYS))
      }),
    )
  })
})

describe('the weeks in the shown zone', () => {
  afterEach(() => void vi.useRealTimers())

  test.each([
    ['Pacific/Kiritimati', '2026-11-15', '2026-11-15', '2026-12-19'],
    ['Pacific/Pago_Pago', '2026-11-08', '2026-11-14', '2026-12-12'],
  ])('in %s they begin on %s, and the first bookable day is %s', (timeZone, start, from, to) => {
    // Saturday evening in London is Sunday in Kiritimati, and still Saturday in Pago Pago.
    vi.useFakeTimers({ now: Date.parse('2026-11-14T18:00:00Z'), toFake: ['Date'] })
    const dates = getBookableDates(timeZone)
    expect(shownWeeksOf(dates.today, dates)).toEqual({ start, from, to })
  })

  test('ask for no day after the last bookable one, and show the nearest bookable day instead of another', () => {
    const dates = { today: '2026-11-20', lastDate: '2026-12-25' }
    expect(shownWeeksOf('2027-05-01', dates)).toEqual({
      start: '2026-12-20',
      from: '2026-12-20',
      to: '2026-12-25',
    })
    expect(shownWeeksOf('2026-01-01', dates)).toMatchObject({ start: '2026-11-15', from: '2026-11-20' })
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
