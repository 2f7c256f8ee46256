import { expect, test } from 'vitest'
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
  )
  expect(groups.map(({ part, slots }) => [part, slots.map(({ label }) => label)])).toEqual([
    ['Morning', ['12:00 AM', '11:30 AM']],
    ['Afternoon', ['12:00 PM', '4:30 PM']],
    ['Evening', ['5:00 PM']],
  ])
})

test('a part of the day without a time is not there', () => {
  expect(groupSlots(slotsAt('2026-12-01T19:00:00Z'), 'Europe/London').map(({ part }) => part)).toEqual([
    'Evening',
  ])
})

test.each([
  ['Asia/Kathmandu', '3:15 PM'],
  ['America/St_Johns', '6:00 AM'],
])('in %s the same instant reads %s', (timeZone, label) => {
  expect(groupSlots(slotsAt('2026-12-01T09:30:00Z'), timeZone)[0]?.slots[0]?.label).toBe(label)
})

test('two times that read the same on a change-over day are told apart by their abbreviation', () => {
  const [morning] = groupSlots(
    slotsAt('2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T02:00:00Z'),
    'Europe/London',
  )
  expect(morning?.slots.map(({ label }) => label)).toEqual(['1:30 AM BST', '1:30 AM GMT', '2:00 AM'])
})

function slotsAt(...starts: string[]) {
  return starts.map((starts_at) => ({ slot_start: '', slot_end: '', starts_at, ends_at: starts_at }))
}
