import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { describePolicy } from '#core/appointments/describe-policy.ts'
import { DEFAULT_POLICY } from '#core/appointments/policy.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import {
  addAppointments,
  addAppointmentType,
  addLocation,
  connectStripe,
  setPrimaryLocation,
} from '#tests/support/stored-rows.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' }, calendar: 'file' })

const DEFAULTS = {
  duration: 30,
  prepare_minutes: 0,
  wrap_up_minutes: 0,
  start_step_minutes: null,
  is_packed: false,
  description: null,
  color: '#3498db',
  price: null,
  fee_note: null,
  stripe_price_id: null,
  is_online: false,
  location_id: null,
  payment_required: false,
  seats: null,
  shows_seats: true,
  is_listed: true,
  booking_window: null,
  policy: null,
  series_rule: null,
  booking_limits: [],
  hours: [],
  location: null,
}

test('a type needs no more than a name', async () => {
  const response = await ask('POST', '', { name: '  Check-up ' })
  expect(response.statusCode, response.body).toBe(201)
  expect(response.json()).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    calendar_id: calendar.id,
    name: 'Check-up',
    ...DEFAULTS,
  })
})

test('a type is changed in what is sent, keeps the rest, and is removed', async () => {
  const { id } = (await ask('POST', '', { name: 'First', duration: 45, color: '#10b981' })).json()
  const fields = { name: 'Second', description: 'a\nb', color: '#ff0000', is_online: true, duration: 5 }
  const changed = await ask('PATCH', `/${id}`, fields)
  expect(changed.statusCode, changed.body).toBe(200)
  expect(changed.json()).toEqual({ ...DEFAULTS, id, calendar_id: calendar.id, ...fields })
  const renamed = await ask('PATCH', `/${id}`, { name: 'Third' })
  expect(renamed.json()).toEqual({ ...changed.json(), name: 'Third' })
  expect((await ask('DELETE', `/${id}`)).statusCode).toBe(204)
  expectRefusal(await ask('DELETE', `/${id}`), 'appointment_type.not_found')
  expectRefusal(await ask('PATCH', `/${id}`, { name: 'Fourth' }), 'appointment_type.not_found')
})

test('a type keeps its place when it is changed', async () => {
  const location = await addLocation(meridian, owner, { name: 'Loft', address: '1 High Street' })
  const id = await addAppointmentType(meridian, calendar.id, { location_id: location })
  expect((await ask('PATCH', `/${id}`, { name: 'Renamed' })).json()).toMatchObject({
    location_id: location,
    location: { id: location, name: 'Loft', address: '1 High Street', type: 'physical' },
  })
})

describe('the place of a type', () => {
  test('is one of the owner’s or one that the calendar has, and “no-location” takes it away', async () => {
    const own = await addLocation(meridian, owner, { name: 'Own room' })
    const shop = await makeCalendar(meridian, owner)
    const shared = await addLocation(meridian, await makeOwner(meridian), { shareable: true })
    await setPrimaryLocation(meridian, shop.id, shared)
    const { id, location } = (await ask('POST', '', { name: 'A', location_id: own }, shop.id)).json()
    expect(location).toMatchObject({ id: own, name: 'Own room' })
    for (const [choice, stored] of [
      [shared, shared],
      ['no-location', null],
      [own, own],
      [null, null],
    ]) {
      const answer = await ask('PATCH', `/${id}`, { location_id: choice }, shop.id)
      expect([answer.statusCode, answer.json().location_id]).toEqual([200, stored])
    }
  })

  test('customers see the primary location of the calendar when the type has no location', async () => {
    const shop = await makeCalendar(meridian, owner)
    const [main, loft] = [
      await addLocation(meridian, owner, { name: 'Main house', address: '2 High Street' }),
      await addLocation(meridian, owner, { name: 'Loft' }),
    ]
    const [at, online] = [{ location_id: loft }, { is_online: true }]
    for (const [name, values] of Object.entries({ A: {}, B: at, C: online }))
      await ask('POST', '', { name, ...values }, shop.id)
    expect(await listPublicLocations(shop)).toEqual([null, 'Loft', null])

    await setPrimaryLocation(meridian, shop.id, main)
    expect(await listPublicLocations(shop)).toEqual(['Main house', 'Loft', null])
    const calendarUrl = `/api/public/calendars/${shop.slug}`
    expect((await meridian.get(calendarUrl)).json().location).toEqual({
      id: main,
      name: 'Main house',
      address: '2 High Street',
      type: 'physical',
    })
    // The owner sees that the type has no location of its own.
    const own = await ask('GET', '', undefined, shop.id)
    expect(own.json().appointment_types[0]).toMatchObject({ name: 'A', location_id: null, location: null })
  })

  test('is never somebody else’s, shared or not, and never one that does not exist', async () => {
    const stranger = await makeOwner(meridian)
    const foreign = await addLocation(meridian, stranger, { shareable: true })
    const id = await addAppointmentType(meridian, calendar.id)
    for (const location_id of [foreign, randomUUID()]) {
      const body = { name: 'A', location_id }
      for (const response of [await ask('POST', '', body), await ask('PATCH', `/${id}`, body)]) {
        expectRefusal(response, 'location.not_found')
        expect(response.json().errors).toEqual([{ path: 'location_id', message: 'Location not found' }])
      }
    }
    expectRefusal(await ask('POST', '', { name: 'A', location_id: 'somewhere' }), 'request.invalid')
  })

  test('is nowhere for what takes place online', async () => {
    const location_id = await addLocation(meridian, owner)
    const { id } = (await ask('POST', '', { name: 'A', location_id })).json()
    const online = await ask('PATCH', `/${id}`, { is_online: true })
    expect(online.json()).toMatchObject({ is_online: true, location_id: null, location: null })
  })
})

