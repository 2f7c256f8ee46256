import { expect, test } from 'vitest'
import { listLastMonths } from './money-months.ts'

test('months are consecutive across a new year and a clock change', () => {
  const months = listLastMonths(Date.parse('2027-04-10T12:00:00Z'), 'Europe/London', 12)
  expect(months.map(({ month }) => month).slice(0, 5)).toEqual([
    '2027-04',
    '2027-03',
    '2027-02',
    '2027-01',
    '2026-12',
  ])
  expect(months).toHaveLength(12)
  for (const [i, { startMs }] of months.entries()) expect(startMs).toBe(months[i + 1]?.endMs ?? startMs)
  // British Summer Time began on March 28.
  expect(new Date(months[0]?.startMs ?? 0).toISOString()).toBe('2027-03-31T23:00:00.000Z')
})

test('an instant belongs to its month in the calendar’s time zone', () => {
  const lastOfJanuary = Date.parse('2027-01-31T18:30:00Z')
  expect(listLastMonths(lastOfJanuary, 'Asia/Kathmandu', 1)[0]?.month).toBe('2027-02')
  expect(listLastMonths(lastOfJanuary, 'America/St_Johns', 1)[0]?.month).toBe('2027-01')
})
