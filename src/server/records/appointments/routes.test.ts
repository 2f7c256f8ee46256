import { describe, expect, test } from 'vitest'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner, TEST_MONDAY } from '#tests/support/meridian.ts'
import {
  addAppointment,
  addAppointments,
  addAppointmentType,
  addLocation,
} from '#tests/support/stored-rows.ts'

setUpOwner({ env: { DEFAULT_PLAN: 'enterprise' } })

const HOUR_MS = 60 * 60 * 1000

test('a row says who comes when, for what, where and how it stands', async () => {
  const calendar = await makeCalendar(meridian, owner, { name: 'Studio', timezone: 'Asia/Kathmandu' })
  const location_id = await addLocation(meridian, owner, { name: 'Loft', address: '1 High Street' })
  const type = await addAppointmentType(meridian, calendar.id, {
    name: 'Talk',
    price_cents: 4_050,
    location_id,
  })
  const booked = await bookAppointment(meridian, calendar.slug, {
    appointment_type_id: type,
    starts_at: '2027-01-05T03:15:00Z',
    description: 'Notes',
    customer: { name: 'Grace', email: 'grace@example.com', phone: '+1 555 0100' },
  })
  expect(await list(calendar.id, 'upcoming')).toEqual({
    total: 1,
    page: 1,
    page_size: 10,
    appointments: [
      {
        id: booked.json().id,
        calendar_id: calendar.id,
        calendar_name: 'Studio',
        calendar_color: '#3498db',
        date: '2027-01-05',
        start_time: '09:00:00',
        end_time: '09:30:00',
        starts_at: '2027-01-05T03:15:00.000Z',
        ends_at: '2027-01-05T03:45:00.000Z',
        time_zone: 'Asia/Kathmandu',
        hour_cycle: 'h12',
        title: 'Talk',
        typed_title: null,
        description: 'Notes',
        status: 'confirmed',
        payment_status: 'pending',
        paid_in_sandbox: false,
        awaits_email_code: false,
        cancellation_asked_at: null,
        location_withdrawn: false,
        no_show: false,
        is_offer: false,
        is_test: false,
        policy: {
          moving: { kind: 'until', hours: 24, times: null },
          cancelling: { kind: 'by_request' },
          refunds: [],
        },
        policy_text:
          'You can move this appointment until 24 hours before it starts. You can request cancellation until it starts. Refunds are decided case by case.',
        refund_shares: { most: null, least: null },
        refund: null,
        booking_reference: booked.json().booking_reference,
        booked_by: 'customer',
        color: '#3498db',
        delay: { minutes: null, told: 0 },
        session: null,
        series: null,
        has_answers: false,
        undelivered_messages: 0,
        waiting_messages: 0,
        stripe_payment_intent_id: null,
        is_online: false,
        price: 40.5,
        fee_note: null,
        currency: 'eur',
        location: { name: 'Loft', address: '1 High Street' },
        customers: {
          id: expect.any(String),
          name: 'Grace',
          email: 'grace@example.com',
          phone: '+1 555 0100',
          // The number is too short for a North American one.
          phone_numbers: [],
          client_id: expect.stringMatching(/^C\d{13}$/),
        },
        appointment_types: {
          name: 'Talk',
          is_online: false,
          price: 40.5,
          location: { name: 'Loft', address: '1 High Street' },
        },
      },
    ],
  })
})

test('a row without a type says where, how and for how much all the same', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const place = { location_name: 'Loft', location_address: '1 High Street' }
  const agreed = { is_online: true, price_cents: 4_050, currency: 'gbp', ...place }
  await addAppointment(meridian, calendar.id, { startsAt: '2027-01-05T09:00:00Z', ...agreed })
  const { appointments } = await list(calendar.id, 'upcoming')
  expect(appointments[0]).toMatchObject({
    appointment_types: null,
    is_online: true,
    price: 40.5,
    currency: 'gbp',
    location: { name: 'Loft', address: '1 High Street' },
  })
})

