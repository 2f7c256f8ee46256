import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { createOwnAppointmentBody } from '#contract/appointments/owner-booking.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  TEST_MONDAY,
  type TestOwner,
} from '#tests/support/meridian.ts'
import {
  addAppointment,
  addAppointmentType,
  addLocation,
  connectStripe,
  setPrimaryLocation,
} from '#tests/support/stored-rows.ts'
import type { OwnerBookingDeps } from './deps.ts'
import { createOwnAppointment } from './owner-booking.ts'

// A calendar without appointment types, where Monday 10:00 to 10:30 is booked.
setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' }, calendar: 'file' })
beforeAll(async () => {
  expect(
    (await bookAppointment(meridian, calendar.slug, { starts_at: '2027-01-04T10:00:00Z' })).statusCode,
  ).toBe(201)
})

const HOUR_MS = 60 * 60 * 1000

test('the owner books for a customer, who gets a confirmation; the owner gets no notice of it', async () => {
  const answer = await bookOwn(calendar, {
    starts_at: '2027-01-05T09:00:00Z',
    description: 'Phoned on Monday',
    customer: { name: 'Grace Hopper', email: ' Grace.Phone@example.com ', phone: '+44 1' },
  })
  expect(answer.statusCode, answer.body).toBe(201)
  expect(answer.json()).toMatchObject({
    status: 'confirmed',
    payment_status: 'not_required',
    starts_at: '2027-01-05T09:00:00.000Z',
    ends_at: '2027-01-05T09:30:00.000Z',
    customer_time_zone: null,
    description: 'Phoned on Monday',
    title: `Appointment with ${calendar.name}`,
    confirmation_email_queued: true,
    confirmation_email_wanted: true,
  })
  expect(await listMailKinds(answer.json().id)).toEqual(['booking_confirmation'])
  const mail = await meridian.waitForMail(({ to }) => to.address === 'Grace.Phone@example.com')
  expect(mail.text).toContain(answer.json().booking_reference)
  const { appointments } = await listRows(calendar)
  expect(appointments).toMatchObject([
    { booked_by: 'customer' },
    { booked_by: 'owner', customers: { name: 'Grace Hopper', phone: '+44 1' } },
  ])
})

describe('a time that customers are not offered', () => {
  test.each<[string, ProblemCode, Record<string, unknown>]>([
    ['before opening', 'booking.outside_hours', { date: '2027-01-06', time: '07:00' }],
    ['running past closing', 'booking.outside_hours', { date: '2027-01-06', time: '16:45' }],
    ['on a closed day', 'booking.outside_hours', { date: '2027-01-09', time: '10:00' }],
    ['off the grid', 'booking.off_grid', { date: '2027-01-06', time: '11:10' }],
    ['too long', 'booking.too_long', { date: '2027-01-07', time: '13:00', duration: 125 }],
    ['that has begun', 'booking.already_begun', { starts_at: '2027-01-04T07:59:00Z' }],
  ])('%s is asked about, and booked when the owner says so', async (_case, code, when) => {
    expectRefusal(await bookOwn(calendar, when), code)
    const answer = await bookOwn(calendar, { ...when, outside_hours: true })
    expect(answer.statusCode, answer.body).toBe(201)
  })

  test('is offered to nobody else once it is booked', async () => {
    const own = await makeCalendar(meridian, owner)
    await bookOwn(own, { date: '2027-01-05', time: '09:10', outside_hours: true })
    const slots = await meridian.get(`/api/public/calendars/${own.slug}/slots?date=2027-01-05`)
    expect(slots.json().slots[0]).toMatchObject({ slot_start: '10:00:00' })
  })

  test.each<[string, ProblemCode, string]>([
    ['more than 24 hours ago', 'booking.too_long_ago', '2027-01-03T07:59:00Z'],
    ['more than 730 days ahead', 'booking.too_far_ahead', '2029-01-03T08:01:00Z'],
    ['in the year 0', 'booking.too_long_ago', '0000-01-03T10:00:00Z'],
    ['in the year 9999', 'booking.too_far_ahead', '9999-12-31T23:59:00Z'],
  ])('%s is refused whatever the owner says', async (_case, code, starts_at) => {
    expectRefusal(await bookOwn(calendar, { starts_at, outside_hours: true }), code)
  })

  test('somebody who walked in yesterday is noted, and gets no mail about it', async () => {
    const answer = await bookOwn(calendar, {
      starts_at: '2027-01-03T08:00:00Z',
      outside_hours: true,
      customer: { name: 'Walk In', email: 'walk.in@example.com' },
    })
    expect(answer.json()).toMatchObject({
      confirmation_email_queued: false,
      confirmation_email_wanted: false,
    })
    expect(await listMailKinds(answer.json().id)).toEqual([])
  })
})

