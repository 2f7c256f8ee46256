import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'
import { MIN_FORM_FILL_MS } from '#core/appointments/bot-signals.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeBookingBody, makeCalendar } from '#tests/support/meridian.ts'
import {
  addAppointmentType,
  addLocation,
  connectStripe,
  setPrimaryLocation,
} from '#tests/support/stored-rows.ts'

// A calendar without appointment types, where Monday 10:00 to 10:30 is booked.
setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' }, calendar: 'file' })
beforeAll(async () => {
  expect(
    (await bookAppointment(meridian, calendar.slug, { starts_at: '2027-01-04T10:00:00Z' })).statusCode,
  ).toBe(201)
})

const INCOMPLETE = PROBLEMS['booking.incomplete'].title

test('the sentences are exact', () => {
  expect(PROBLEMS['booking.incomplete'].title).toBe(INCOMPLETE)
  expect(PROBLEMS['booking.location_conflict'].title).toBe(
    'This time slot conflicts with another appointment at the same location. Please choose a different time.',
  )
})

test.each([
  ['just taken', '2027-01-04T10:00:00Z'],
  ['before opening', '2027-01-04T08:30:00Z'],
  ['running past closing', '2027-01-04T16:45:00Z'],
  ['on a closed day', '2027-01-09T10:00:00Z'],
  ['off the grid', '2027-01-04T11:10:00Z'],
  ['a millisecond off the grid', '2027-01-04T11:00:00.001Z'],
  ['in the past', '2026-12-28T10:00:00Z'],
  ['more than 730 days ahead', '2029-01-08T10:00:00Z'],
  ['in the year 0', '0000-01-03T10:00:00Z'],
  ['in the year 9999', '9999-12-31T23:59:59Z'],
])('a time %s is refused like one that is gone', async (_case, starts_at) => {
  expectRefusal(await bookAppointment(meridian, calendar.slug, { starts_at }), 'booking.slot_unavailable')
})

test.each([
  ['whose hidden field is filled in', { website: 'https://spam.example', form_open_ms: 60_000 }],
  ['that was open for too short', { website: null, form_open_ms: MIN_FORM_FILL_MS - 1 }],
])('a form %s is refused in a sentence, for a booking and for a checkout', async (_which, signs) => {
  expectRefusal(await bookAppointment(meridian, calendar.slug, signs), 'booking.looks_automatic')
  const checkout = await meridian.post(
    `/api/public/calendars/${calendar.slug}/checkouts`,
    makeBookingBody({ ...signs, provider: 'stripe' }),
  )
  expectRefusal(checkout, 'booking.looks_automatic')
})

test('a form that a person filled in is booked, and so is what a program sends openly', async () => {
  const form = { website: '', form_open_ms: MIN_FORM_FILL_MS, starts_at: '2027-01-06T09:00:00Z' }
  expect((await bookAppointment(meridian, calendar.slug, form)).statusCode).toBe(201)
  expect(
    (await bookAppointment(meridian, calendar.slug, { starts_at: '2027-01-06T10:00:00Z' })).statusCode,
  ).toBe(201)
})

test('a time is an instant, whatever offset it is written with', async () => {
  const response = await bookAppointment(meridian, calendar.slug, { starts_at: '2027-01-05T14:45:00+05:45' })
  expect(response.json()).toMatchObject({ date: '2027-01-05', start_time: '09:00:00' })
})

test.each([
  ['name', { name: '', email: 'a@example.com' }],
  ['name', { name: ' \t ', email: 'a@example.com' }],
  ['name', { email: 'a@example.com' }],
  ['name', { name: null, email: 'a@example.com' }],
  ['email', { name: 'A', email: '' }],
  ['email', { name: 'A', email: '   ' }],
  ['email', { name: 'A' }],
])('without a %s the customer %j is incomplete', async (field, customer) => {
  const problem = expectRefusal(
    await bookAppointment(meridian, calendar.slug, { customer }),
    'booking.incomplete',
  )
  expect(problem.title).toBe(INCOMPLETE)
  expect(problem.errors).toEqual([{ path: `customer.${field}`, message: INCOMPLETE }])
})

