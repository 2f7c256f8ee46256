import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { describePolicy } from '#core/appointments/describe-policy.ts'
import { DEFAULT_POLICY } from '#core/appointments/policy.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  PRODUCTION_SETTINGS,
  TEST_MONDAY,
} from '#tests/support/meridian.ts'
import { addAppointment, addHost, connectStripe } from '#tests/support/stored-rows.ts'

setUpOwner({
  env: { ...PRODUCTION_SETTINGS, DEFAULT_PLAN: 'enterprise', BASE_URL: 'https://book.example:8443' },
  owner: { name: 'Meredith Ellis Grey' },
})

describe('a new calendar', () => {
  test('needs no more than a name', async () => {
    const response = await create({ name: '  Dr. Grey  ' })
    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: owner.id,
      person: { id: owner.id, name: 'Meredith Ellis Grey', is_owner: true },
      slug: 'dr-grey',
      name: 'Dr. Grey',
      description: null,
      color: '#3498db',
      category: null,
      professional_first_name: 'Meredith',
      professional_last_name: 'Ellis',
      timezone: 'Europe/London',
      hour_cycle: 'h12',
      appointment_title_required: true,
      default_appointment_title: 'Appointment with {{calendar_name}}',
      payment_enabled: true,
      payment_required: false,
      email_confirmation_required: false,
      policy: DEFAULT_POLICY,
      takes_bookings: true,
      embed_sites: null,
      is_connected_to_google: false,
      reminder_settings: {
        enabled: true,
        hours: 24,
        template: expect.stringContaining('{customer_name}'),
        sender_name: 'Dr. Grey',
        sender_email: 'appointments@book.example',
        subject: 'Reminder: Your upcoming appointment',
      },
      product_email: 'appointments@book.example',
      domain_settings: { type: 'path', path: null, subdomain: null, custom_domain: null },
      public_url: 'https://book.example:8443/book/dr-grey',
      created_at: '2027-01-04T08:00:00.000Z',
      updated_at: '2027-01-04T08:00:00.000Z',
    })
  })

  test('keeps every field, and shows visitors what they may know', async () => {
    const fields = {
      name: 'Sunrise Yoga',
      description: 'Two\nlines',
      category: 'Yoga teacher',
      slug: 'sunrise',
      color: '#10b981',
      timezone: 'Asia/Tokyo',
      appointment_title_required: false,
      default_appointment_title: 'Class with {{professional_full_name}}',
      payment_required: true,
    }
    const response = await create(fields)
    expect(response.json()).toMatchObject(fields)
    const calendar: Calendar = response.json()
    expect((await meridian.get('/api/public/calendars/sunrise')).json()).toEqual({
      calendar_id: calendar.id,
      slug: 'sunrise',
      calendar_name: 'Sunrise Yoga',
      calendar_description: 'Two\nlines',
      calendar_color: '#10b981',
      public_url: calendar.public_url,
      created_at: calendar.created_at,
      updated_at: calendar.updated_at,
      appointment_title_required: false,
      default_appointment_title: 'Class with {{professional_full_name}}',
      professional_first_name: 'Meredith',
      professional_last_name: 'Ellis',
      professional_initials: 'ME',
      category: 'Yoga teacher',
      payment_required: true,
      timezone: 'Asia/Tokyo',
      hour_cycle: 'h12',
      location: null,
      policy: DEFAULT_POLICY,
      policy_text: describePolicy(DEFAULT_POLICY, { hasPrice: false }),
      is_paused: false,
      bookable_from: null,
      bookable_until: null,
      bookable_text: null,
      email_confirmation_required: false,
      closed_text: null,
      questions: [],
    })
  })

  test.each([
    ['europe/london', 'Europe/London'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
  ])('in %s has the zone %s', async (timezone, stored) => {
    expect((await create({ name: 'Zoned', timezone })).json()).toMatchObject({ timezone: stored })
  })

  test('opens Monday to Friday from nine to five', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const url = `/api/public/calendars/${calendar.slug}/days?from=2027-01-04&to=2027-01-10`
    const { days } = (await meridian.get(url)).json()
    expect(days.map((day: { open_slots: number }) => day.open_slots)).toEqual([16, 16, 16, 16, 16, 0, 0])
  })

  test.each([
    ['calendar.name_required', { name: '' }],
    ['calendar.name_required', { name: ' \t' }],
    ['calendar.name_required', {}],
    ['calendar.time_zone_unknown', { name: 'A', timezone: 'Mars/Olympus' }],
    ['calendar.time_zone_unknown', { name: 'A', timezone: '+01:00' }],
    ['request.invalid', { name: 'x'.repeat(101) }],
    ['request.invalid', { name: 'A', color: 'red' }],
    ['request.invalid', { name: 'A', payment_required: 'yes' }],
  ] as const)('is refused as %s for %j', async (code, body) => {
    const before = await countCalendars()
    expectRefusal(await create(body), code)
    expect(await countCalendars()).toBe(before)
  })
})

