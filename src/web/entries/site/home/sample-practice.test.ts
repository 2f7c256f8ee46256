import { expect, test } from 'vitest'
import { dayOfWeek, listDates } from '#core/shared/calendar-date.ts'
import { firstSampleFreeDate, listSampleDayMarks, listSampleSlots } from './sample-practice.ts'

const MONDAY = '2026-11-23'
const SATURDAY = '2026-11-28'

test('a weekday has free times of the length that was asked for, and the same ones each time', () => {
  const slots = listSampleSlots(MONDAY, 60, 0)
  expect(slots.length).toBeGreaterThan(2)
  for (const { starts_at, ends_at } of slots) {
    expect(Date.parse(ends_at) - Date.parse(starts_at)).toBe(60 * 60_000)
  }
  expect(listSampleSlots(MONDAY, 60, 0)).toEqual(slots)
})

test('what has begun is not offered', () => {
  const [first, second] = listSampleSlots(MONDAY, 30, 0)
  const left = listSampleSlots(MONDAY, 30, Date.parse(first?.starts_at ?? ''))
  expect(left[0]).toEqual(second)
})

test('the weekend is free of appointments, and the days say so', () => {
  expect(listSampleSlots(SATURDAY, 30, 0)).toEqual([])
  expect(listSampleDayMarks(MONDAY, SATURDAY, 30, 0)).toMatchObject({ [MONDAY]: 'free', [SATURDAY]: 'full' })
})

test('whatever the day, the sample begins on a weekday after it with times for every service', () => {
  for (const today of listDates('2026-11-01', 400)) {
    const date = firstSampleFreeDate(today, 60)
    expect(date > today).toBe(true)
    expect([0, 6]).not.toContain(dayOfWeek(date))
    expect(listSampleSlots(date, 60, 0)).not.toEqual([])
    expect(listSampleSlots(date, 30, 0)).not.toEqual([])
  }
})