test('a phone number is as it was typed, with what its links dial in the country of the calendar', async () => {
  const calendar = await makeCalendar(meridian, owner, { timezone: 'Europe/Vienna' })
  const customer_phone = '0660 123456 / +44 (0)20 7946 0958 ext. 12'
  await addAppointment(meridian, calendar.id, { startsAt: '2027-01-05T09:00:00Z', customer_phone })
  const { appointments } = await list(calendar.id, 'upcoming')
  expect(appointments[0]?.customers).toMatchObject({
    phone: customer_phone,
    phone_numbers: [
      { typed: '0660 123456', dials: '+43660123456' },
      { typed: '+44 (0)20 7946 0958 ext. 12', dials: '+442079460958;ext=12' },
    ],
  })
})

test('times are the calendar’s present zone, whatever it was at booking', async () => {
  const calendar = await makeCalendar(meridian, owner, { timezone: 'Europe/London' })
  await addAppointment(meridian, calendar.id, { startsAt: '2027-01-05T23:30:00Z' })
  await meridian.database.db
    .updateTable('calendars')
    .set({ timezone: 'Europe/Paris' })
    .where('id', '=', calendar.id)
    .execute()
  const { appointments } = await list(calendar.id, 'upcoming')
  expect(appointments[0]).toMatchObject({
    date: '2027-01-06',
    start_time: '00:30:00',
    time_zone: 'Europe/Paris',
  })
})

test('upcoming begins with the calendar’s today, and past ends before it', async () => {
  // 08:00 UTC on Monday is 21:00 on Monday in Auckland, where that day began at 11:00 UTC on Sunday.
  const calendar = await makeCalendar(meridian, owner, { timezone: 'Pacific/Auckland' })
  const [yesterday, today] = await addAppointments(meridian, calendar.id, [
    { startsAt: '2027-01-03T10:29:00Z' },
    { startsAt: '2027-01-03T11:00:00Z' },
  ])
  expect(await listIds(calendar.id, 'upcoming')).toEqual([today])
  expect(await listIds(calendar.id, 'past')).toEqual([yesterday])
  meridian.clock.ms = Date.parse('2027-01-04T10:59:59.999Z')
  expect(await listIds(calendar.id, 'upcoming')).toEqual([today])
  meridian.clock.ms += 1
  expect(await listIds(calendar.id, 'upcoming')).toEqual([])
  expect(await listIds(calendar.id, 'past')).toEqual([today, yesterday])
})

test('upcoming is earliest first, past and all are newest first, and ended holds are nowhere', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const [lastWeek, yesterday, tomorrow, nextWeek] = await addAppointments(meridian, calendar.id, [
    { startsAt: '2026-12-28T10:00:00Z' },
    { startsAt: '2027-01-03T10:00:00Z', status: 'cancelled' },
    { startsAt: '2027-01-05T10:00:00Z', status: 'pending_cancellation' },
    { startsAt: '2027-01-11T10:00:00Z' },
    {
      startsAt: '2027-01-05T12:00:00Z',
      status: 'pending_payment',
      hold_expires_at: new Date(TEST_MONDAY),
      released_at: new Date(TEST_MONDAY),
    },
  ])
  expect(await listIds(calendar.id, 'upcoming')).toEqual([tomorrow, nextWeek])
  expect(await listIds(calendar.id, 'past')).toEqual([yesterday, lastWeek])
  expect(await listIds(calendar.id, 'all')).toEqual([nextWeek, tomorrow, yesterday, lastWeek])
  const unfiltered = (await owner.get(`/api/calendars/${calendar.id}/appointments`)).json()
  expect(unfiltered).toEqual(await list(calendar.id, 'upcoming'))
})

describe.each(['upcoming', 'past', 'all'] as const)('the pages of %s', (filter) => {
  test('are the plain list in tens, from either end', async () => {
    const calendar = await makeCalendar(meridian, owner)
    await addAppointments(meridian, calendar.id, hourly('2026-12-20T00:00:00Z', 37))
    await addAppointments(meridian, calendar.id, hourly('2027-01-10T00:00:00Z', 37))
    const { rows } = await meridian.database.execute(
      `select id from appointments
       where calendar_id = $1 and ($2 = 'all' or (starts_at < '2027-01-04') = ($2 = 'past'))
       order by starts_at, id`,
      [calendar.id, filter],
    )
    const plain = rows.map((row) => row.id)
    if (filter !== 'upcoming') plain.reverse()
    const pages = Math.ceil(plain.length / 10)
    for (let page = 1; page <= pages; page += 1) {
      const answer = await list(calendar.id, filter, page)
      expect(answer).toMatchObject({ total: plain.length, page, page_size: 10 })
      expect(answer.appointments.map((row: AppointmentRow) => row.id)).toEqual(
        plain.slice((page - 1) * 10, page * 10),
      )
    }
  })
})

