import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createBookingBody } from '#contract/appointments/bookings.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import {
  bookAppointment,
  makeBookingBody,
  makeCalendar,
  PRODUCTION_SETTINGS,
  TEST_MONDAY,
} from '#tests/support/meridian.ts'
import { addAppointmentType, addLocation, setPrimaryLocation } from '#tests/support/stored-rows.ts'
import { createBooking } from './customer-booking.ts'
import { requestCancellation } from './use-cases.ts'

const CALLER = { client: { address: '203.0.113.7', network: null }, ownerId: null }

setUpOwner({
  env: { ...PRODUCTION_SETTINGS, DEFAULT_PLAN: 'enterprise', BASE_URL: 'https://book.example' },
})

test('a visitor books a time, and both are told with a calendar file and a way to cancel', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const response = await bookAppointment(meridian, calendar.slug)
  expect(response.statusCode, response.body).toBe(201)
  const booked = response.json()
  expect(booked).toMatchObject({
    status: 'confirmed',
    payment_status: 'not_required',
    date: '2027-01-04',
    start_time: '09:00:00',
    end_time: '09:30:00',
    time_zone: 'Europe/London',
    customer_time_zone: 'Europe/London',
    confirmation_email_queued: true,
  })

  const toCustomer = await meridian.waitForMail(({ to }) => to.address === 'grace@example.com')
  const toOwner = await meridian.waitForMail(({ to }) => to.address === owner.email)
  expect(toCustomer.text).toContain(`https://book.example/cancel/${booked.id}`)
  expect(toCustomer.text).toContain(booked.booking_reference)
  const [invitation, copy] = [toCustomer.attachments[0], toOwner.attachments[0]]
  expect(invitation?.contentType).toBe('text/calendar; charset=utf-8; method=REQUEST')
  expect(invitation?.content).toContain('METHOD:REQUEST')
  // Mail clients do not offer a REQUEST to its own organizer, so the owner's file uses PUBLISH.
  expect(copy?.content).toContain('METHOD:PUBLISH')
  for (const file of [invitation, copy]) {
    expect(file?.content).toContain(`UID:${booked.id}@book.example`)
    expect(file?.content).toContain('DTSTART:20270104T090000Z')
    expect(file?.content).toContain('SEQUENCE:0')
  }
})

describe('when mails cannot be queued', () => {
  const logged: unknown[] = []
  const makeDeps = () => ({
    ...meridian.deps,
    log: { error: (...entry: unknown[]) => void logged.push(entry), warn: () => {} },
    jobs: { insert: () => Promise.reject(new Error('Queue appointment-mail does not exist')) },
  })

  test('the booking stands and says so, and the log says why', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const body = createBookingBody.parse(makeBookingBody())
    const booked = await createBooking(makeDeps(), { slug: calendar.slug, key: 'key', body, caller: CALLER })
    expect(booked.confirmation_email_queued).toBe(false)
    expect(await getPublic(booked.id)).toMatchObject({ status: 'confirmed' })
    const again = await createBooking(meridian.deps, {
      slug: calendar.slug,
      key: 'key',
      body,
      caller: CALLER,
    })
    expect(again).toEqual(booked)
    expect(logged).toEqual([
      [
        {
          err: expect.objectContaining({ message: 'Queue appointment-mail does not exist' }),
          kinds: ['booking_confirmation', 'owner_booking_notice'],
        },
        'mails could not be queued',
      ],
    ])
  })

  test('the ledger names none that is not on its way', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const body = createBookingBody.parse(makeBookingBody())
    const booked = await createBooking(makeDeps(), { slug: calendar.slug, key: null, body, caller: CALLER })
    expect(booked.confirmation_email_queued).toBe(false)
    expect(await getPublic(booked.id)).toMatchObject({ status: 'confirmed' })
    const { rows } = await meridian.database.execute(
      'select id from appointment_messages where appointment_id = $1',
      [booked.id],
    )
    expect(rows).toEqual([])
    expect(logged.at(-1)).toEqual([
      expect.objectContaining({
        err: expect.objectContaining({ message: expect.stringContaining('appointment-mail') }),
      }),
      'mails could not be queued',
    ])
  })

  test.each([
    ['for want of room on the disk', '53100'],
    ['when the database refuses their jobs', '42P01'],
  ])('%s nothing is booked either, and the same request may be sent again', async (_when, code) => {
    const calendar = await makeCalendar(meridian, owner)
    const refusal = sql.raw(`do $$ begin raise 'refused' using errcode = '${code}'; end $$`)
    const jobs = { insert: async (trx: Trx) => void (await refusal.execute(trx)) }
    const request = {
      slug: calendar.slug,
      key: 'key',
      body: createBookingBody.parse(makeBookingBody()),
      caller: CALLER,
    }
    await expect(createBooking({ ...makeDeps(), jobs }, request)).rejects.toMatchObject({ code })
    const { rows } = await meridian.database.execute('select id from appointments where calendar_id = $1', [
      calendar.id,
    ])
    expect(rows).toEqual([])
    expect(await createBooking(meridian.deps, request)).toMatchObject({ confirmation_email_queued: true })
  })

  test('a request to cancel stands', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const { id } = await bookOk(calendar.slug)
    await requestCancellation(makeDeps(), id)
    expect(await getPublic(id)).toMatchObject({ status: 'pending_cancellation' })
  })
})