test('a change of what another window has changed meanwhile is refused, and made when that was seen', async () => {
  const { id, ...was } = (await ask('POST', '', { name: 'First', duration: 45 })).json()
  const seen = { name: was.name, duration: was.duration, price: null, location_id: null }
  await ask('PATCH', `/${id}`, { duration: 50 })
  const stale = await ask('PATCH', `/${id}`, { duration: 60, was: seen })
  expectRefusal(stale, 'request.changed_meanwhile')
  expect(stale.json().errors).toEqual([{ path: 'duration', message: 'This was changed in another window.' }])
  const knowing = await ask('PATCH', `/${id}`, { duration: 60, was: { ...seen, duration: 50 } })
  expect(knowing.json()).toMatchObject({ name: 'First', duration: 60 })
})

test('before it is deleted its owner is told how many appointments were booked as it and are still to come', async () => {
  const shop = await makeCalendar(meridian, owner)
  const id = await addAppointmentType(meridian, shop.id)
  const appointment_type_id = id
  await addAppointments(meridian, shop.id, [
    { startsAt: '2027-01-05T09:00:00Z', appointment_type_id },
    { startsAt: '2027-01-05T10:00:00Z', appointment_type_id, status: 'pending_cancellation' },
    { startsAt: '2027-01-05T11:00:00Z', appointment_type_id, status: 'cancelled' },
    { startsAt: '2027-01-05T12:00:00Z' },
    { startsAt: '2027-01-01T09:00:00Z', appointment_type_id },
  ])
  const usage = await ask('GET', `/${id}/usage`, undefined, shop.id)
  expect(usage.json()).toEqual({ future_appointments: 2 })
  expectRefusal(await ask('GET', `/${id}/usage`), 'appointment_type.not_found')
  const stranger = await makeOwner(meridian)
  expectRefusal(await ask('GET', `/${id}/usage`, undefined, shop.id, stranger), 'calendar.forbidden')
})

test.each([
  ['appointment_type.name_required', 'name', { name: ' ' }],
  ['appointment_type.duration_too_short', 'duration', { name: 'A', duration: 4 }],
  ['appointment_type.duration_too_short', 'duration', { name: 'A', duration: 30.5 }],
  ['appointment_type.duration_too_short', 'duration', { name: 'A', duration: 'long' }],
  ['request.invalid', 'duration', { name: 'A', duration: 1_441 }],
  ['request.invalid', 'name', { name: 'x'.repeat(101) }],
  ['request.invalid', 'description', { name: 'A', description: 'x'.repeat(2_001) }],
  ['request.invalid', 'color', { name: 'A', color: 'blue' }],
  ['request.invalid', 'stripe_price_id', { name: 'A', stripe_price_id: 'x'.repeat(256) }],
  ['request.invalid', 'price', { name: 'A', price: -0.01 }],
  ['request.invalid', 'price', { name: 'A', price: 0.001 }],
  ['request.invalid', 'price', { name: 'A', price: 100_000.01 }],
  ['request.invalid', 'seats', { name: 'A', seats: 1 }],
  ['request.invalid', 'seats', { name: 'A', seats: 501 }],
  ['request.invalid', 'fee_note', { name: 'A', fee_note: 'x'.repeat(81) }],
  ['request.invalid', 'fee_note', { name: 'A', fee_note: '€90\npaid at the appointment' }],
] as const)('%s: the %s of %j is refused, for a new type and an old one', async (code, path, body) => {
  const id = await addAppointmentType(meridian, calendar.id)
  for (const response of [await ask('POST', '', body), await ask('PATCH', `/${id}`, body)]) {
    expectRefusal(response, code)
    expect(response.json().errors).toEqual([{ path, message: expect.any(String) }])
  }
})

