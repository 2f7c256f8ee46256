import { describe, expect, test } from 'vitest'
import { toDayNumber } from '#core/shared/calendar-date.ts'
import {
  type ApplyingLimit,
  areLimitsInOrder,
  type BookingLimit,
  type CountedDay,
  countLimits,
  getCountedDays,
  listMidnights,
} from './booking-limits.ts'
import { describeLimits, describeReachedLimit } from './describe-limit.ts'

const SIX_A_DAY = limit('day', 6)

describe('countLimits', () => {
  test.each([
    ['leaves the last place of a day', SIX_A_DAY, booked('2027-01-06', 5), []],
    ['is full with as many as it allows', SIX_A_DAY, booked('2027-01-06', 6), [6]],
    ['is full with more than it allows', SIX_A_DAY, booked('2027-01-06', 7), [7]],
    ['ignores other days', SIX_A_DAY, booked('2027-01-07', 6), []],
    ['begins a week on Monday', limit('week', 1), booked('2027-01-04', 1), [1]],
    ['ends a week on Sunday', limit('week', 1), booked('2027-01-10', 1), [1]],
    ['ignores the Sunday before', limit('week', 1), booked('2027-01-03', 1), []],
    ['begins a month on its first day', limit('month', 1), booked('2027-01-01', 1), [1]],
    ['ends a month on its last day', limit('month', 1), booked('2027-01-31', 1), [1]],
    ['ignores the next month', limit('month', 1), booked('2027-02-01', 1), []],
  ] as const)('%s', (_case, limit, counted, taken) => {
    expect(takenOn('2027-01-06', [ofAll(limit)], [counted])).toEqual(taken)
  })

  test('allows as many minutes as are left', () => {
    const minutes = ofAll({ most: 90, unit: 'minutes', period: 'day' })
    const counted = [{ ...booked('2027-01-06', 1), minutes: 60 }]
    const start = { dayNumber: toDayNumber('2027-01-06'), durationMinutes: 30 }
    expect(countLimits([minutes], counted, start)).toEqual([])
    expect(countLimits([minutes], counted, { ...start, durationMinutes: 31 })).toEqual([
      { ...minutes, taken: 60 },
    ])
  })

  test('counts a type’s limit by its own appointments, and the calendar’s by all', () => {
    const ofType = (most: number) => ({ limit: limit('day', most), is_of_type: true })
    const counted = [booked('2027-01-06', 4), { ...booked('2027-01-06', 2), isOfType: true }]
    expect(takenOn('2027-01-06', [ofType(2), ofAll(SIX_A_DAY)], counted)).toEqual([2, 6])
    expect(takenOn('2027-01-06', [ofType(3)], counted)).toEqual([])
  })
})

test('days are counted to the ends of the longest periods that limits have', () => {
  const range = { firstDate: '2027-01-06', dayCount: 2 }
  expect(getCountedDays([SIX_A_DAY], range)).toEqual(range)
  expect(getCountedDays([limit('week', 1)], range)).toEqual({ firstDate: '2027-01-04', dayCount: 7 })
  expect(getCountedDays([limit('month', 1)], range)).toEqual({ firstDate: '2027-01-01', dayCount: 31 })
  const both = getCountedDays([limit('week', 1), limit('month', 1)], { firstDate: '2027-02-27', dayCount: 2 })
  expect(both).toEqual({ firstDate: '2027-02-01', dayCount: 28 })
  const overNewYear = getCountedDays([limit('week', 1)], { firstDate: '2027-12-31', dayCount: 1 })
  expect(overNewYear).toEqual({ firstDate: '2027-12-27', dayCount: 7 })
})

test('a day begins at midnight of the calendar’s zone, also when the clocks change', () => {
  const midnights = listMidnights({ firstDate: '2027-03-27', dayCount: 3 }, 'Europe/London')
  expect(midnights.map((ms) => new Date(ms).toISOString())).toEqual([
    '2027-03-27T00:00:00.000Z',
    '2027-03-28T00:00:00.000Z',
    '2027-03-28T23:00:00.000Z',
    '2027-03-29T23:00:00.000Z',
  ])
})

test.each([
  ['equal numbers', [limit('day', 6), limit('week', 6), limit('month', 6)], true],
  ['a day above its week', [limit('week', 5), limit('day', 6)], false],
  ['a week above its month', [limit('day', 1), limit('week', 9), limit('month', 8)], false],
  ['a day above its month', [limit('day', 9), limit('month', 8)], false],
  ['other units', [limit('day', 9), { ...limit('week', 8), unit: 'minutes' as const }], true],
] as const)('limits of %s are in order: %#', (_case, limits, isInOrder) => {
  expect(areLimitsInOrder(limits)).toBe(isInOrder)
})

test('limits are said in words', () => {
  const minutes: BookingLimit = { most: 600, unit: 'minutes', period: 'week' }
  expect(describeLimits([SIX_A_DAY, { ...SIX_A_DAY, most: 1, period: 'month' }])).toBe(
    'At most 6 appointments a day, 1 appointment a month',
  )
  expect(describeLimits([])).toBe('No limits')
  expect(describeReachedLimit({ ...ofAll(SIX_A_DAY), taken: 6 })).toBe(
    'This day has 6 of at most 6 appointments.',
  )
  expect(describeReachedLimit({ limit: minutes, is_of_type: true, taken: 590 })).toBe(
    'This week has 590 of at most 600 minutes of appointments of this type.',
  )
})

function limit(period: BookingLimit['period'], most: number): BookingLimit {
  return { most, unit: 'appointments', period }
}

function ofAll(limit: BookingLimit): ApplyingLimit {
  return { limit, is_of_type: false }
}

function booked(date: string, appointments: number): CountedDay {
  return { dayNumber: toDayNumber(date), isOfType: false, appointments, minutes: 30 * appointments }
}

function takenOn(date: string, limits: readonly ApplyingLimit[], counted: readonly CountedDay[]): number[] {
  const start = { dayNumber: toDayNumber(date), durationMinutes: 30 }
  return countLimits(limits, counted, start).map(({ taken }) => taken)
}
