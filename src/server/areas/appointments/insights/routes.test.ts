import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Insights } from '#contract/appointments/insights.ts'
import type { Calendar, CreateCalendarBody } from '#contract/calendars/calendars.ts'
import { MAX_READ_APPOINTMENTS, MAX_SHOWN_TYPES } from '#core/appointments/insight-range.ts'
import { listUtcOffsetPeriods } from '#core/appointments/utc-offset-periods.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { shortestTimeMs } from '#tests/support/least-time.ts'
import { addManyAppointments } from '#tests/support/many-appointments.ts'
import { makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import { countAppointments } from './repository.ts'

/** The session cookie of each calendar's owner, by calendar id. */
const cookies = new Map<string, string>()

setUpMeridian({ env: { DEFAULT_PLAN: 'enterprise' }, hasWorkers: false })

test('a new calendar has insights without anything in them', async () => {
  const calendar = await openCalendar()
  const insights = await ask(calendar.id)
  expect(insights).toMatchObject({
    time_zone: 'Europe/London',
    first_month: '2026-08',
    last_month: '2027-01',
    is_complete: true,
    appointments: 0,
    money: [],
    types: [],
    other_types: 0,
    hours: [],
  })
  expect(insights.customers).toEqual(MONTHS.map((month) => ({ month, new: 0, returning: 0 })))
  expect(insights.cancellations).toEqual(MONTHS.map((month) => ({ month, appointments: 0, cancelled: 0 })))
  expect(insights.no_shows).toEqual(MONTHS.map((month) => ({ month, appointments: 0, no_shows: 0 })))
  expect(insights.no_show_money).toEqual([])
  // The current week is open on working days from 9:00 to 17:00.
  expect(insights.days.map(({ open_minutes }) => open_minutes)).toEqual([...WEEK, ...WEEK])
  expect(insights.days[0]?.date).toBe('2027-01-04')
})

test('what cannot be counted for is refused', async () => {
  const calendar = await openCalendar()
  const other = await makeOwner(meridian)
  const get = (url: string, cookie?: string) => meridian.as({ cookie }).get(url)
  expect((await get(`/api/calendars/${calendar.id}/insights`)).statusCode).toBe(401)
  expect((await get(`/api/calendars/${calendar.id}/insights`, other.cookie)).json().code).toBe(
    'calendar.forbidden',
  )
  expect((await get(`/api/calendars/${randomUUID()}/insights`, cookies.get(calendar.id))).json().code).toBe(
    'calendar.not_found',
  )
  for (const months of ['1', '25', '240', '-3', 'all', '6.5']) {
    const { statusCode } = await get(
      `/api/calendars/${calendar.id}/insights?months=${months}`,
      cookies.get(calendar.id),
    )
    expect(statusCode, months).toBe(400)
  }
})

test('weekdays and hours are those of the clocks of the calendar, on both sides of a change of the clocks', async () => {
  const calendar = await openCalendar({ timezone: 'America/New_York' })
  const customer = await addCustomer(calendar.id)
  // The clocks went back on November 1, 2026, at 2:00, so 1:30 occurred twice, an hour apart. All these starts are on Sundays
  // in the calendar's zone.
  await add(calendar.id, customer, { starts_at: '2026-10-25T13:00Z' }) // 9:00 in summer
  await add(calendar.id, customer, { starts_at: '2026-11-01T05:30Z' }) // 1:30, the first time.
  await add(calendar.id, customer, { starts_at: '2026-11-01T06:30Z' }) // 1:30, the second time.
  await add(calendar.id, customer, { starts_at: '2026-11-01T14:00Z' }) // 9:00 in winter
  // This is already Monday in London, but still Sunday in the calendar's zone.
  await add(calendar.id, customer, { starts_at: '2026-11-09T03:00Z' })
  const { hours } = await ask(calendar.id)
  expect(hours).toEqual([
    { day_of_week: 0, hour: 1, appointments: 2 },
    { day_of_week: 0, hour: 9, appointments: 2 },
    { day_of_week: 0, hour: 22, appointments: 1 },
  ])
})

test('a month begins and ends at midnight of the calendar', async () => {
  const calendar = await openCalendar({ timezone: 'Pacific/Auckland' })
  const customer = await addCustomer(calendar.id)
  // Auckland is 13 hours ahead of UTC in December, so this is January 1 there.
  await add(calendar.id, customer, { starts_at: '2026-12-31T11:30Z' })
  await add(calendar.id, customer, { starts_at: '2026-12-31T10:00Z' })
  const { cancellations } = await ask(calendar.id)
  expect(cancellations.slice(-2)).toEqual([
    { month: '2026-12', appointments: 1, cancelled: 0 },
    { month: '2027-01', appointments: 1, cancelled: 0 },
  ])
})

test('cancelled appointments count in the share of cancellations only, and unpaid holds nowhere', async () => {
  const calendar = await openCalendar()
  const customer = await addCustomer(calendar.id)
  await add(calendar.id, customer, { starts_at: '2026-12-01T10:00Z', type: 'Talk' })
  await add(calendar.id, customer, { starts_at: '2026-12-01T12:00Z', type: 'Talk', status: 'cancelled' })
  await add(calendar.id, customer, { starts_at: '2026-12-02T10:00Z', type: 'Talk', hold: 'waits' })
  await add(calendar.id, customer, { starts_at: '2026-12-03T10:00Z', type: 'Talk', hold: 'ended' })
  const insights = await ask(calendar.id)
  expect(insights.appointments).toBe(1)
  expect(insights.types).toEqual([{ name: 'Talk', appointments: 1 }])
  expect(insights.cancellations.at(-2)).toEqual({ month: '2026-12', appointments: 2, cancelled: 1 })
  expect(insights.lead_times.reduce((sum, { appointments }) => sum + appointments, 0)).toBe(1)
})

test('no-shows count among what has begun, and cost the price of the appointment', async () => {
  const calendar = await openCalendar()
  const customer = await addCustomer(calendar.id)
  const noShow = { no_show_at: '2026-12-05T10:00Z' }
  await add(calendar.id, customer, { starts_at: '2026-11-03T10:00Z', ...noShow })
  await add(calendar.id, customer, { starts_at: '2026-12-01T10:00Z', ...PAID, ...noShow })
  await add(calendar.id, customer, { starts_at: '2026-12-02T10:00Z', ...OWED, ...noShow })
  await add(calendar.id, customer, { starts_at: '2026-12-03T10:00Z', ...PAID })
  // The owner refunded the payment, which cancelled the appointment.
  await add(calendar.id, customer, {
    starts_at: '2026-12-04T10:00Z',
    ...PAID,
    ...noShow,
    status: 'cancelled',
  })
  // This appointment has not begun yet: the test clock shows 8:00.
  await add(calendar.id, customer, { starts_at: '2027-01-04T09:00Z', ...PAID })
  await add(calendar.id, customer, { starts_at: '2027-01-04T07:00Z', ...PAID })
  const { no_shows, no_show_money } = await ask(calendar.id)
  expect(no_shows.slice(-3)).toEqual([
    { month: '2026-11', appointments: 1, no_shows: 1 },
    { month: '2026-12', appointments: 3, no_shows: 2 },
    { month: '2027-01', appointments: 1, no_shows: 0 },
  ])
  expect(no_show_money).toEqual([{ currency: 'EUR', paid_cents: 4_000, unpaid_cents: 9_050 }])
})

test('a customer is new once, and returning in every later month', async () => {
  const calendar = await openCalendar()
  const [regular, cancelled, early] = await Promise.all([1, 2, 3].map(() => addCustomer(calendar.id)))
  await add(calendar.id, regular, { starts_at: '2026-11-02T10:00Z' })
  await add(calendar.id, regular, { starts_at: '2026-11-09T10:00Z' })
  await add(calendar.id, regular, { starts_at: '2026-12-07T10:00Z' })
  // A customer whose first appointment was cancelled counts as new with their second appointment.
  await add(calendar.id, cancelled, { starts_at: '2026-11-03T10:00Z', status: 'cancelled' })
  await add(calendar.id, cancelled, { starts_at: '2026-12-08T10:00Z' })
  // This is years before the requested months.
  await add(calendar.id, early, { starts_at: '2023-03-01T10:00Z' })
  await add(calendar.id, early, { starts_at: '2026-12-09T10:00Z' })
  const { customers } = await ask(calendar.id)
  expect(customers.filter((row) => row.new + row.returning > 0)).toEqual([
    { month: '2026-11', new: 1, returning: 0 },
    { month: '2026-12', new: 1, returning: 2 },
  ])
})

test('the lead time is elapsed time, and its bands meet without a gap', async () => {
  const calendar = await openCalendar()
  const customer = await addCustomer(calendar.id)
  const startsAt = '2026-12-07T10:00Z'
  const leads = [-1, 0, 23, 24, 71, 72, 168, 336, 671, 672, 5_000]
  for (const [i, hours] of leads.entries()) {
    const start = Date.parse(startsAt) + i * 3_600_000
    await add(calendar.id, customer, {
      starts_at: new Date(start).toISOString(),
      created_at: new Date(start - hours * 3_600_000).toISOString(),
    })
  }
  const { lead_times } = await ask(calendar.id)
  expect(lead_times.map(({ appointments }) => appointments)).toEqual([3, 2, 1, 1, 2, 2])
})

test('money counts in the month in which it moved, what is owed in the month of its appointment', async () => {
  const calendar = await openCalendar()
  const customer = await addCustomer(calendar.id)
  const owed = { payment_status: 'pending', price_cents: 9_050 } as const
  await add(calendar.id, customer, { starts_at: '2026-12-01T10:00Z', ...owed })
  await add(calendar.id, customer, { starts_at: '2026-12-02T10:00Z', ...owed })
  await add(calendar.id, customer, { starts_at: '2026-12-03T10:00Z', ...owed, status: 'cancelled' })
  await add(calendar.id, customer, { starts_at: '2026-12-04T10:00Z', payment_status: 'paid', price_cents: 1 })
  await addPayment(calendar.id, { amount: 8_001, completed: '2026-10-31T22:00Z', status: 'completed' })
  await addPayment(calendar.id, {
    amount: 5_000,
    completed: '2026-11-15T12:00Z',
    refunded: '2026-12-20T12:00Z',
    status: 'refunded',
  })
  await addPayment(calendar.id, {
    amount: 700,
    completed: '2026-12-20T12:00Z',
    status: 'completed',
    sandbox: true,
  })
  const { money } = await ask(calendar.id)
  const moved = (chart: Insights['money'][number] | undefined) =>
    chart?.months
      .map(({ month, ...cents }) => [month, cents.taken_cents, cents.refunded_cents, cents.outstanding_cents])
      .filter(([, ...cents]) => cents.some((value) => value !== 0))
  expect(money.map(({ currency, sandbox }) => [currency, sandbox])).toEqual([
    ['EUR', false],
    ['EUR', true],
  ])
  expect(money[0]?.months.map(({ month }) => month)).toEqual(MONTHS)
  expect(moved(money[0])).toEqual([
    ['2026-10', 8_001, 0, 0],
    ['2026-11', 5_000, 0, 0],
    ['2026-12', 0, 5_000, 18_100],
  ])
  expect(moved(money[1])).toEqual([['2026-12', 700, 0, 0]])
})

test('a day is as full as its opening hours are booked, and time outside of them does not count', async () => {
  const calendar = await openCalendar()
  const customer = await addCustomer(calendar.id)
  await add(calendar.id, customer, { starts_at: '2027-01-05T09:00Z', minutes: 120 })
  await add(calendar.id, customer, { starts_at: '2027-01-05T16:30Z', minutes: 60 })
  await add(calendar.id, customer, { starts_at: '2027-01-05T12:00Z', minutes: 60, status: 'cancelled' })
  // This is a Saturday, on which the calendar is closed.
  await add(calendar.id, customer, { starts_at: '2027-01-09T10:00Z', minutes: 60 })
  await add(calendar.id, customer, { starts_at: '2027-01-12T08:00Z', minutes: 600 })
  const { days } = await ask(calendar.id)
  expect(days.filter(({ booked_minutes }) => booked_minutes > 0)).toEqual([
    { date: '2027-01-05', open_minutes: 480, booked_minutes: 150 },
    { date: '2027-01-12', open_minutes: 480, booked_minutes: 480 },
  ])
})

test('the most frequent types have a bar each, the rest one together', async () => {
  const calendar = await openCalendar()
  const customer = await addCustomer(calendar.id)
  for (let i = 0; i < MAX_SHOWN_TYPES + 2; i += 1) {
    const hour = String(8 + i).padStart(2, '0')
    await add(calendar.id, customer, {
      starts_at: `2026-12-01T${hour}:00Z`,
      type: i === 0 ? null : `Type ${i}`,
    })
  }
  await add(calendar.id, customer, { starts_at: '2026-12-02T10:00Z', type: 'Type 3' })
  const { types, other_types } = await ask(calendar.id)
  expect(types[0]).toEqual({ name: 'Type 3', appointments: 2 })
  expect(types.slice(1, 3)).toEqual([
    { name: null, appointments: 1 },
    { name: 'Type 1', appointments: 1 },
  ])
  expect(types).toHaveLength(MAX_SHOWN_TYPES)
  expect(other_types).toBe(2)
})

test('each range begins with its first month, and nothing before it counts', async () => {
  const calendar = await openCalendar()
  const customer = await addCustomer(calendar.id)
  for (const month of ['2025-01', '2025-02', '2026-02', '2026-08', '2026-11']) {
    await add(calendar.id, customer, { starts_at: `${month}-01T00:00Z` })
  }
  for (const [months, first, appointments] of [
    ['3', '2026-11', 1],
    ['6', '2026-08', 2],
    ['12', '2026-02', 3],
    ['24', '2025-02', 4],
  ] as const) {
    const insights = await ask(calendar.id, months)
    expect([insights.first_month, insights.appointments], months).toEqual([first, appointments])
  }
})

test('over all calendars, the figures are those of the calendars together, and of no other owner', async () => {
  const practice = await makeOwner(meridian)
  const [one, two] = [await makeCalendar(meridian, practice), await makeCalendar(meridian, practice)]
  for (const { id } of [one, two]) {
    const customer = await addCustomer(id)
    await add(id, customer, { starts_at: '2026-12-01T10:00Z', type: 'Talk', ...OWED })
    await addPayment(id, { amount: 4_000, completed: '2026-12-05T10:00Z', status: 'completed' })
  }
  await add(two.id, await addCustomer(two.id), { starts_at: '2027-01-04T09:00Z', minutes: 60, type: 'Walk' })
  const insights: Insights = (await practice.get('/api/insights?time_zone=Europe/London')).json()
  expect(insights).toMatchObject({ time_zone: 'Europe/London', appointments: 3, money: { length: 1 } })
  expect(insights.types).toEqual([
    { name: 'Talk', appointments: 2 },
    { name: 'Walk', appointments: 1 },
  ])
  expect(insights.money[0]?.months.find(({ month }) => month === '2026-12')).toEqual({
    month: '2026-12',
    taken_cents: 8_000,
    refunded_cents: 0,
    outstanding_cents: 18_100,
  })
  expect(insights.customers.at(-2)).toEqual({ month: '2026-12', new: 2, returning: 0 })
  // Both calendars are open for eight hours.
  expect(insights.days[0]).toEqual({ date: '2027-01-04', open_minutes: 960, booked_minutes: 60 })
  expect(insights.days).toHaveLength(14)
  const beginner = await makeOwner(meridian)
  expect((await beginner.get('/api/insights')).json()).toMatchObject({ appointments: 0, money: [] })
  expect((await meridian.get('/api/insights')).statusCode).toBe(401)
})

test('a question about many appointments is answered at once, and none reads more than it may', {
  tags: ['slow'],
}, async () => {
  const calendar = await openCalendar()
  await addManyAppointments(meridian.database, calendar.id, 5_000)
  // Time limit; many times longer than the measured duration.
  const limitMs = 2_000
  const tookMs = await shortestTimeMs(limitMs, async () => {
    expect(await ask(calendar.id, '24')).toMatchObject({ is_complete: true, appointments: 5_000 })
  })
  expect(tookMs).toBeLessThan(limitMs)

  const during = { startMs: Date.parse('2026-01-01T00:00Z'), endMs: Date.parse('2028-01-01T00:00Z') }
  const range = { during, stretches: listUtcOffsetPeriods('Europe/London', during), limit: 7 }
  const { id: ownerId } = await meridian.database.db
    .selectFrom('calendars')
    .select('user_id as id')
    .where('id', '=', calendar.id)
    .executeTakeFirstOrThrow()
  // The cast is needed because only the session guard creates an `OwnerId`.
  const scope = { ownerId: ownerId as OwnerId, calendarIds: [calendar.id] }
  const { leads, months } = await countAppointments(meridian.database.db, scope, range, {
    bandStarts: [],
    now: new Date(meridian.clock.ms),
  })
  expect(leads.map(({ stands }) => stands)).toEqual([7])
  // Only the latest appointments are counted, because their number is limited.
  expect(months.map(({ month }) => month)).toEqual(['2027-01'])
  expect(MAX_READ_APPOINTMENTS).toBe(50_000)
})

const MONTHS = ['2026-08', '2026-09', '2026-10', '2026-11', '2026-12', '2027-01']
const PAID = { payment_status: 'paid', price_cents: 4_000 } as const
const OWED = { payment_status: 'pending', price_cents: 9_050 } as const
const WEEK = [480, 480, 480, 480, 480, 0, 0]

async function openCalendar(body: Partial<CreateCalendarBody> = {}): Promise<Calendar> {
  const owner = await makeOwner(meridian)
  const calendar = await makeCalendar(meridian, owner, body)
  cookies.set(calendar.id, owner.cookie)
  return calendar
}

async function ask(calendarId: string, months?: string): Promise<Insights> {
  const query = months === undefined ? '' : `?months=${months}`
  const answer = await meridian.request({
    url: `/api/calendars/${calendarId}/insights${query}`,
    cookie: cookies.get(calendarId),
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

async function addCustomer(calendarId: string): Promise<string> {
  const id = randomUUID()
  await meridian.database.db
    .insertInto('customers')
    .values({ calendar_id: calendarId, id, client_id: `C${id}`, name: 'Grace Hopper' })
    .execute()
  return id
}

type Stored = {
  readonly starts_at: string
  readonly minutes?: number
  readonly created_at?: string
  readonly type?: string | null
  readonly status?: 'confirmed' | 'cancelled'
  readonly payment_status?: 'not_required' | 'pending' | 'paid'
  readonly price_cents?: number
  readonly no_show_at?: string
  /** `waits` is an unpaid hold that is still open; `ended` is an expired one. */
  readonly hold?: 'waits' | 'ended'
}

/** Inserts a row directly, because the use cases refuse to book the past. */
async function add(calendarId: string, customerId: string | undefined, row: Stored): Promise<void> {
  const startsAt = new Date(row.starts_at)
  const endsAt = new Date(startsAt.getTime() + (row.minutes ?? 30) * 60_000)
  const holdEnd = row.hold === undefined ? null : endsAt
  const status = row.hold === undefined ? (row.status ?? 'confirmed') : 'pending_payment'
  await sql`
    insert into appointments (
      calendar_id, host_id, id, booking_reference, customer_id, customer_name, starts_at, ends_at, time_zone, blocked, title,
      appointment_type_name, status, payment_status, price_cents, hold_expires_at, released_at, created_at, no_show_at
    ) values (
      ${calendarId}, (select host_id from calendars where id = ${calendarId}), ${randomUUID()}, ${`BK-${randomUUID()}`}, ${customerId}, 'Grace Hopper', ${startsAt}, ${endsAt}, 'UTC',
      tstzrange(${startsAt}, ${endsAt}), 'Stored', ${row.type ?? null}, ${status}, ${row.payment_status ?? 'not_required'},
      ${row.price_cents ?? null}, ${holdEnd}, ${row.hold === 'ended' ? holdEnd : null}, ${new Date(row.created_at ?? startsAt)},
      ${row.no_show_at ?? null}
    )`.execute(meridian.database.db)
}

type StoredPayment = {
  readonly amount: number
  readonly completed: string
  readonly refunded?: string
  readonly status: 'completed' | 'refunded'
  readonly sandbox?: boolean
}

async function addPayment(calendarId: string, payment: StoredPayment): Promise<void> {
  await meridian.database.db
    .insertInto('payment_transactions')
    .values({
      calendar_id: calendarId,
      id: randomUUID(),
      amount_cents: payment.amount,
      provider: 'stripe',
      status: payment.status,
      payment_id: `pi_${randomUUID()}`,
      is_sandbox: payment.sandbox ?? false,
      completed_at: new Date(payment.completed),
      refunded_at: payment.refunded === undefined ? null : new Date(payment.refunded),
      created_at: new Date(payment.completed),
    })
    .execute()
}
