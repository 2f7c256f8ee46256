import { beforeAll, expect, test } from 'vitest'
import type { SlotCountsPerDay, SlotsResponse } from '#contract/slots/slots.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner } from '#tests/support/meridian.ts'

let path: string

setUpMeridian()
beforeAll(async () => {
  const calendar = await makeCalendar(meridian, await makeOwner(meridian))
  path = `/api/public/calendars/${calendar.slug}`
})

test('a visitor’s day spans two calendar days and is labelled by the visitor’s clock', async () => {
  const { time_zone, slots } = await get<SlotsResponse>('/slots?date=2027-01-06&time_zone=Pacific/Auckland')
  expect(time_zone).toBe('Pacific/Auckland')
  // In Auckland, London's 11:00 to 16:30 of the 5th is the first half of that day, and 9:00 to 10:30 of the 6th its
  // end.
  expect(slots.map((slot) => slot.starts_at)).toEqual([
    ...listHalfHours('2027-01-05T11:00:00Z', 12),
    ...listHalfHours('2027-01-06T09:00:00Z', 4),
  ])
  expect(slots[0]).toMatchObject({ slot_start: '00:00:00', slot_end: '00:30:00' })
  expect(slots.at(-1)).toMatchObject({ slot_start: '23:30:00', slot_end: '00:00:00' })
})

test('the days of a visitor count the times that their own days have', async () => {
  const { days } = await get<SlotCountsPerDay>(
    '/days?from=2027-01-04&to=2027-01-10&time_zone=Pacific/Auckland',
  )
  for (const { date, open_slots } of days) {
    const { slots } = await get<SlotsResponse>(`/slots?date=${date}&time_zone=Pacific/Auckland`)
    expect(slots).toHaveLength(open_slots)
  }
  // Monday in London begins on Monday evening, and Friday in London ends on Saturday.
  expect(days.map((day) => day.open_slots)).toEqual([4, 16, 16, 16, 16, 12, 0])
})

test('a zone that nobody knows is refused', async () => {
  const response = await meridian.get(`${path}/slots?date=2027-01-06&time_zone=Mars/Olympus`)
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ code: 'calendar.time_zone_unknown' })
})

test.each([
  ['1970-01-01', 'Pacific/Auckland'],
  ['2200-12-31', 'Pacific/Honolulu'],
])('the farthest day %s in %s is only a day without times', async (date, zone) => {
  const { slots } = await get<SlotsResponse>(`/slots?date=${date}&time_zone=${zone}`)
  expect(slots).toEqual([])
  const { days } = await get<SlotCountsPerDay>(`/days?from=${date}&to=${date}&time_zone=${zone}`)
  expect(days).toEqual([{ date, open_slots: 0 }])
})

async function get<Answer>(resource: string): Promise<Answer> {
  const response = await meridian.get(`${path}${resource}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

function listHalfHours(from: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    new Date(Date.parse(from) + i * 30 * 60_000).toISOString().replace('.000Z', 'Z'),
  )
}