test.each([
  ['no customer', { customer: undefined }],
  ['no time', { starts_at: undefined }],
  ['a time without a zone', { starts_at: '2027-01-04T11:00:00' }],
  ['a day that does not exist', { starts_at: '2027-02-30T11:00:00Z' }],
  ['an hour that does not exist', { starts_at: '2027-01-04T25:00:00Z' }],
])('with %s the booking is incomplete', async (_case, body) => {
  expectRefusal(await bookAppointment(meridian, calendar.slug, body), 'booking.incomplete')
})

test.each(['nobody', 'a@b', '@example.com', 'a b@example.com', 'a@example.com, b@example.com'])(
  'the address %j is refused with its field',
  async (email) => {
    const response = await bookAppointment(meridian, calendar.slug, { customer: { name: 'A', email } })
    expect(expectRefusal(response, 'auth.invalid_email').errors).toEqual([
      { path: 'customer.email', message: PROBLEMS['auth.invalid_email'].title },
    ])
  },
)

const LINE = 'Please use a single line of text.'
test.each([
  ['customer.name', 'Please use at most 200 characters.', { name: 'x'.repeat(10_000) }],
  ['customer.name', LINE, { name: 'Eve\r\nBcc: all@example.com' }],
  ['customer.name', LINE, { name: 'Eve\u0000' }],
  ['customer.name', LINE, { name: 'Eve\u2028Mallory' }],
  ['customer.phone', 'Please use at most 40 characters.', { phone: '1'.repeat(41) }],
  ['customer.phone', LINE, { phone: '1\n2' }],
])('what does not fit %s is refused: %s', async (path, message, values) => {
  const customer = { name: 'Eve', email: 'eve@example.com', ...values }
  const problem = expectRefusal(
    await bookAppointment(meridian, calendar.slug, { customer }),
    'request.invalid',
  )
  expect(problem.errors).toEqual([{ path, message }])
})

test.each([
  ['title', { title: 'x'.repeat(201) }],
  ['title', { title: 'a\nb' }],
  ['description', { description: 'x'.repeat(5_001) }],
  ['description', { description: 'a\u0000b' }],
  ['time_zone', { time_zone: 'x'.repeat(65) }],
  ['appointment_type_id', { appointment_type_id: '1 or 1=1' }],
])('a %s out of bounds is refused', async (path, body) => {
  const problem = expectRefusal(await bookAppointment(meridian, calendar.slug, body), 'request.invalid')
  expect(problem.errors).toEqual([{ path, message: expect.any(String) }])
})

test('notes keep their line breaks', async () => {
  const body = { description: ' a\r\nb\r\rc ', starts_at: '2027-01-05T11:00:00Z' }
  expect((await bookAppointment(meridian, calendar.slug, body)).json()).toMatchObject({
    description: 'a\nb\n\nc',
  })
})

test.each([
  ['more than 64 KiB', 'request.too_large', JSON.stringify({ description: 'x'.repeat(70_000) })],
  ['no JSON', 'request.invalid', '{"starts_at":'],
  ['nothing', 'request.invalid', ''],
  ['a list', 'request.invalid', '[]'],
  ['a poisoned prototype', 'request.invalid', '{"__proto__":{"admin":true}}'],
] as const)('a body with %s is refused', async (_case, code, payload) => {
  const url = `/api/public/calendars/${calendar.slug}/appointments`
  const headers = { 'content-type': 'application/json' }
  expectRefusal(await meridian.request({ method: 'POST', url, payload, headers }), code)
})

test('a form that another site may send is no booking', async () => {
  const url = `/api/public/calendars/${calendar.slug}/appointments`
  const headers = { 'content-type': 'text/plain' }
  const payload = JSON.stringify(makeBookingBody({ starts_at: '2027-01-04T12:00:00Z' }))
  expectRefusal(await meridian.request({ method: 'POST', url, payload, headers }), 'request.not_json')
})

test('an unknown calendar is a 404', async () => {
  expectRefusal(await bookAppointment(meridian, 'nobody'), 'calendar.not_found')
  expectRefusal(await bookAppointment(meridian, '%00'), 'calendar.not_found')
})

