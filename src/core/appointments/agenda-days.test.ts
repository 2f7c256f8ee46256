import { expect, test } from 'vitest'
import { listAgendaDays } from './agenda-days.ts'

const HOUR = 3_600
const everyDay = (start: number, end: number) => ({
  openings: [0, 1, 2, 3, 4, 5, 6].map((dayOfWeek) => ({
    dayOfWeek,
    startSeconds: start * HOUR,
    endSeconds: end * HOUR,
  })),
  specialDays: [],
})

test.each([
  ['2026-03-29', 'Europe/London', 23, '2026-03-29T00:00:00Z', '2026-03-29T11:00:00Z'],
  ['2026-10-25', 'Europe/London', 25, '2026-10-24T23:00:00Z', '2026-10-25T12:00:00Z'],
  ['2026-04-05', 'Australia/Lord_Howe', 24.5, '2026-04-04T13:00:00Z', '2026-04-05T01:30:00Z'],
  ['2026-12-01', 'Asia/Kathmandu', 24, '2026-11-30T18:15:00Z', '2026-12-01T06:15:00Z'],
  // In Beirut the clocks go forward at midnight, so the day starts at 01:00.
  ['2026-03-29', 'Asia/Beirut', 23, '2026-03-28T22:00:00Z', '2026-03-29T09:00:00Z'],
])('%s in %s has %d hours and a noon of its own', (date, zone, hours, starts, noon) => {
  const [day] = listAgendaDays({ firstDate: date, dayCount: 1 }, zone, [
    { timeZone: zone, openings: [], specialDays: [] },
  ])
  expect(day).toMatchObject({ date, startMs: Date.parse(starts), noonMs: Date.parse(noon), openings: [] })
  expect(((day?.endMs ?? 0) - (day?.startMs ?? 0)) / 3_600_000).toBe(hours)
})

test('opening hours follow the local clock, also on the day of a clock change', () => {
  const days = listAgendaDays({ firstDate: '2026-03-28', dayCount: 2 }, 'Europe/London', [
    { timeZone: 'Europe/London', ...everyDay(0, 3) },
  ])
  expect(days.map(({ openings }) => openings)).toEqual([
    [{ startMs: Date.parse('2026-03-28T00:00:00Z'), endMs: Date.parse('2026-03-28T03:00:00Z') }],
    [{ startMs: Date.parse('2026-03-29T00:00:00Z'), endMs: Date.parse('2026-03-29T02:00:00Z') }],
  ])
})

test('days are consecutive without gaps', () => {
  const days = listAgendaDays({ firstDate: '2026-10-23', dayCount: 7 }, 'America/Sao_Paulo', [
    { timeZone: 'America/Sao_Paulo', ...everyDay(9, 17) },
  ])
  for (const [i, day] of days.entries()) if (i > 0) expect(day.startMs).toBe(days[i - 1]?.endMs)
  expect(days.every(({ openings }) => openings.length === 1)).toBe(true)
})

test('with several calendars, a day is open when one of them is, each in its own time zone', () => {
  const [day] = listAgendaDays({ firstDate: '2026-12-01', dayCount: 1 }, 'Europe/London', [
    { timeZone: 'Europe/London', ...everyDay(9, 12) },
    { timeZone: 'Europe/Berlin', ...everyDay(12, 18) },
    { timeZone: 'Pacific/Auckland', ...everyDay(9, 10) },
  ])
  expect(day?.openings).toEqual([
    { startMs: Date.parse('2026-12-01T09:00:00Z'), endMs: Date.parse('2026-12-01T17:00:00Z') },
    { startMs: Date.parse('2026-12-01T20:00:00Z'), endMs: Date.parse('2026-12-01T21:00:00Z') },
  ])
})

test('the openings of one calendar stay separate where they touch', () => {
  const { openings } = everyDay(9, 12)
  const hours = { openings: [...openings, ...everyDay(12, 15).openings], specialDays: [] }
  const [day] = listAgendaDays({ firstDate: '2026-12-01', dayCount: 1 }, 'Europe/London', [
    { timeZone: 'Europe/London', ...hours },
  ])
  expect(day?.openings).toHaveLength(2)
})
