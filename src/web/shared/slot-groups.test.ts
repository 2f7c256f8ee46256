import { expect, test } from 'vitest'
import { PARTS_OF_DAY, partOfDay } from './part-of-day.ts'
import { groupSlots } from './slot-groups.ts'

test('times are grouped into morning, afternoon and evening of the shown zone', () => {
  const groups = groupSlots(
    slotsAt(
      '2026-12-01T00:00:00Z',
      '2026-12-01T11:30:00Z',
      '2026-12-01T12:00:00Z',
      '2026-12-01T16:30:00Z',
      '2026-12-01T17:00:00Z',
    ),
    'Europe/London',
    'h12',
  )
  expect(groups.map(({ part, slots }) => [part, slots.map(({ label }) => label)])).toEqual([
    ['Morning', ['12:00 AM', '11:30 AM']],
    ['Afternoon', ['12:00 PM', '4:30 PM']],
    ['Evening', ['5:00 PM']],
  ])
})

test('the part of the day is that of the clock, however the clock is written', () => {
  expect(
    PARTS_OF_DAY.map((part) => [0, 11, 12, 16, 17, 23].filter((hour) => partOfDay(hour) === part)),
  ).toEqual([
    [0, 11],
    [12, 16],
    [17, 23],
  ])
})

test('a time is grouped by the shown zone on the day the clocks change, too', () => {
  const times = slotsAt('2026-03-29T10:59:00Z', '2026-03-29T11:00:00Z', '2026-03-29T16:00:00Z')
  const counts = groupSlots(times, 'Europe/London', 'h12').map(({ part, slots }) => [part, slots.length])
  expect(counts).toEqual([
    ['Morning', 1],
    ['Afternoon', 1],
    ['Evening', 1],
  ])
})

test('a part of the day without a time is not there', () => {
  expect(groupSlots(slotsAt('2026-12-01T19:00:00Z'), 'Europe/London', 'h12').map(({ part }) => part)).toEqual(
    ['Evening'],
  )
})

test.each([
  ['Asia/Kathmandu', '3:15 PM'],
  ['America/St_Johns', '6:00 AM'],
])('in %s the same instant reads %s', (timeZone, label) => {
  expect(groupSlots(slotsAt('2026-12-01T09:30:00Z'), timeZone, 'h12')[0]?.slots[0]?.label).toBe(label)
})

test('two times that read the same on a change-over day are told apart by their abbreviation', () => {
  const [morning] = groupSlots(
    slotsAt('2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T02:00:00Z'),
    'Europe/London',
    'h12',
  )
  expect(morning?.slots.map(({ label }) => label)).toEqual(['1:30 AM BST', '1:30 AM GMT', '2:00 AM'])
})

function slotsAt(...starts: string[]) {
  return starts.map((starts_at) => ({ slot_start: '', slot_end: '', starts_at, ends_at: starts_at }))
}