test('a new type needs a name', async () => {
  expectRefusal(await ask('POST', '', {}), 'appointment_type.name_required')
})

test('the sentences are exact', () => {
  expect(PROBLEMS['appointment_type.name_required'].title).toBe('Name is required')
  expect(PROBLEMS['appointment_type.duration_too_short'].title).toBe('Duration must be at least 5 minutes')
})

describe('price and payment', () => {
  const priced = { name: 'Paid', price: 19.99, stripe_price_id: 'price_1', payment_required: true }

  test('are cleared while no provider is connected', async () => {
    const cleared = { price: null, stripe_price_id: null, payment_required: false }
    const response = await ask('POST', '', priced)
    expect(response.json()).toMatchObject(cleared)
    expect((await ask('PATCH', `/${response.json().id}`, priced)).json()).toMatchObject(cleared)
  })

  test.each([0, 0.01, 19.99, 1_234.56, 100_000])('keep %d to the cent with one', async (price) => {
    const shop = await makeCalendar(meridian, owner)
    await connectStripe(meridian, shop.id)
    const response = await ask('POST', '', { ...priced, price }, shop.id)
    expect(response.json()).toMatchObject({ price, stripe_price_id: 'price_1', payment_required: true })
    expect(await listPublic(shop.slug)).toMatchObject([{ price, payment_required: true }])
  })

  test('have no Stripe price id when PayPal alone is connected; an empty one is none', async () => {
    const shop = await makeCalendar(meridian, owner)
    await connect(shop.id, { paypal_connected: true })
    const { id, ...type } = (await ask('POST', '', priced, shop.id)).json()
    expect(type).toMatchObject({ price: 19.99, stripe_price_id: null, payment_required: true })
    expect((await ask('GET', '', undefined, shop.id)).json()).toMatchObject({
      stripe_connected: false,
      paypal_connected: true,
    })
    await connect(shop.id, { stripe_connected: true })
    const named = await ask('PATCH', `/${id}`, { stripe_price_id: ' price_2 ' }, shop.id)
    expect(named.json()).toMatchObject({ price: 19.99, stripe_price_id: 'price_2' })
    const none = await ask('PATCH', `/${id}`, { stripe_price_id: '', price: null }, shop.id)
    expect(none.json()).toMatchObject({ price: null, stripe_price_id: null })
  })

  async function connect(
    calendar_id: string,
    providers: { stripe_connected?: true; paypal_connected?: true },
  ) {
    await meridian.database.db
      .insertInto('payment_settings')
      .values({ calendar_id, stripe_account_id: 'acct_1', paypal_merchant_id: 'MERCHANT1', ...providers })
      .onConflict((conflict) => conflict.column('calendar_id').doUpdateSet(providers))
      .execute()
  }
})

