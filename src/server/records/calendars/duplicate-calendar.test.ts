import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AppointmentType } from '#contract/availability/appointment-types.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner, type TestOwner } from '#tests/support/meridian.ts'
import { HALF_REFUND_POLICY } from '#tests/support/policies.ts'
import {
  addAppointment,
  addAppointmentType,
  addLocation,
  connectStripe,
  setPrimaryLocation,
} from '#tests/support/stored-rows.ts'
import { COPIED_COLUMNS } from './repository.ts'

setUpCalendar({ owner: { tier: 'enterprise' } })

/** The columns of a calendar that a copy does not take from the original, besides those that are its own. */
const NOT_COPIED = ['is_paused', 'stays_open', 'domain_settings']
const ITS_OWN = [
  'id',
  'user_id',
  'slug',
  'name',
  'color',
  'takes_bookings',
  'copy_key',
  'created_at',
  'updated_at',
]

describe('a copy of a calendar', () => {
  test('has the settings of the original, a name and a link of its own, and takes no bookings', async () => {
    const settings = {
      description: 'By the sea.',
      category: 'Coach',
      timezone: 'Asia/Tokyo',
      hour_cycle: 'h23',
      color: '#8e44ad',
      appointment_title_required: false,
      default_appointment_title: 'Session with {{professional_full_name}}',
      email_confirmation_required: true,
      policy: HALF_REFUND_POLICY,
      embed_sites: ['https://www.example.com'],
      reminder_settings: { hours: 48, subject: 'See you soon' },
    }
    await owner.patch(`/api/calendars/${calendar.id}`, settings)
    await owner.patch(`/api/calendars/${calendar.id}/slot-settings`, {
      slot_duration_minutes: 15,
      buffer_time_minutes: 10,
    })
    const original: Calendar = (await owner.get(`/api/calendars/${calendar.id}`)).json()
    meridian.clock.ms += 60_000
    const copy = await duplicate({ name: ' Evening Practice ' })
    const createdAt = '2027-01-04T08:01:00.000Z'
    expect(copy).toEqual({
      ...original,
      id: expect.any(String),
      name: 'Evening Practice',
      slug: 'evening-practice',
      public_url: original.public_url.replace(original.slug, 'evening-practice'),
      reminder_settings: { ...original.reminder_settings, sender_name: 'Evening Practice' },
      takes_bookings: false,
      created_at: createdAt,
      updated_at: createdAt,
    })
    expect(copy.id).not.toBe(original.id)
    const slots = (await owner.get(`/api/calendars/${copy.id}/availability`)).json()
    expect(slots).toMatchObject({ slot_duration_minutes: 15, buffer_time_minutes: 10 })
    expect((await owner.get(`/api/calendars/${calendar.id}`)).json()).toEqual(original)
  })

  test('can have another colour', async () => {
    expect(await duplicate({ name: 'Red', color: '#e74c3c' })).toMatchObject({ color: '#e74c3c' })
  })

  test('decides about every column of a calendar', async () => {
    const { rows } = await meridian.database.execute(
      `select column_name from information_schema.columns where table_name = 'calendars' and table_schema = 'public'`,
    )
    const known = [...COPIED_COLUMNS, ...NOT_COPIED, ...ITS_OWN]
    expect(rows.map(({ column_name }) => column_name).sort()).toEqual(known.sort())
  })

  test('has the opening hours, and the special days that are not over', async () => {
    await meridian.database.execute('delete from availability where calendar_id = $1', [calendar.id])
    await owner.post(`/api/calendars/${calendar.id}/availability`, {
      day_of_week: 0,
      start_time: '10:00:00',
      end_time: '12:00:00',
    })
    const days = [
      { first_date: '2027-01-04', last_date: '2027-01-05', hours: [], note: 'Away', public_note: null },
      {
        first_date: '2027-02-01',
        last_date: '2027-02-01',
        hours: [
          { start_time: '08:00:00', end_time: '09:00:00' },
          { start_time: '18:00:00', end_time: '20:00:00' },
        ],
        note: null,
        public_note: 'Open late',
      },
    ]
    for (const entry of days) await owner.post(`/api/calendars/${calendar.id}/special-days`, entry)
    meridian.clock.ms = Date.parse('2027-01-06T08:00:00Z')
    const copy = await duplicate({ name: 'Hours' })
    const week = (await owner.get(`/api/calendars/${copy.id}/availability`)).json()
    expect(week.availability).toEqual([
      expect.objectContaining({ day_of_week: 0, start_time: '10:00:00', end_time: '12:00:00' }),
    ])
    const { special_days } = (await owner.get(`/api/calendars/${copy.id}/special-days`)).json()
    expect(special_days).toEqual([{ id: expect.any(String), ...days[1], appointments: 0 }])
    const stored = 'select count(*)::integer as days from special_days where calendar_id = $1'
    expect((await meridian.database.execute(stored, [copy.id])).rows).toEqual([{ days: 1 }])
  })

  test('has the hours of its types', async () => {
    const hours = [
      { day_of_week: 2, start_time: '10:00:00', end_time: '12:00:00' },
      { day_of_week: 0, start_time: '20:00:00', end_time: '24:00:00' },
    ]
    await owner.post(`/api/calendars/${calendar.id}/appointment-types`, { name: 'First visit', hours })
    await owner.post(`/api/calendars/${calendar.id}/appointment-types`, { name: 'Follow-up' })
    const copy = await duplicate({ name: 'Hours of types' })
    const { appointment_types } = (await owner.get(`/api/calendars/${copy.id}/appointment-types`)).json()
    expect(appointment_types.map(({ hours }: AppointmentType) => hours)).toEqual([hours, []])
  })

  test('has the appointment types and the locations of their owner, but none of another owner', async () => {
    const stranger = await makeOwner(meridian)
    const foreign = await addLocation(meridian, stranger, {
      name: 'Shared Rooms',
      shareable: true,
      sharing_code: randomUUID().slice(0, 11),
    })
    const own = await addLocation(meridian, owner, { name: 'Harley Street' })
    await setPrimaryLocation(meridian, calendar.id, foreign)
    await meridian.database.db
      .insertInto('calendar_locations')
      .values({ calendar_id: calendar.id, id: randomUUID(), location_id: own, is_primary: false })
      .execute()
    await addAppointmentType(meridian, calendar.id, {
      name: 'Couple',
      duration: 90,
      prepare_minutes: 10,
      wrap_up_minutes: 20,
      description: 'For two',
      color: '#16a085',
      price_cents: 9_000,
      stripe_price_id: 'price_1',
      payment_required: true,
      location_id: own,
      policy: JSON.stringify(HALF_REFUND_POLICY),
    })
    await addAppointmentType(meridian, calendar.id, {
      name: 'Elsewhere',
      location_id: foreign,
      fee_note: '€40, in cash',
    })
    const copy = await duplicate({ name: 'Types' })
    const { appointment_types } = (await owner.get(`/api/calendars/${copy.id}/appointment-types`)).json()
    expect(appointment_types).toMatchObject([
      {
        calendar_id: copy.id,
        name: 'Couple',
        duration: 90,
        prepare_minutes: 10,
        wrap_up_minutes: 20,
        description: 'For two',
        color: '#16a085',
        price: 90,
        stripe_price_id: 'price_1',
        payment_required: true,
        location: { id: own },
        policy: HALF_REFUND_POLICY,
      },
      { name: 'Elsewhere', location: null, fee_note: '€40, in cash' },
    ])
    const { calendar_locations } = (await owner.get(`/api/calendars/${copy.id}/locations`)).json()
    expect(calendar_locations).toMatchObject([{ location_id: own, is_primary: true }])
  })

  test('has no appointments, customers, waiting list, payment account, address, feed or logins', async () => {
    await addAppointment(meridian, calendar.id, { startsAt: '2027-01-05T09:00:00Z' })
    await connectStripe(meridian, calendar.id)
    await owner.put(`/api/calendars/${calendar.id}/domain`, { type: 'path', path: 'own-path' })
    const copy = await duplicate({ name: 'Bare' })
    const { rows } = await meridian.database.execute(
      `select table_name from information_schema.columns
       where column_name = 'calendar_id' and table_schema = 'public' order by table_name`,
    )
    const filled: string[] = []
    for (const { table_name: table } of rows) {
      const found = await meridian.database.execute(
        `select 1 from ${String(table)} where calendar_id = $1 limit 1`,
        [copy.id],
      )
      if (found.rows.length > 0) filled.push(String(table))
    }
    expect(filled).toEqual(['availability', 'public_calendars', 'setting_history'])
    expect(copy.domain_settings).toEqual({ type: 'path', path: null, subdomain: null, custom_domain: null })
  })

  test('takes no bookings until its owner turns them on', async () => {
    const { id, slug } = await duplicate({ name: 'Off' })
    await owner.put(`/api/calendars/${id}/person`, { name: `Somebody ${id}` })
    expect((await meridian.get(`/api/public/calendars/${slug}`)).json()).toMatchObject({ is_paused: true })
    const url = `/api/public/calendars/${slug}/slots?date=2027-01-05`
    expect((await meridian.get(url)).json().slots).toEqual([])
    expectRefusal(await bookAppointment(meridian, slug), 'calendar.paused')
    const opened = await owner.patch(`/api/calendars/${id}`, { takes_bookings: true })
    expect(opened.json()).toMatchObject({ takes_bookings: true })
    expect((await meridian.get(url)).json().slots).not.toEqual([])
    expect((await bookAppointment(meridian, slug)).statusCode).toBe(201)
    await owner.patch(`/api/calendars/${id}`, { takes_bookings: false })
    expectRefusal(
      await bookAppointment(meridian, slug, { starts_at: '2027-01-04T11:00:00Z' }),
      'calendar.paused',
    )
  })
})