describe('a time that somebody has', () => {
  test.each([false, true])('is refused, outside_hours %s', async (outside_hours) => {
    for (const time of ['10:00', '09:45', '10:29']) {
      const when = { date: '2027-01-04', time, outside_hours }
      expectRefusal(await bookOwn(calendar, when), 'booking.slot_unavailable')
    }
  })

  test('is refused within the buffer too', async () => {
    const own = await makeCalendar(meridian, owner)
    await setCalendar(own, { buffer_time_minutes: 15 })
    await bookAppointment(meridian, own.slug, { starts_at: '2027-01-04T10:00:00Z' })
    for (const time of ['09:16', '10:44']) {
      const when = { date: '2027-01-04', time, outside_hours: true }
      expectRefusal(await bookOwn(own, when), 'booking.slot_unavailable')
    }
    const free = await bookOwn(own, { date: '2027-01-04', time: '10:45', outside_hours: true })
    expect(free.statusCode, free.body).toBe(201)
  })

  test('is refused at a place that another calendar has taken, and only there', async () => {
    const [one, other] = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
    const place = await addLocation(meridian, owner)
    for (const { id } of [one, other]) await setPrimaryLocation(meridian, id, place)
    await bookAppointment(meridian, one.slug, { starts_at: '2027-01-04T10:00:00Z' })
    const when = { date: '2027-01-04', time: '10:20', outside_hours: true }
    expectRefusal(await bookOwn(other, when), 'booking.location_conflict')
    const free = await bookOwn(other, { ...when, time: '10:30' })
    expect(free.json()).toMatchObject({ location_name: 'Harley Street' })
  })
})

describe('a time that was typed', () => {
  test('in the hour that the spring skips is read with the offset before it', async () => {
    const when = { date: '2027-03-28', time: '01:30' }
    expect((await judge(calendar, when)).json()).toMatchObject({
      starts_at: '2027-03-28T01:30:00.000Z',
      reading: 'skipped',
      reasons: ['outside_hours'],
    })
    const booked = await bookOwn(calendar, { ...when, outside_hours: true })
    expect(booked.json()).toMatchObject({ date: '2027-03-28', start_time: '02:30:00' })
  })

  test('in the hour that the autumn repeats means the first of the two', async () => {
    const when = { date: '2027-10-31', time: '01:30' }
    expect((await judge(calendar, when)).json()).toMatchObject({
      starts_at: '2027-10-31T00:30:00.000Z',
      reading: 'repeated',
    })
    const booked = await bookOwn(calendar, { ...when, outside_hours: true })
    expect(booked.json()).toMatchObject({ starts_at: '2027-10-31T00:30:00.000Z', start_time: '01:30:00' })
  })

  test('is judged before it is booked, with its end', async () => {
    const free = await judge(calendar, { date: '2027-01-11', time: '10:00', duration: '45' })
    expect(free.json()).toEqual({
      starts_at: '2027-01-11T10:00:00.000Z',
      ends_at: '2027-01-11T10:45:00.000Z',
      time_zone: 'Europe/London',
      hour_cycle: 'h12',
      reading: 'once',
      reasons: [],
      external_event: null,
      conflicting_appointment: null,
      buffer_minutes: null,
      reached_limits: [],
      bookable_dates: { from: null, until: null, is_of_type: false },
      special_day: null,
      unchecked_calendars: [],
    })
    const taken = await judge(calendar, { starts_at: '2027-01-04T10:15:00Z' })
    expect(taken.json()).toMatchObject({
      reasons: ['busy', 'off_grid'],
      conflicting_appointment: { calendar_id: calendar.id, starts_at: '2027-01-04T10:00:00.000Z' },
      buffer_minutes: null,
    })
  })

  test('of a calendar that takes no bookings is not offered, and the owner can book it', async () => {
    const paused = await makeCalendar(meridian, owner)
    const { db } = meridian.database
    await db.updateTable('calendars').set({ takes_bookings: false }).where('id', '=', paused.id).execute()
    const when = { date: '2027-01-11', time: '10:00' }
    expect((await judge(paused, when)).json()).toMatchObject({ reasons: ['paused'] })
    expect((await bookOwn(paused, when)).statusCode).toBe(201)
  })

  test('that only the buffer around an appointment stands against says so', async () => {
    const buffered = await makeCalendar(meridian, owner)
    await meridian.database.execute('update calendars set buffer_time_minutes = 10 where id = $1', [
      buffered.id,
    ])
    await addAppointment(meridian, buffered.id, { startsAt: '2027-01-11T10:00:00Z' })
    const near = await judge(buffered, { date: '2027-01-11', time: '10:35', duration: '30' })
    expect(near.json()).toMatchObject({ reasons: ['buffer', 'off_grid'], buffer_minutes: 10 })
    const taken = await judge(buffered, { date: '2027-01-11', time: '10:15', duration: '30' })
    expect(taken.json()).toMatchObject({ reasons: ['busy', 'off_grid'], buffer_minutes: null })
  })

  test('that only preparation or wrap-up stands against says so, and is refused', async () => {
    const own = await makeCalendar(meridian, owner)
    await addAppointment(meridian, own.id, {
      startsAt: '2027-01-11T10:00:00Z',
      prepare_minutes: 15,
      wrap_up_minutes: 30,
    })
    const typeId = await addAppointmentType(meridian, own.id, { prepare_minutes: 20 })
    const at = (time: string) => ({ date: '2027-01-11', time, appointment_type_id: typeId })
    for (const time of ['09:20', '10:45', '11:15']) {
      expect((await judge(own, at(time))).json()).toMatchObject({
        reasons: ['preparation', 'off_grid'],
        conflicting_appointment: { starts_at: '2027-01-11T10:00:00.000Z' },
        buffer_minutes: null,
      })
      expectRefusal(await bookOwn(own, { ...at(time), outside_hours: true }), 'booking.slot_unavailable')
    }
    expect((await judge(own, at('11:20'))).json()).toMatchObject({ reasons: ['off_grid'] })
    expect((await bookOwn(own, { ...at('11:20'), outside_hours: true })).statusCode).toBe(201)
  })
})