test('what only the server decides is ignored when a visitor sends it', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const appointment_type_id = await addAppointmentType(meridian, calendar.id, { price_cents: 4_000 })
  const { booking_reference, ...booked } = await bookOk(calendar.slug, {
    appointment_type_id,
    price: 0,
    price_cents: 0,
    appointment_type_price: 0,
    status: 'pending_payment',
    payment_status: 'paid',
    ends_at: '2027-01-04T17:00:00Z',
    end_time: '17:00:00',
    location_id: crypto.randomUUID(),
    location_name: 'My place',
    booking_reference: 'BK-1',
    customer: { name: 'Grace', email: 'grace@example.com', client_id: 'C1', id: crypto.randomUUID() },
  })
  expect(booking_reference).not.toBe('BK-1')
  expect(booked).toMatchObject({
    status: 'confirmed',
    payment_status: 'pending',
    appointment_type_price: 40,
    ends_at: '2027-01-04T09:30:00.000Z',
    location_name: null,
  })
})

describe('the title of an appointment', () => {
  const template = 'Talk with {{professional_full_name}}'
  test.each([
    { case: 'what was typed', typed: '  Knee ', type: 'Check-up', template, title: 'Knee' },
    { case: 'the name of the type', typed: ' ', type: 'Check-up', template, title: 'Check-up' },
    { case: "'Appointment', when it was cleared", typed: '', type: null, template, title: 'Appointment' },
    { case: 'the calendar’s template', typed: null, type: null, template, title: 'Talk with Ada Lovelace' },
    {
      case: 'a sentence of our own',
      typed: null,
      type: null,
      template: '',
      title: 'Appointment with Studio',
    },
  ])('is $case', async ({ typed, type, template, title }) => {
    const calendar = await makeCalendar(meridian, owner, {
      name: 'Studio',
      default_appointment_title: template,
    })
    const appointment_type_id =
      type === null ? null : await addAppointmentType(meridian, calendar.id, { name: type })
    expect(await bookOk(calendar.slug, { title: typed, appointment_type_id })).toMatchObject({ title })
  })

  test('is never longer than a typed one may be', async () => {
    const calendar = await makeCalendar(meridian, owner, {
      name: 'n'.repeat(LIMITS.calendarName),
      default_appointment_title: '{{calendar_name}} '.repeat(10),
    })
    expect((await bookOk(calendar.slug)).title).toHaveLength(LIMITS.appointmentTitle)
  })

  test('is cut between characters', async () => {
    const calendar = await makeCalendar(meridian, owner, {
      name: `${'n'.repeat(LIMITS.calendarName - 2)}👍`,
      // With this title, the last character of the name comes at the last allowed position of the title.
      default_appointment_title: `${'t'.repeat(LIMITS.appointmentTitle - LIMITS.calendarName + 1)}{{calendar_name}}`,
    })
    expect((await bookOk(calendar.slug)).title).toMatch(/^t{101}n{98}$/)
  })
})

test.each([
  ['Asia/Kathmandu', 'Asia/Kathmandu'],
  ['asia/KATMANDU', 'Asia/Kathmandu'],
  ['Mars/Olympus', null],
  ['', null],
  [null, null],
])('a visitor’s time zone %j is kept as %j', async (time_zone, customer_time_zone) => {
  const calendar = await makeCalendar(meridian, owner)
  expect(await bookOk(calendar.slug, { time_zone })).toMatchObject({
    time_zone: 'Europe/London',
    customer_time_zone,
  })
})

test('markup in what a visitor writes is text, in the answer and in the mails', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const name = '<img src=x onerror=alert(1)> & Co'
  const email = 'markup@example.com'
  const booked = await bookOk(calendar.slug, { title: name, description: name, customer: { name, email } })
  expect(booked).toMatchObject({ title: name, description: name })
  const mail = await meridian.waitForMail(({ to }) => to.address === email)
  expect(mail.html).not.toContain('<img src=x')
  expect(mail.html).toContain('&lt;img src=x')
})