describe('the booking link', () => {
  test.each([
    ['gets a number when it is taken', 'Twice', ['twice', 'twice-2', 'twice-3']],
    ['passes over a reserved word', 'Dashboard', ['dashboard-2']],
    ['stays as short as a link may be', 'x'.repeat(100), ['x'.repeat(60), `${'x'.repeat(58)}-2`]],
  ])('made from a name %s', async (_case, name, slugs) => {
    for (const slug of slugs) expect((await create({ name })).json()).toMatchObject({ slug })
  })

  test.each(['日本語', 'Кабинет', '!!!'])('made from %s is random', async (name) => {
    const { slug } = (await create({ name })).json()
    expect(slug).toMatch(/^calendar-[0-9a-f]{8}$/)
    expect((await meridian.get(`/api/public/calendars/${slug}`)).statusCode).toBe(200)
  })

  test('gets a random ending when its numbers are used up', async () => {
    await meridian.database.db
      .insertInto('public_calendars')
      .values(
        Array.from({ length: 20 }, (_, i) => ({
          slug: i === 0 ? 'busy' : `busy-${i + 1}`,
          calendar_id: null,
        })),
      )
      .execute()
    expect((await create({ name: 'Busy' })).json().slug).toMatch(/^busy-[0-9a-f]{8}$/)
  })

  test.each([
    ['calendar.slug_reserved', 'login'],
    ['calendar.slug_invalid', 'my practice'],
    ['calendar.slug_invalid', 'müller'],
    ['calendar.slug_invalid', '-a'],
    ['calendar.slug_invalid', 'a--b'],
    ['request.invalid', 'a'.repeat(61)],
  ] as const)('typed by hand is refused as %s for %s', async (code, slug) => {
    expectRefusal(await create({ name: 'A', slug }), code)
  })

  test('typed by hand is taken in small letters, once', async () => {
    expect((await create({ name: 'A', slug: ' My-Practice ' })).json()).toMatchObject({ slug: 'my-practice' })
    expectRefusal(await create({ name: 'B', slug: 'my-practice' }), 'calendar.slug_taken')
  })

  test.each([
    [
      'a proven subdomain',
      { host: 'grey.book.example', kind: 'subdomain', state: 'live' } as const,
      { type: 'subdomain', subdomain: 'grey.book.example' },
      'https://grey.book.example:8443',
    ],
    [
      'a proven domain',
      { host: 'grey.example', kind: 'custom', state: 'live' } as const,
      { type: 'custom', custom_domain: 'grey.example' },
      'https://grey.example:8443',
    ],
    [
      'the slug while a domain is not proven',
      { host: 'pending.example', kind: 'custom', state: 'pending' } as const,
      { type: 'custom', custom_domain: 'pending.example' },
      'https://book.example:8443/book/{slug}',
    ],
    ['a path', null, { type: 'path', path: 'meredith' }, 'https://book.example:8443/book/meredith'],
    ['a domain without a name', null, { type: 'custom' }, 'https://book.example:8443/book/{slug}'],
    ['settings that make no sense', null, { type: 7, path: [] }, 'https://book.example:8443/book/{slug}'],
  ])('leads to %s', async (_case, host, domain, url) => {
    const owner = await makeOwner(meridian, { tier: 'business' })
    const { id, slug } = await makeCalendar(meridian, owner)
    const { db } = meridian.database
    await db
      .updateTable('calendars')
      .set({ domain_settings: JSON.stringify(domain) })
      .where('id', '=', id)
      .execute()
    if (host !== null) await addHost(meridian, id, host)
    const public_url = url.replace('{slug}', slug)
    for (const address of [`/api/calendars/${id}`, `/api/public/calendars/${slug}`]) {
      expect((await owner.get(address)).json()).toMatchObject({
        public_url,
      })
    }
  })
})

describe('the list of calendars', () => {
  test('is the owner’s own, newest first', async () => {
    const [me, other] = [await makeOwner(meridian), await makeOwner(meridian)]
    const ids: string[] = []
    for (const _ of [1, 2, 3]) {
      ids.unshift((await makeCalendar(meridian, me)).id)
      meridian.clock.ms += 1
    }
    await makeCalendar(meridian, other)
    const { calendars } = (await me.get('/api/calendars')).json()
    expect(calendars.map((calendar: Calendar) => calendar.id)).toEqual(ids)
    const one = await me.get(`/api/calendars/${ids[0]}`)
    expect(one.json()).toEqual(calendars[0])
  })
})