describe('a fee note', () => {
  const fee_note = '€90, paid at the appointment'

  test('stands in place of a price, for customers too, and a saved price removes it', async () => {
    const shop = await makeCalendar(meridian, owner)
    const { id, ...type } = (await ask('POST', '', { name: 'A', price: 90, fee_note }, shop.id)).json()
    expect(type).toMatchObject({ price: null, fee_note })
    expect(await listPublic(shop.slug)).toMatchObject([{ price: null, fee_note }])
    const renamed = await ask('PATCH', `/${id}`, { name: 'B' }, shop.id)
    expect(renamed.json()).toMatchObject({ name: 'B', fee_note })
    await connectStripe(meridian, shop.id)
    const priced = await ask('PATCH', `/${id}`, { price: 90 }, shop.id)
    expect(priced.json()).toMatchObject({ price: 90, fee_note: null })
    expect((await ask('PATCH', `/${id}`, { fee_note }, shop.id)).json()).toMatchObject({ fee_note: null })
    const free = await ask('PATCH', `/${id}`, { price: null, fee_note: ' ' }, shop.id)
    expect(free.json()).toMatchObject({ price: null, fee_note: null })
  })

  test('is agreed when a customer books: a later change leaves their appointment as it is', async () => {
    const shop = await makeCalendar(meridian, owner)
    const { id } = (await ask('POST', '', { name: 'A', fee_note }, shop.id)).json()
    const booked = await bookAppointment(meridian, shop.slug, { appointment_type_id: id })
    const agreed = { appointment_type_price: null, fee_note, payment_status: 'not_required' }
    expect(booked.json()).toMatchObject(agreed)
    await ask('PATCH', `/${id}`, { fee_note: '€95' }, shop.id)
    const shown = await meridian.get(`/api/public/appointments/${booked.json().id}`)
    expect(shown.json()).toMatchObject(agreed)
    const list = await owner.get(`/api/calendars/${shop.id}/appointments`)
    expect(list.json().appointments).toMatchObject([{ price: null, fee_note }])
    const mail = await meridian.waitForMail(({ text }) => text.includes(booked.json().booking_reference))
    expect(mail.text).toContain(`\nPrice: ${fee_note}\n`)
  })

  test.each([
    ['too long', { fee_note: 'x'.repeat(81) }],
    ['empty', { fee_note: ' ' }],
    ['in two lines', { fee_note: '€90\npaid' }],
    ['with a line separator', { fee_note: '€90\u2028paid' }],
    ['beside a price', { fee_note, price_cents: 9_000 }],
  ])('that is %s is refused by the database', async (_case, values) => {
    await expect(addAppointmentType(meridian, calendar.id, values)).rejects.toThrow(/check constraint/)
  })

  test('of 80 wide characters is stored', async () => {
    const wide = '諾'.repeat(80)
    await addAppointmentType(meridian, calendar.id, { fee_note: wide })
    expect((await ask('POST', '', { name: 'A', fee_note: wide })).json()).toMatchObject({ fee_note: wide })
  })
})

describe('preparation and wrap-up', () => {
  test.each([-5, 245, 12, 2.5, '15', null])('of %j minutes are refused', async (minutes) => {
    const refused = await ask('POST', '', { name: 'Massage', wrap_up_minutes: minutes })
    expectRefusal(refused, 'request.invalid')
    expect(refused.json().errors).toEqual([
      { path: 'wrap_up_minutes', message: 'Please use 0 to 240 minutes, in steps of 5.' },
    ])
  })

  test('are agreed when a customer books: a later change leaves their appointment as it is', async () => {
    const own = await makeCalendar(meridian, owner)
    const work = { prepare_minutes: 240, wrap_up_minutes: 5 }
    const created = await ask('POST', '', { name: 'Massage', ...work }, own.id)
    expect(created.json()).toMatchObject(work)
    const { id } = created.json()
    const startsAt = '2027-01-05T09:00:00Z'
    const booked = await bookAppointment(meridian, own.slug, {
      starts_at: startsAt,
      appointment_type_id: id,
    })
    expect(booked.statusCode, booked.body).toBe(201)
    expect(booked.body).not.toMatch(/prepare|wrap_up/)
    await ask('PATCH', `/${id}`, { prepare_minutes: 0, wrap_up_minutes: 0 }, own.id)
    const { rows } = await meridian.database.execute(
      `select prepare_minutes, wrap_up_minutes,
         occupied = tstzrange('2027-01-05T05:00Z', '2027-01-05T09:35Z') as is_occupied
       from appointments where calendar_id = $1`,
      [own.id],
    )
    expect(rows).toEqual([{ ...work, is_occupied: true }])
  })
})

