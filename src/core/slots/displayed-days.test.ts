import { describe, expect, test } from 'vitest'
import { localDateOf, toEpochMs } from '#core/shared/zoned-time.ts'
import * as fc from '#tests/support/fast-check.ts'
import { groupByDisplayedDay, toCalendarZoneDays } from './displayed-days.ts'

const ZONES = [
  'UTC',
  'Europe/London',
  'Asia/Kathmandu',
  'America/St_Johns',
  'Pacific/Kiritimati',
  'Pacific/Niue',
]
const HOUR_MS = 3_600_000

describe('calendarDaysOf', () => {
  test('returns the same range in the calendar’s own zone', () => {
    const range = { firstDate: '2026-12-01', dayCount: 31 }
    expect(toCalendarZoneDays(range, 'Europe/London', 'Europe/London')).toEqual(range)
  })

  test.each([
    ['Asia/Kathmandu', { firstDate: '2026-11-30', dayCount: 2 }],
    ['America/St_Johns', { firstDate: '2026-12-01', dayCount: 2 }],
    ['Pacific/Kiritimati', { firstDate: '2026-11-30', dayCount: 2 }],
  ])('a day in %s spans two days in London', (zone, expected) => {
    expect(toCalendarZoneDays({ firstDate: '2026-12-01', dayCount: 1 }, zone, 'Europe/London')).toEqual(
      expected,
    )
  })

  test('covers every instant of the displayed range, in any zones', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.constantFrom(...ZONES),
        fc.integer({ min: 0, max: 700 }),
        fc.integer({ min: 1, max: 62 }),
        fc.integer({ min: 0, max: 62 * 24 }),
        (shownZone, calendarZone, day, dayCount, hours) => {
          const firstDate = localDateOf(Date.UTC(2026, 0, 1 + day, 12), 'UTC')
          const atMs = toEpochMs(firstDate, 0, shownZone) + hours * HOUR_MS
          const shownDate = localDateOf(atMs, shownZone)
          const lastShown = localDateOf(Date.UTC(2026, 0, day + dayCount, 12), 'UTC')
          fc.pre(shownDate >= firstDate && shownDate <= lastShown)
          const found = toCalendarZoneDays({ firstDate, dayCount }, shownZone, calendarZone)
          const date = localDateOf(atMs, calendarZone)
          const last = localDateOf(Date.parse(found.firstDate) + (found.dayCount - 1) * 24 * HOUR_MS, 'UTC')
          expect(date >= found.firstDate && date <= last).toBe(true)
        },
      ),
    )
  })
})

test('slots are grouped by their date in the displayed zone; slots outside the range are dropped', () => {
  const evening = Date.parse('2026-11-30T19:00:00Z')
  const morning = Date.parse('2026-12-01T09:00:00Z')
  const late = Date.parse('2026-12-01T19:00:00Z')
  const days = [
    { date: '2026-11-30', startsMs: [evening] },
    { date: '2026-12-01', startsMs: [morning, late] },
  ]
  expect(groupByDisplayedDay(days, { firstDate: '2026-12-01', dayCount: 1 }, 'Asia/Kathmandu')).toEqual([
    { date: '2026-12-01', startsMs: [evening, morning] },
  ])
})
