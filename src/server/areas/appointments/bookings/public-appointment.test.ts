import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CreateBookingResponse, PublicAppointment } from '#contract/appointments/bookings.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, TEST_MONDAY } from '#tests/support/meridian.ts'
import {
  addAppointment,
  addAppointmentType,
  addLocation,
  setPrimaryLocation,
} from '#tests/support/stored-rows.ts'

setUpOwner({ env: { DEFAULT_PLAN: 'enterprise' }, owner: { name: 'Ada Lovelace' } })

const TUESDAY = '2027-01-05T10:00:00Z'
const HOLD = { status: 'pending_payment', hold_expires_at: new Date(TEST_MONDAY + 300_000) } as const

test('whoever has the id sees the appointment, what was agreed and where', async () => {
  const calendar = await makeCalendar(meridian, owner, { name: 'Studio', category: 'Coach' })
  const location = await addLocation(meridian, owner, { name: 'Loft', address: '1 High Street' })
  await setPrimaryLocation(meridian, calendar.id, location)
  const type = await addAppointmentType(meridian, calendar.id, {
    name: 'Talk',
    duration: 60,
    price_cents: 4_999,
  })
  const booked = await bookAppointment(meridian, calendar.slug, {
    appointment_type_id: type,
    description: 'By the window',
    time_zone: 'America/New_York',
  })
  const answer = toPublicReading(booked.json())
  const response = await open('GET', answer.id)
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual(answer)
  expect(response.json()).not.toHaveProperty('manage_token')
  expect(response.json()).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
    booking_reference: expect.stringMatching(/^BK-\d{13}$/),
    status: 'confirmed',
    payment_status: 'pending',
    confirm_email_until: null,
    price_note: null,
    policy_text:
      'It’s too late to move this appointment online. Please contact the practice. You can request cancellation until it starts. Refunds are decided case by case.',
    move_until: '2027-01-03T09:00:00.000Z',
    cancel_until: '2027-01-04T09:00:00.000Z',
    date: '2027-01-04',
    start_time: '09:00:00',
    end_time: '10:00:00',
    starts_at: '2027-01-04T09:00:00.000Z',
    ends_at: '2027-01-04T10:00:00.000Z',
    is_moved: false,
    time_zone: 'Europe/London',
    hour_cycle: 'h12',
    customer_time_zone: 'America/New_York',
    title: 'Talk',
    description: 'By the window',
    category: 'Coach',
    calendar_slug: calendar.slug,
    calendar_name: 'Studio',
    calendar_category: 'Coach',
    calendar_color: '#3498db',
    calendar_location: 'Loft',
    public_url: calendar.public_url,
    professional_first_name: 'Ada',
    professional_last_name: 'Lovelace',
    appointment_type_id: type,
    appointment_type_name: 'Talk',
    appointment_type_price: 49.99,
    fee_note: null,
    is_online: false,
    location_name: 'Loft',
    location_address: '1 High Street',
  })
})

test.each(['GET', 'cancellation-request', 'DELETE'] as const)(
  'nothing stores, indexes or passes on what %s says, in success and refusal',
  async (operation) => {
    const calendar = await makeCalendar(meridian, owner)
    const status = operation === 'DELETE' ? HOLD : {}
    const id = await addAppointment(meridian, calendar.id, { startsAt: TUESDAY, ...status })
    const answers = [await open(operation, id), await open(operation, randomUUID())]
    expect(answers.map((answer) => answer.statusCode)).toEqual([operation === 'DELETE' ? 204 : 200, 404])
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      })
    }
  },
)

describe.each(['GET', 'cancellation-request', 'DELETE'] as const)('%s', (operation) => {
  test.each([
    ['an unknown id', '2c5ea4c0-4067-4f3b-8f4e-3d2f4f0f7a11'],
    ['what is no id', 'BK-1'],
    ['what PostgreSQL cannot read', '%00'],
  ])('of %s finds no appointment', async (_case, id) => {
    expectRefusal(await open(operation, id), 'appointment.not_found')
  })

  test('of a hold that has ended finds no appointment', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const id = await addAppointment(meridian, calendar.id, {
      startsAt: TUESDAY,
      ...HOLD,
      released_at: new Date(TEST_MONDAY),
    })
    expectRefusal(await open(operation, id), 'appointment.not_found')
  })
})