test('owners see every field of their types, and visitors only those that are not internal', async () => {
  const shop = await makeCalendar(meridian, owner)
  for (const name of ['massage', 'Yoga', 'Consultation'])
    await addAppointmentType(meridian, shop.id, { name })
  const own = (await ask('GET', '', undefined, shop.id)).json().appointment_types
  const visible = own.map(
    ({
      calendar_id: _,
      location_id: __,
      stripe_price_id: ___,
      policy: ____,
      prepare_minutes: _____,
      wrap_up_minutes: ______,
      booking_limits: _______,
      hours: ________,
      start_step_minutes: _________,
      is_packed: __________,
      seats: ___________,
      shows_seats: ____________,
      series_rule: _____________,
      booking_window: ______________,
      ...type
    }: Record<string, unknown>) => ({
      ...type,
      bookable_from: null,
      bookable_until: null,
      bookable_text: null,
      policy_text: describePolicy(DEFAULT_POLICY, { hasPrice: false }),
      series: null,
    }),
  )
  expect(await listPublic(shop.slug)).toEqual(visible)
  const unknown = await meridian.get('/api/public/calendars/nobody/appointment-types')
  expectRefusal(unknown, 'calendar.not_found')
})

test('a type is reached by its own calendar only, and by its owner only', async () => {
  const other = await makeCalendar(meridian, owner)
  const stranger = await makeOwner(meridian)
  const id = await addAppointmentType(meridian, calendar.id, { name: 'Mine' })
  for (const [method, body] of [['PATCH', { name: 'Yours' }], ['DELETE']] as const) {
    expectRefusal(await ask(method, `/${id}`, body, other.id), 'appointment_type.not_found')
    expectRefusal(await ask(method, `/${id}`, body, calendar.id, stranger), 'calendar.forbidden')
    expectRefusal(await ask(method, '/1', body), 'appointment_type.not_found')
  }
  for (const [method, body] of [['GET'], ['POST', { name: 'Yours' }]] as const) {
    expectRefusal(await ask(method, '', body, calendar.id, stranger), 'calendar.forbidden')
    expectRefusal(await ask(method, '', body, randomUUID()), 'calendar.not_found')
  }
  const { appointment_types } = (await ask('GET', '')).json()
  expect(appointment_types).toContainEqual(expect.objectContaining({ id, name: 'Mine' }))
  expect((await ask('GET', '', undefined, other.id)).json()).toEqual({
    appointment_types: [],
    stripe_connected: false,
    paypal_connected: false,
  })
})

test('an appointment survives its type, and is listed under the name it was booked as', async () => {
  const shop = await makeCalendar(meridian, owner)
  const id = await addAppointmentType(meridian, shop.id, { name: 'Massage' })
  expect((await bookAppointment(meridian, shop.slug, { appointment_type_id: id })).statusCode).toBe(201)
  expect((await ask('DELETE', `/${id}`, undefined, shop.id)).statusCode).toBe(204)
  const list = await owner.get(`/api/calendars/${shop.id}/appointments`)
  expect(list.json()).toMatchObject({ total: 1, appointments: [{ appointment_types: { name: 'Massage' } }] })
})

test('a calendar has a hundred types and no more', async () => {
  const shop = await makeCalendar(meridian, owner)
  for (let i = 1; i < LIMITS.typesPerCalendar; i += 1) await addAppointmentType(meridian, shop.id)
  expect((await ask('POST', '', { name: 'Last' }, shop.id)).statusCode).toBe(201)
  const response = await ask('POST', '', { name: 'One more' }, shop.id)
  expectRefusal(response, 'request.invalid')
  expect(response.json().errors).toEqual([
    { path: 'name', message: 'A calendar can have 100 appointment types.' },
  ])
})

/** Lists the name of the location that customers see for each type, in the owner's order. */
async function listPublicLocations({ slug }: Calendar): Promise<(string | null)[]> {
  const response = await meridian.get(`/api/public/calendars/${slug}/appointment-types`)
  const { appointment_types }: { appointment_types: PublicAppointmentType[] } = response.json()
  return appointment_types.map(({ location }) => location?.name ?? null)
}

function ask(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  payload?: Record<string, unknown>,
  calendarId = calendar.id,
  asker = owner,
) {
  const url = `/api/calendars/${calendarId}/appointment-types${path}`
  return meridian.request({
    method,
    url,
    cookie: asker.cookie,
    ...(payload === undefined ? {} : { payload }),
  })
}

async function listPublic(slug: string): Promise<unknown[]> {
  const response = await meridian.get(`/api/public/calendars/${slug}/appointment-types`)
  return response.json().appointment_types
}
