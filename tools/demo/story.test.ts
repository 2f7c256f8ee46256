import { expect, test } from 'vitest'
import { addDays, dayOfWeek } from '#core/shared/zoned-time.ts'
import { DEMO_CUSTOMERS, type DemoBooking, type DemoTypeName, listDemoBookings } from './story.ts'

/** Two weeks around a clock change, so that every weekday is the first day once. */
const FIRST_DAYS = Array.from({ length: 14 }, (_, i) => addDays('2026-10-19', i))
const MINUTES: Readonly<Record<DemoTypeName, number>> = {
  first: 30,
  individual: 60,
  couples: 90,
  online: 60,
  walk: 60,
}
const BUFFER_MINUTES = 10

test.each(FIRST_DAYS)('on %s, no two appointments of the demo practice are at the same time', (today) => {
  const spans = listDemoBookings(today)
    .map((booking) => ({ ...booking, ...toSpan(booking) }))
    .sort((a, b) => a.from - b.from)
  const clashes = spans.filter((span, i) => {
    const next = spans[i + 1]
    return next !== undefined && next.from < span.to + BUFFER_MINUTES
  })
  expect(clashes).toEqual([])
})

test.each(FIRST_DAYS)('on %s, the working days around it are full', (today) => {
  const bookings = listDemoBookings(today)
  const around = Array.from({ length: 11 }, (_, i) => addDays(today, i - 5))
  const workingDays = around.filter((date) => ![0, 6].includes(dayOfWeek(date)))
  for (const date of workingDays) {
    const count = bookings.filter((booking) => booking.date === date).length
    expect(count, date).toBeGreaterThanOrEqual(3)
    expect(count, date).toBeLessThanOrEqual(5)
  }
})

test('a first start a week later shows the same practice a week later', () => {
  const later = listDemoBookings('2026-11-25')
  const sooner = listDemoBookings('2026-11-18').map((booking) => ({
    ...booking,
    date: addDays(booking.date, 7),
  }))
  expect(sooner).toEqual(later)
})

test('the history goes back half a year, and customers come back', () => {
  const bookings = listDemoBookings('2026-11-25')
  expect(bookings.map(({ date }) => date).toSorted()[0]).toBe('2026-05-25')
  const visits = Object.keys(DEMO_CUSTOMERS).map(
    (name) => bookings.filter(({ customer }) => customer === name).length,
  )
  expect(visits.filter((count) => count > 1).length).toBeGreaterThan(10)
})

/** Converts to minutes since January 1, 1970, by the practice's clock. */
function toSpan({ date, time, type }: DemoBooking): { from: number; to: number } {
  const from = Date.parse(`${date}T${time}:00Z`) / 60_000
  return { from, to: from + MINUTES[type] }
}