describe('a request to cancel', () => {
  test('waits for the owner, who is told, and keeps the time until then', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const booked = (await bookAppointment(meridian, calendar.slug, { starts_at: TUESDAY })).json()
    meridian.clock.ms += 60_000
    const response = await open('cancellation-request', booked.id)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      id: booked.id,
      status: 'pending_cancellation',
      booking_reference: booked.booking_reference,
    })
    const reading = (await open('GET', booked.id)).json()
    expect(reading).toEqual({ ...toPublicReading(booked), status: 'pending_cancellation' })
    expect(reading).not.toHaveProperty('manage_token')
    expect(await findRow(booked.id)).toMatchObject({ updated_at: new Date(TEST_MONDAY + 60_000) })
    expect(await listStarts(calendar.slug)).not.toContain(TUESDAY)
    const mail = await meridian.waitForMail(({ subject }) =>
      subject.startsWith('Cancellation requested: Grace Hopper'),
    )
    expect(mail.to.address).toBe(owner.email)
    expect(mail.text).toContain(booked.booking_reference)
  })

  test.each([
    ['appointment.cancellation_pending', { status: 'pending_cancellation' }],
    ['appointment.already_cancelled', { status: 'cancelled' }],
    ['appointment.not_confirmed', HOLD],
    ['appointment.past', { startsAt: '2027-01-04T08:00:00Z' }],
    ['appointment.past', { startsAt: '2026-12-01T10:00:00Z' }],
  ] as const)('is refused as %s for %o', async (code, values) => {
    const calendar = await makeCalendar(meridian, owner)
    const id = await addAppointment(meridian, calendar.id, { startsAt: TUESDAY, ...values })
    const before = await findRow(id)
    expectRefusal(await open('cancellation-request', id), code)
    expect(await findRow(id)).toEqual(before)
  })

  test('from a page that shows another date than the appointment has by now is refused (rule B19)', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const id = await addAppointment(meridian, calendar.id, { startsAt: TUESDAY })
    const ask = (seen: string) =>
      meridian.post(
        `/api/public/appointments/${id}/cancellation-request?${new URLSearchParams({ expected_starts_at: seen })}`,
      )
    const before = await findRow(id)
    expectRefusal(await ask('2027-01-06T09:00:00Z'), 'appointment.changed_meanwhile')
    expect(await findRow(id)).toEqual(before)
    expect((await ask(new Date(TUESDAY).toISOString())).statusCode).toBe(200)
  })

  test('is made once', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const id = await addAppointment(meridian, calendar.id, { startsAt: TUESDAY })
    const answers = await Promise.all([open('cancellation-request', id), open('cancellation-request', id)])
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409])
    expectRefusal(await open('cancellation-request', id), 'appointment.cancellation_pending')
  })
})

describe('giving back an unpaid hold', () => {
  test('frees its time and keeps its row for a payment that comes late', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const id = await addAppointment(meridian, calendar.id, { startsAt: TUESDAY, ...HOLD })
    expect(await listStarts(calendar.slug)).not.toContain(TUESDAY)
    const response = await open('DELETE', id)
    expect(response.statusCode).toBe(204)
    expect(response.body).toBe('')
    expect(await listStarts(calendar.slug)).toContain(TUESDAY)
    expect(await findRow(id)).toMatchObject({ status: 'pending_payment', released_at: new Date(TEST_MONDAY) })
    expect((await bookAppointment(meridian, calendar.slug, { starts_at: TUESDAY })).statusCode).toBe(201)
    expectRefusal(await open('DELETE', id), 'appointment.not_found')
  })

  test.each([
    ['is confirmed', { status: 'confirmed' }],
    ['was a hold and is paid', { ...HOLD, status: 'confirmed', payment_status: 'paid' }],
    ['the owner marked as pending', { status: 'pending_payment' }],
    ['is cancelled', { ...HOLD, status: 'cancelled' }],
    ['is asked to be cancelled', { status: 'pending_cancellation' }],
  ] as const)('is refused for an appointment that %s', async (_case, values) => {
    const calendar = await makeCalendar(meridian, owner)
    const id = await addAppointment(meridian, calendar.id, { startsAt: TUESDAY, ...values })
    expectRefusal(await open('DELETE', id), 'appointment.not_pending_payment')
    expect(await findRow(id)).toMatchObject({ status: values.status, released_at: null })
  })
})

/**
 * Returns the public fields of a booking: its response without the fields that only the customer who booked receives.
 */
function toPublicReading(answer: CreateBookingResponse): PublicAppointment {
  const { confirmation_email_queued: _queued, manage_token, further_dates, ...reading } = answer
  expect(further_dates).toEqual([])
  expect(manage_token).not.toBeNull()
  return reading
}

function open(operation: 'GET' | 'DELETE' | 'cancellation-request', id: string) {
  const url = `/api/public/appointments/${id}`
  return operation === 'cancellation-request'
    ? meridian.post(`${url}/cancellation-request`)
    : meridian.request({ method: operation, url })
}

function findRow(id: string) {
  return meridian.database.db.selectFrom('appointments').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Lists the starts that customers are offered on Tuesday, as instants. */
async function listStarts(slug: string): Promise<string[]> {
  const response = await meridian.get(`/api/public/calendars/${slug}/slots?date=2027-01-05`)
  return response.json().slots.map((slot: { starts_at: string }) => slot.starts_at)
}