test.each(['GET', 'DELETE', 'PATCH'] as const)('%s of a calendar asks who is asking', async (method) => {
  const { id, slug } = await makeCalendar(meridian, owner)
  const stranger = await makeOwner(meridian)
  const ask = (calendarId: string, cookie?: string) =>
    meridian.request({
      method,
      url: `/api/calendars/${calendarId}`,
      cookie,
      ...(method === 'PATCH' ? { payload: {} } : {}),
    })
  expectRefusal(await ask(id), 'auth.required')
  expectRefusal(await ask(id, stranger.cookie), 'calendar.forbidden')
  expectRefusal(await ask(randomUUID(), owner.cookie), 'calendar.not_found')
  expectRefusal(await ask('1', owner.cookie), 'calendar.not_found')
  expect((await meridian.get(`/api/public/calendars/${slug}`)).statusCode).toBe(200)
})

describe('deleting a calendar', () => {
  test('retires its link for good', async () => {
    const { id, slug } = await makeCalendar(meridian, owner)
    const booked = (await bookAppointment(meridian, slug)).json()
    expect((await remove(id)).statusCode).toBe(204)
    expectRefusal(await remove(id), 'calendar.not_found')
    expectRefusal(await meridian.get(`/api/public/calendars/${slug}`), 'calendar.not_found')
    expectRefusal(await bookAppointment(meridian, slug), 'calendar.not_found')
    expectRefusal(await meridian.get(`/api/public/appointments/${booked.id}`), 'appointment.not_found')
    expectRefusal(await create({ name: 'Again', slug }), 'calendar.slug_taken')
  })

  test('tells the customers of appointments that lie ahead, and keeps what was paid', async () => {
    const { id, slug } = await makeCalendar(meridian, owner)
    const ahead = '2027-01-05T10:00:00Z'
    const told = [
      await addAppointment(meridian, id, { startsAt: ahead }),
      await addAppointment(meridian, id, {
        startsAt: '2027-01-05T11:00:00Z',
        status: 'pending_cancellation',
      }),
      await addAppointment(meridian, id, { startsAt: '2027-01-05T12:00:00Z', status: 'pending_payment' }),
    ]
    const hold = { status: 'pending_payment', hold_expires_at: new Date(TEST_MONDAY) } as const
    await addAppointment(meridian, id, { startsAt: '2027-01-04T07:00:00Z' })
    await addAppointment(meridian, id, { startsAt: ahead, status: 'cancelled' })
    await addAppointment(meridian, id, { startsAt: '2027-01-05T13:00:00Z', ...hold })
    await addAppointment(meridian, id, { startsAt: ahead, ...hold, released_at: new Date(TEST_MONDAY) })
    const outlook = await owner.get(`/api/calendars/${id}/outlook`)
    expect(outlook.json()).toMatchObject({ future_appointments: told.length, without_email: 0 })
    await meridian.database.execute(
      `insert into payment_transactions (calendar_id, id, amount_cents, provider, status, payment_id)
       values ($1, $2, 4000, 'stripe', 'completed', 'pi_1')`,
      [id, randomUUID()],
    )

    expect((await remove(id)).statusCode).toBe(204)
    const queued = await meridian.database.execute(
      `select data -> 'facts' ->> 'appointmentId' as id from pgboss.job
       where data ->> 'kind' = 'calendar_closed' and data -> 'facts' -> 'calendar' ->> 'slug' = $1`,
      [slug],
    )
    expect(queued.rows.map((row) => row.id).sort()).toEqual(told.sort())
    const mail = await meridian.waitForMail(({ attachments }) =>
      attachments.some((file) => file.content.includes(`UID:${told[0]}@`)),
    )
    expect(mail.attachments[0]?.content).toContain('METHOD:CANCEL')
    expect(mail.to.address).toMatch(/^stored-\d+@example.com$/)
    const kept = await meridian.database.execute(
      'select amount_cents from payment_transactions where calendar_id = $1',
      [id],
    )
    expect(kept.rows).toEqual([{ amount_cents: 4_000 }])
  })
})

test('visitors learn which providers are connected, and no more', async () => {
  const { id, slug } = await makeCalendar(meridian, owner)
  const url = `/api/public/calendars/${slug}/payment-providers`
  const none = { stripe_connected: false, paypal_connected: false, note: null }
  expect((await meridian.get(url)).json()).toEqual(none)
  await connectStripe(meridian, id)
  expect((await meridian.get(url)).json()).toEqual({ ...none, stripe_connected: true })
})

function create(payload: Record<string, unknown>) {
  return owner.post('/api/calendars', payload)
}

function remove(id: string) {
  return owner.delete(`/api/calendars/${id}`)
}

async function countCalendars(): Promise<number> {
  return (await meridian.database.db.selectFrom('calendars').select('id').execute()).length
}