test.each([1, 10, 20])('a page beyond the end of %d appointments is empty', async (count) => {
  const calendar = await makeCalendar(meridian, owner)
  await addAppointments(meridian, calendar.id, hourly('2027-01-10T00:00:00Z', count))
  for (const page of [Math.ceil(count / 10) + 1, Math.ceil(count / 10) + 2, 1_000_000]) {
    expect(await list(calendar.id, 'all', page)).toMatchObject({ appointments: [], total: count, page })
  }
})

test('a calendar without appointments has an empty first page', async () => {
  const calendar = await makeCalendar(meridian, owner)
  expect(await list(calendar.id, 'all')).toEqual({ appointments: [], total: 0, page: 1, page_size: 10 })
})

test.each(['filter=soon', 'page=0', 'page=-1', 'page=1.5', 'page=two', 'page=1000001'])(
  'a list with %s is refused',
  async (query) => {
    const calendar = await makeCalendar(meridian, owner)
    const response = await owner.get(`/api/calendars/${calendar.id}/appointments?${query}`)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'request.invalid' })
  },
)

test('somebody else’s appointments are refused with the exact sentence', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const stranger = await makeOwner(meridian)
  const response = await stranger.get(`/api/calendars/${calendar.id}/appointments`)
  expect(response.statusCode).toBe(403)
  expect(response.json()).toMatchObject({
    code: 'calendar.forbidden',
    title: "You don't have permission to edit this calendar's availability.",
  })
})

test('the dashboard shows the next ten over all own calendars that are not over or cancelled', async () => {
  const [me, other] = [await makeOwner(meridian), await makeOwner(meridian)]
  const [one, two] = [await makeCalendar(meridian, me), await makeCalendar(meridian, me)]
  const foreign = await makeCalendar(meridian, other)
  await addAppointment(meridian, foreign.id, { startsAt: '2027-01-04T09:00:00Z' })
  const [, running, first] = await addAppointments(meridian, one.id, [
    { startsAt: '2027-01-04T07:15:00Z' },
    { startsAt: '2027-01-04T07:45:00Z', minutes: 60, status: 'pending_payment' },
    { startsAt: '2027-01-05T09:00:00Z' },
    { startsAt: '2027-01-05T11:00:00Z', status: 'cancelled' },
    {
      startsAt: '2027-01-05T12:00:00Z',
      status: 'pending_payment',
      hold_expires_at: new Date(TEST_MONDAY),
      released_at: new Date(TEST_MONDAY),
    },
  ])
  const [second, ...later] = await addAppointments(meridian, two.id, hourly('2027-01-05T10:00:00Z', 9))
  const response = await me.get('/api/appointments/upcoming')
  const { appointments, total } = response.json()
  expect(total).toBe(11)
  expect(appointments.map((row: AppointmentRow) => row.id)).toEqual([
    running,
    first,
    second,
    ...later.slice(0, 7),
  ])
  expect(appointments[2]).toMatchObject({ calendar_id: two.id, calendar_name: two.name })
})

async function list(calendarId: string, filter: string, page = 1) {
  const url = `/api/calendars/${calendarId}/appointments?filter=${filter}&page=${page}`
  const response = await owner.get(url)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

async function listIds(calendarId: string, filter: string): Promise<string[]> {
  return (await list(calendarId, filter)).appointments.map((row: AppointmentRow) => row.id)
}

function hourly(from: string, count: number): { startsAt: string }[] {
  return Array.from({ length: count }, (_, i) => ({
    startsAt: new Date(Date.parse(from) + i * HOUR_MS).toISOString(),
  }))
}