describe('what is agreed', () => {
  test('with types one has to be chosen; it says how long, how much and where, and payment can wait', async () => {
    const own = await makeCalendar(meridian, owner, { payment_required: true })
    await connectStripe(meridian, own.id)
    const typeId = await addAppointmentType(meridian, own.id, {
      name: 'Massage',
      duration: 180,
      price_cents: 9_000,
    })
    const when = { date: '2027-01-05', time: '09:00' }
    expectRefusal(await bookOwn(own, when), 'booking.service_required')
    expectRefusal(await bookOwn(own, { ...when, appointment_type_id: randomUUID() }), 'booking.type_unknown')
    const chosen = { ...when, appointment_type_id: typeId }
    expectRefusal(await bookOwn(own, { ...chosen, duration: 30 }), 'request.invalid')
    // The type takes 180 minutes, but at most 120 are free.
    expectRefusal(await bookOwn(own, chosen), 'booking.too_long')
    expect((await bookOwn(own, { ...chosen, outside_hours: true })).json()).toMatchObject({
      appointment_type_name: 'Massage',
      appointment_type_price: 90,
      title: 'Massage',
      end_time: '12:00:00',
      payment_status: 'pending',
    })
  })

  test.each<[string, ProblemCode, Record<string, unknown>]>([
    ['no name', 'booking.customer_name_required', { customer: { name: '  ' } }],
    ['no customer', 'booking.customer_name_required', { customer: undefined }],
    ['half an address', 'auth.invalid_email', { customer: { name: 'A', email: 'a@b' } }],
    ['no time', 'booking.time_required', { date: undefined, time: undefined }],
    ['half a time', 'booking.time_required', { time: undefined }],
    ['two times', 'booking.time_required', { starts_at: '2027-01-05T12:00:00Z' }],
    ['the time 24:00', 'booking.time_required', { time: '24:00' }],
    ['seconds', 'request.invalid', { date: undefined, time: undefined, starts_at: '2027-01-05T12:00:01Z' }],
    ['4 minutes', 'booking.duration_invalid', { duration: 4 }],
    ['481 minutes', 'booking.duration_invalid', { duration: 481 }],
    ['a novel', 'request.invalid', { description: 'x'.repeat(5_001) }],
  ])('with %s it is refused', async (_case, code, over) => {
    expectRefusal(await bookOwn(calendar, { date: '2027-01-05', time: '12:00', ...over }), code)
  })
})