describe('a calendar with types', () => {
  test('wants one of its own', async () => {
    const [typed, other] = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
    await addAppointmentType(meridian, typed.id)
    const foreign = await addAppointmentType(meridian, other.id)
    for (const appointment_type_id of [undefined, null]) {
      expectRefusal(
        await bookAppointment(meridian, typed.slug, { appointment_type_id }),
        'booking.incomplete',
      )
    }
    for (const appointment_type_id of [randomUUID(), foreign]) {
      expectRefusal(
        await bookAppointment(meridian, typed.slug, { appointment_type_id }),
        'booking.type_unknown',
      )
    }
    expect((await bookAppointment(meridian, typed.slug, { appointment_type_id: '' })).statusCode).toBe(400)
  })

  test('does not take one that is longer than it allows', async () => {
    const typed = await makeCalendar(meridian, owner)
    const appointment_type_id = await addAppointmentType(meridian, typed.id, { duration: 121 })
    expectRefusal(
      await bookAppointment(meridian, typed.slug, { appointment_type_id }),
      'booking.slot_unavailable',
    )
  })

  test.each([
    { calendarAsks: true, typeAsks: false, price_cents: 4_000, connected: true, refused: true },
    { calendarAsks: false, typeAsks: true, price_cents: 4_000, connected: true, refused: true },
    { calendarAsks: false, typeAsks: false, price_cents: 4_000, connected: true, refused: false },
    { calendarAsks: true, typeAsks: true, price_cents: 0, connected: true, refused: false },
    { calendarAsks: true, typeAsks: true, price_cents: null, connected: true, refused: false },
    { calendarAsks: true, typeAsks: true, price_cents: 4_000, connected: false, refused: false },
  ])('wants to be paid first: %j', async ({ calendarAsks, typeAsks, price_cents, connected, refused }) => {
    const typed = await makeCalendar(meridian, owner, { payment_required: calendarAsks })
    const appointment_type_id = await addAppointmentType(meridian, typed.id, {
      price_cents,
      payment_required: typeAsks,
    })
    if (connected) await connectStripe(meridian, typed.id)
    const response = await bookAppointment(meridian, typed.slug, { appointment_type_id })
    if (refused) expectRefusal(response, 'booking.payment_required')
    else expect(response.json()).toMatchObject({ payment_status: price_cents ? 'pending' : 'not_required' })
  })
})

test('a time at which the place is taken by another calendar is told so', async () => {
  const [here, there] = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
  const location = await addLocation(meridian, owner)
  for (const { id } of [here, there]) await setPrimaryLocation(meridian, id, location)
  expect((await bookAppointment(meridian, there.slug)).statusCode).toBe(201)
  expectRefusal(await bookAppointment(meridian, here.slug), 'booking.location_conflict')
  // Both the calendar's time and the location are taken: the refusal names the calendar's own appointment.
  expectRefusal(await bookAppointment(meridian, there.slug), 'booking.slot_unavailable')
})

test('nothing is left behind by a refusal', async () => {
  const typed = await makeCalendar(meridian, owner)
  const key = { 'idempotency-key': randomUUID() }
  expectRefusal(
    await bookAppointment(meridian, typed.slug, { starts_at: '2027-01-04T03:00:00Z' }, key),
    'booking.slot_unavailable',
  )
  const { db } = meridian.database
  for (const table of ['customers', 'appointments', 'idempotency_keys'] as const) {
    const rows = await db.selectFrom(table).selectAll().where('calendar_id', '=', typed.id).execute()
    expect(rows, table).toEqual([])
  }
})

type Refused = { statusCode: number; headers: Record<string, unknown>; json: () => unknown }

/** Expects the refusal with this code, its status and sentence, and headers that forbid caching. */
function expectRefusal(response: Refused, code: ProblemCode) {
  const problem = response.json()
  expect(problem).toMatchObject({ code, title: PROBLEMS[code].title, status: PROBLEMS[code].status })
  expect(response.statusCode).toBe(PROBLEMS[code].status)
  expect(response.headers).toMatchObject({
    'content-type': expect.stringContaining('application/problem+json'),
    'cache-control': 'no-store',
  })
  // The cast is safe: the line above has checked the fields.
  return problem as { title: string; errors?: { path: string; message: string }[] }
}
