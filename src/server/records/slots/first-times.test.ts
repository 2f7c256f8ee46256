import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { FirstAvailableTimesResponse } from '#contract/slots/slots.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { makeCalendar } from '#tests/support/meridian.ts'
import { addAppointment, addAppointmentType } from '#tests/support/stored-rows.ts'

const DAY_MINUTES = 24 * 60

setUpOwner({ env: { DEFAULT_PLAN: 'enterprise' } })

test('the first free times are three on each of the next two days', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const answer = await ask(calendar)
  expect(answer.time_zone).toBe('Europe/London')
  expect(listStarts(answer)).toEqual([
    ['2027-01-04', '09:00:00', '09:30:00', '10:00:00'],
    ['2027-01-05', '09:00:00', '09:30:00', '10:00:00'],
  ])
  expect(answer.days[0]?.slots[0]).toEqual({
    slot_start: '09:00:00',
    slot_end: '09:30:00',
    starts_at: '2027-01-04T09:00:00Z',
    ends_at: '2027-01-04T09:30:00Z',
  })
})

test('they leave out what is past, what is taken, and days without any', async () => {
  const calendar = await makeCalendar(meridian, owner)
  // On Friday afternoon one time is left; the next times are on Monday.
  meridian.clock.ms = Date.parse('2027-01-08T16:10:00Z')
  await addAppointment(meridian, calendar.id, { startsAt: '2027-01-11T09:30:00Z' })
  expect(listStarts(await ask(calendar))).toEqual([
    ['2027-01-08', '16:30:00'],
    ['2027-01-11', '09:00:00', '10:00:00', '10:30:00'],
  ])
})

test('they last as long as the type, and come no sooner than the minimum notice', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const type = await addAppointmentType(meridian, calendar.id, { duration: 90 })
  await change(calendar, { minimum_notice_minutes: 3 * DAY_MINUTES })
  const { days } = await ask(calendar, { appointment_type_id: type })
  expect(days[0]?.slots[0]).toMatchObject({
    starts_at: '2027-01-07T09:00:00Z',
    ends_at: '2027-01-07T10:30:00Z',
  })
})

test('their days are those of the zone that is asked for', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const answer = await ask(calendar, { time_zone: 'Pacific/Auckland' })
  // Monday 9:00 to 11:00 in London is Monday evening in Auckland, where the next day begins at 11:00 London time.
  expect(answer.time_zone).toBe('Pacific/Auckland')
  expect(listStarts(answer)).toEqual([
    ['2027-01-04', '22:00:00', '22:30:00', '23:00:00'],
    ['2027-01-05', '00:00:00', '00:30:00', '01:00:00'],
  ])
})

test('a holiday of a month is passed over, and after two months nothing is offered', async () => {
  const [away, gone] = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
  await addAppointment(meridian, away.id, { startsAt: '2027-01-04T09:00:00Z', minutes: 30 * DAY_MINUTES })
  await addAppointment(meridian, gone.id, { startsAt: '2027-01-04T09:00:00Z', minutes: 90 * DAY_MINUTES })
  expect(listStarts(await ask(away))[0]?.slice(0, 2)).toEqual(['2027-02-03', '09:00:00'])
  expect((await ask(gone)).days).toEqual([])
})

test('an unknown link, type or zone is refused', async () => {
  const calendar = await makeCalendar(meridian, owner)
  expectRefusal(await request('nobody', {}), 'calendar.not_found')
  expectRefusal(await request(calendar.slug, { appointment_type_id: randomUUID() }), 'booking.type_unknown')
  const response = await request(calendar.slug, { time_zone: 'Mars/Olympus' })
  expect(response.json()).toMatchObject({ code: 'calendar.time_zone_unknown' })
})

function request(slug: string, query: Record<string, string>) {
  return meridian.get(`/api/public/calendars/${slug}/first-times?${new URLSearchParams(query)}`)
}

async function ask(
  calendar: Calendar,
  query: Record<string, string> = {},
): Promise<FirstAvailableTimesResponse> {
  const response = await request(calendar.slug, query)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

/** Lists the date and the clock times of each day. */
function listStarts({ days }: FirstAvailableTimesResponse): string[][] {
  return days.map(({ date, slots }) => [date, ...slots.map(({ slot_start }) => slot_start)])
}

async function change(calendar: Calendar, changes: Record<string, unknown>): Promise<void> {
  const response = await owner.patch(`/api/calendars/${calendar.id}/slot-settings`, changes)
  expect(response.statusCode, response.body).toBe(200)
}