describe('the customer', () => {
  test('without an address is known by name and phone number, however they are written', async () => {
    const own = await makeCalendar(meridian, owner)
    const people = [
      { name: 'Alan Turing', phone: '+44 (20) 7946-0958' },
      { name: ' alan turing ', phone: '+442079460958', email: '' },
      { name: 'Alan Turing', phone: '+44 20 7946 0959' },
      { name: 'Alan Turing' },
      { name: 'ALAN TURING', phone: '' },
      { name: 'Alan Turing', phone: '+44 (20) 7946-0958', email: 'alan@example.com' },
    ]
    const ids = new Map<number, string>()
    for (const [i, customer] of people.entries()) {
      const answer = await bookOwn(own, { starts_at: halfHour(i), customer })
      expect(answer.json()).toMatchObject({ confirmation_email_wanted: i === 5 })
    }
    for (const [i, row] of (await listRows(own)).appointments.entries()) ids.set(i, row.customers.client_id)
    expect(ids.get(1)).toBe(ids.get(0))
    expect(ids.get(4)).toBe(ids.get(3))
    expect(new Set(ids.values()).size).toBe(4)
  })

  test('without an address is one customer, whatever form the letters and the number have', async () => {
    const own = await makeCalendar(meridian, owner)
    const people = [
      { name: 'Zoë O’Dea-Ört', phone: '020 7946 0958' },
      { name: "Zoe\u0308 O'DEA ÖRT", phone: '+44 (0)20 7946 0958' },
      { name: 'Zoë O’Dea-Ört', phone: '020 7946 0958 ext. 7' },
      { name: 'Zoe O’Dea-Ort', phone: '020 7946 0958' },
    ]
    for (const [i, customer] of people.entries()) await bookOwn(own, { starts_at: halfHour(i), customer })
    const { appointments } = await listRows(own)
    const [first, second, ...others] = appointments.map((row: AppointmentRow) => row.customers.client_id)
    expect(second).toBe(first)
    expect(new Set([first, ...others]).size).toBe(3)
    expect(appointments[1].customers.name).toBe("Zo\u00eb O'DEA ÖRT")
  })

  test('with an address is the one who booked with it before, and keeps their record', async () => {
    const own = await makeCalendar(meridian, owner)
    await bookAppointment(meridian, own.slug)
    await bookOwn(own, {
      starts_at: halfHour(3),
      customer: { name: 'G. Hopper', email: 'GRACE@example.com ', phone: '1' },
    })
    const { appointments } = await listRows(own)
    expect(appointments[1].customers.client_id).toBe(appointments[0].customers.client_id)
    expect(appointments.map((row: { customers: { name: string } }) => row.customers.name)).toEqual([
      'Grace Hopper',
      'G. Hopper',
    ])
    expect(await search(own, 'grace@')).toMatchObject([{ name: 'Grace Hopper', phone: null }])
  })

  test('is not written to when the owner does not want that', async () => {
    const customer = { name: 'Quiet', email: 'quiet@example.com' }
    const when = { starts_at: '2027-01-12T09:00:00Z', customer, notify_customer: false }
    const answer = await bookOwn(calendar, when)
    expect(answer.json()).toMatchObject({ confirmation_email_wanted: false })
    expect(await listMailKinds(answer.json().id)).toEqual([])
  })

  test('stays booked when the confirmation cannot be queued, and the answer says so', async () => {
    const own = await makeCalendar(meridian, owner)
    const deps: OwnerBookingDeps = {
      ...meridian.deps,
      log: { error: () => {}, warn: () => {} },
      checkExternalCalendars: async () => {},
      verifyExternalCalendars: async () => true,
      jobs: { insert: () => Promise.reject(new Error('Queue appointment-mail does not exist')) },
    }
    const body = createOwnAppointmentBody.parse({
      starts_at: halfHour(0),
      customer: { name: 'Unlucky', email: 'unlucky@example.com' },
    })
    // The cast is needed because only the session guard creates an `OwnerId`, and no request exists here.
    const input = { calendarId: own.id, key: null, body }
    expect(await createOwnAppointment(deps, owner.id as OwnerId, input)).toMatchObject({
      status: 'confirmed',
      confirmation_email_queued: false,
      confirmation_email_wanted: true,
    })
    expect((await listRows(own)).total).toBe(1)
  })
})