test('a copy has the branding of the original, with its files', async () => {
  const styles = { primary_color: '#ffff00', welcome_message: 'Hello', custom_css: 'h1 { color: teal }' }
  await owner.patch(`/api/calendars/${calendar.id}/branding`, styles)
  const copy = await duplicate({ name: 'Look' })
  expect((await owner.get(`/api/calendars/${copy.id}/branding`)).json()).toMatchObject(styles)
  const { stylesheet } = (await meridian.get(`/api/public/calendars/${copy.slug}/branding`)).json()
  expect(stylesheet).toContain(copy.id)
  expect((await meridian.get(stylesheet)).body).toContain('color:teal')
})

describe('a request for a copy', () => {
  let other: TestOwner

  beforeEach(async () => {
    other = await makeOwner(meridian, { tier: 'professional' })
  })

  test('with the same key makes one copy, and answers with it again', async () => {
    const key = randomUUID()
    const copy = await duplicate({ name: 'Once' }, key)
    expect(await duplicate({ name: 'Once' }, key)).toEqual(copy)
    const { id } = await makeCalendar(meridian, other)
    const theirs = await ask({ name: 'Once' }, { key, by: other, id })
    expect(theirs.statusCode).toBe(201)
    expect(theirs.json()).not.toMatchObject({ id: copy.id })
  })

  test('is refused for a calendar of somebody else, and for one that does not exist', async () => {
    expectRefusal(await ask({ name: 'Theirs' }, { by: other }), 'calendar.forbidden')
    expectRefusal(await ask({ name: 'Nothing' }, { id: randomUUID() }), 'calendar.not_found')
    expectRefusal(
      await meridian.post(`/api/calendars/${calendar.id}/copies`, { name: 'Visitor' }),
      'auth.required',
    )
    const { rows } = await meridian.database.execute('select 1 from calendars where user_id = $1', [other.id])
    expect(rows).toEqual([])
  })

  test('counts towards the calendars of the plan', async () => {
    const { id } = await makeCalendar(meridian, other)
    expect((await ask({ name: 'Second' }, { by: other, id })).statusCode).toBe(201)
    expect((await ask({ name: 'Third' }, { by: other, id })).statusCode).toBe(201)
    expectRefusal(await ask({ name: 'Fourth' }, { by: other, id }), 'calendar.limit_reached')
  })

  test.each([
    ['calendar.name_required', { name: ' ' }],
    ['request.invalid', { name: 'x'.repeat(101) }],
    ['request.invalid', { name: 'A', color: 'red' }],
  ] as const)('is refused as %s for %j', async (code, body) => {
    expectRefusal(await ask(body), code)
  })
})

function ask(
  body: object,
  { by = owner, id = calendar.id, key }: { by?: TestOwner; id?: string; key?: string } = {},
) {
  return meridian.request({
    method: 'POST',
    url: `/api/calendars/${id}/copies`,
    cookie: by.cookie,
    payload: body,
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  })
}

async function duplicate(body: { name: string; color?: string }, key?: string): Promise<Calendar> {
  const answer = await ask(body, key === undefined ? {} : { key })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}