describe('a customer', () => {
  test('is found again by the same address, and keeps the record that the owner knows', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const first = { name: 'Grace Hopper', email: 'grace@example.com', phone: '+1 555 0100' }
    const second = { name: 'G. Hopper', email: '  GRACE@Example.com ', phone: '+1 555 0199' }
    await bookOk(calendar.slug, { customer: first })
    await bookOk(calendar.slug, { customer: second, starts_at: '2027-01-04T10:00:00Z' })

    const { db } = meridian.database
    const stored = await db
      .selectFrom('customers')
      .selectAll()
      .where('calendar_id', '=', calendar.id)
      .execute()
    expect(stored).toEqual([expect.objectContaining({ ...first, client_id: `C${TEST_MONDAY}` })])
    const known = { id: stored[0]?.id, client_id: `C${TEST_MONDAY}` }
    expect((await listForOwner(calendar.id)).map((row) => row.customers)).toEqual([
      { ...first, ...known, phone_numbers: [] },
      { name: 'G. Hopper', phone: '+1 555 0199', email: first.email, ...known, phone_numbers: [] },
    ])
  })

  test('and each booking have a number of their own, although the clock stands still', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const references: string[] = []
    for (const [email, starts_at] of [
      ['a@example.com', '2027-01-04T09:00:00Z'],
      ['b@example.com', '2027-01-04T09:30:00Z'],
      ['c@example.com', '2027-01-04T10:00:00Z'],
    ]) {
      const booked = await bookOk(calendar.slug, { starts_at, customer: { name: 'X', email } })
      references.push(booked.booking_reference)
    }
    expect(references).toEqual([`BK-${TEST_MONDAY}`, `BK-${TEST_MONDAY + 1}`, `BK-${TEST_MONDAY + 2}`])
    expect((await listForOwner(calendar.id)).map((row) => row.customers.client_id)).toEqual([
      `C${TEST_MONDAY}`,
      `C${TEST_MONDAY + 1}`,
      `C${TEST_MONDAY + 2}`,
    ])
  })

  test('is nowhere in a public answer: no client id, no address, no phone', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const customer = { name: 'Grace', email: 'secret@example.com', phone: '+1 555 0100' }
    const booked = await bookAppointment(meridian, calendar.slug, { customer })
    const asked = await meridian.get(`/api/public/appointments/${booked.json().id}`)
    const cancelled = await meridian.post(`/api/public/appointments/${booked.json().id}/cancellation-request`)
    for (const { body } of [booked, asked, cancelled]) {
      // Match the whole number in any notation: 555 alone would also match one id in 216.
      expect(body).not.toMatch(/client|customer_id|secret@|555\D?0100|"C\d{13}"/i)
    }
  })
})

test('what was agreed stays when the type and the place are changed or removed', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const location = await addLocation(meridian, owner, { name: 'Harley Street', address: '12' })
  await setPrimaryLocation(meridian, calendar.id, location)
  const appointment_type_id = await addAppointmentType(meridian, calendar.id, {
    name: 'Massage',
    price_cents: 4_050,
  })
  const { id } = await bookOk(calendar.slug, { appointment_type_id })
  const agreed = {
    title: 'Massage',
    appointment_type_name: 'Massage',
    appointment_type_price: 40.5,
    location_name: 'Harley Street',
    location_address: '12',
    ends_at: '2027-01-04T09:30:00.000Z',
  }
  const { db } = meridian.database
  await db.updateTable('appointment_types').set({ name: 'Other', price_cents: 1, duration: 60 }).execute()
  await db.updateTable('locations').set({ name: 'Moved', address: 'away' }).execute()
  expect(await getPublic(id)).toMatchObject(agreed)
  await db.deleteFrom('appointment_types').where('id', '=', appointment_type_id).execute()
  await db.deleteFrom('locations').where('id', '=', location).execute()
  expect(await getPublic(id)).toMatchObject(agreed)
})

async function bookOk(slug: string, body: Record<string, unknown> = {}) {
  const response = await bookAppointment(meridian, slug, body)
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

async function getPublic(id: string) {
  return (await meridian.get(`/api/public/appointments/${id}`)).json()
}

async function listForOwner(calendarId: string): Promise<{ customers: Record<string, unknown> }[]> {
  const url = `/api/calendars/${calendarId}/appointments?filter=upcoming`
  return (await owner.get(url)).json().appointments
}