describe('a double click', () => {
  test('books once under one key, mails once, and answers alike', async () => {
    const own = await makeCalendar(meridian, owner)
    const send = () => bookOwn(own, { customer: { name: 'A', email: 'twice@example.com' } }, 'key-1')
    const answers = await Promise.all([send(), send(), send()])
    expect(answers.map((answer) => answer.statusCode)).toEqual([201, 201, 201])
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
    expect(await listMailKinds(answers[0].json().id)).toEqual(['booking_confirmation'])
    expectRefusal(await bookOwn(own, { starts_at: halfHour(2) }, 'key-1'), 'request.key_reused')
    meridian.clock.ms = TEST_MONDAY + 2 * HOUR_MS
    // A repeated request gets the same response even after the appointment has begun.
    expect((await send()).body).toBe(answers[0].body)
  })

  test('a question does not use the key up', async () => {
    const own = await makeCalendar(meridian, owner)
    const when = { date: '2027-01-05', time: '20:00' }
    expectRefusal(await bookOwn(own, when, 'key-1'), 'booking.outside_hours')
    expect((await bookOwn(own, { ...when, outside_hours: true }, 'key-1')).statusCode).toBe(201)
  })
})

test('a stranger neither books, nor judges a time, nor finds a customer', async () => {
  const { cookie } = await makeOwner(meridian)
  const stranger = { ...owner, cookie }
  for (const id of [calendar.id, randomUUID(), 'none']) {
    const code = id === calendar.id ? 'calendar.forbidden' : 'calendar.not_found'
    const theirs = { ...calendar, id }
    expectRefusal(await bookOwn(theirs, { starts_at: halfHour(5) }, undefined, stranger), code)
    expectRefusal(await judge(theirs, { starts_at: halfHour(5) }, stranger), code)
    expectRefusal(await meridian.as({ cookie }).get(`/api/calendars/${id}/customers?search=grace`), code)
  }
})

function bookOwn(
  { id }: Pick<Calendar, 'id'>,
  body: Record<string, unknown> = {},
  key?: string,
  { cookie }: TestOwner = owner,
): Promise<LightMyRequestResponse> {
  const isTimed = 'starts_at' in body || 'date' in body || 'time' in body
  return meridian.request({
    method: 'POST',
    url: `/api/calendars/${id}/appointments`,
    cookie,
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    payload: {
      ...(isTimed ? {} : { starts_at: halfHour(0) }),
      customer: { name: 'Grace Hopper' },
      ...body,
    },
  })
}

/** Returns the start of the i-th half hour of Monday's opening hours. */
function halfHour(i: number): string {
  return new Date(TEST_MONDAY + HOUR_MS + i * 30 * 60_000).toISOString()
}

function judge(
  { id }: Pick<Calendar, 'id'>,
  when: Record<string, string>,
  { cookie }: TestOwner = owner,
): Promise<LightMyRequestResponse> {
  return meridian.as({ cookie }).get(`/api/calendars/${id}/appointment-time?${new URLSearchParams(when)}`)
}

async function search({ id }: Calendar, text: string): Promise<unknown> {
  const url = `/api/calendars/${id}/customers?${new URLSearchParams({ search: text })}`
  return (await meridian.as(owner).get(url)).json().customers
}

async function listRows({ id }: Calendar) {
  return (await meridian.as(owner).get(`/api/calendars/${id}/appointments?filter=upcoming`)).json()
}

async function setCalendar({ id }: Calendar, values: { buffer_time_minutes: number }): Promise<void> {
  await meridian.database.db.updateTable('calendars').set(values).where('id', '=', id).execute()
}

/** Lists the kinds of all queued emails about an appointment, sent or not. */
async function listMailKinds(appointmentId: string): Promise<unknown[]> {
  const { rows } = await meridian.database.execute(
    `select message.kind from appointment_messages as message
       join pgboss.job on data ->> 'messageId' = message.id::text
     where appointment_id = $1 order by 1`,
    [appointmentId],
  )
  return rows.map((row) => row.kind)
}
