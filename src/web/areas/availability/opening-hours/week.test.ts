import { describe, expect, test } from 'vitest'
import type { Availability } from '#contract/availability/opening-hours.ts'
import { groupByHour, listTimetableHours } from './preview-timetable.tsx'
import { formatDuration } from './slot-settings-card.tsx'
import { formatRangeEnd, suggestOpeningRange } from './week.ts'

test.each([
  ['00:00:00', '12:00 AM'],
  ['09:05', '9:05 AM'],
  ['12:00:00', '12:00 PM'],
  ['24:00:00', 'midnight'],
  ['24:00', 'midnight'],
])('%s reads %s', (time, text) => {
  expect(formatRangeEnd(time, 'h12')).toBe(text)
})

test.each([
  [15, '15 minutes'],
  [60, '1 hour'],
  [120, '2 hours'],
  [150, '2 h 30 min'],
])('%d minutes are %s', (minutes, text) => {
  expect(formatDuration(minutes)).toBe(text)
})

describe('the range a day’s form begins with', () => {
  test.each([
    ['nine to five on a closed day', [], '09:00-17:00'],
    ['nine to five when that is free', [['18:00', '20:00']], '09:00-17:00'],
    ['an hour after the last range', [['09:00', '12:30']], '12:30-13:30'],
    ['up to midnight, not beyond', [['09:00', '23:30']], '23:30-24:00'],
    ['an hour before the first when the day is full to midnight', [['08:30', '24:00']], '07:30-08:30'],
    ['nine to five when there is no room at either end', [['00:00', '24:00']], '09:00-17:00'],
  ] as const)('is %s', (_what, taken, expected) => {
    const ranges = taken.map(([start, end]) => ({ start_time: `${start}:00`, end_time: `${end}:00` }))
    // The cast is safe, because `suggestOpeningRange` reads only the times of a range.
    const { start_time, end_time } = suggestOpeningRange(ranges as unknown as Availability[])
    expect(`${start_time}-${end_time}`).toBe(expected)
  })
})

describe('the timetable', () => {
  test('puts times under their hour, and shows every hour between the first and the last', () => {
    const day = groupByHour([slot('09:00', '09'), slot('09:30', '09'), slot('14:15', '14')], 'UTC', 'h12')
    expect(day.map(({ hour, times }) => [hour, times.map((time) => time.minutes)])).toEqual([
      [9, [':00', ':30']],
      [14, [':15']],
    ])
    expect(listTimetableHours([day, []])).toEqual([9, 10, 11, 12, 13, 14])
    expect(listTimetableHours([[], []])).toEqual([])
  })

  test('tells two times apart that read the same where clocks go back', () => {
    const twice = [
      { ...slot('01:30', '00'), starts_at: '2027-10-31T00:30:00Z' },
      { ...slot('01:30', '01'), starts_at: '2027-10-31T01:30:00Z' },
    ]
    const [hour] = groupByHour(twice, 'Europe/London', 'h12')
    expect(hour?.times.map(({ label, minutes }) => [label, minutes])).toEqual([
      ['1:30 AM BST', ':30 BST'],
      ['1:30 AM GMT', ':30 GMT'],
    ])
  })

  function slot(clock: string, utcHour: string) {
    const starts_at = `2027-01-04T${utcHour}:${clock.slice(3)}:00Z`
    return { slot_start: `${clock}:00`, slot_end: `${clock}:00`, starts_at, ends_at: starts_at }
  }
})
