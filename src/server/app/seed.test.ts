import { beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '#core/shared/duration.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { startMeridian, type TestMeridian, toCookieHeader } from '#tests/support/meridian.ts'
import { DEMO_SLUG, seedWhenEmpty } from '#tools/seed.ts'
import { DEMO_LOGIN } from './demo-account.ts'

setUpMeridian()
beforeAll(async () => {
  await seedWhenEmpty(meridian.deps)
})

test('an empty database is filled with a practice that can be booked without paying', async () => {
  const calendar = await meridian.get(`/api/public/calendars/${DEMO_SLUG}`)
  expect(calendar.statusCode, calendar.body).toBe(200)
  const types = await meridian.get(`/api/public/calendars/${DEMO_SLUG}/appointment-types`)
  expect(names(types.json().appointment_types)).toEqual([
    'First conversation',
    'Individual session',
    'Couples session',
    'Online session',
  ])
  const type = types
    .json()
    .appointment_types.find(({ name }: { name: string }) => name === 'Individual session')
  const free: string[] = []
  for (let day = 1; day <= 7; day += 1) {
    const date = new Date(meridian.clock.ms + day * DAY_MS)
    if (date.getUTCDay() % 6 === 0) continue
    const query = `date=${date.toISOString().slice(0, 10)}&appointment_type_id=${type.id}`
    const slots = await meridian.get(`/api/public/calendars/${DEMO_SLUG}/slots?${query}`)
    expect(slots.json().slots, `there is no time with ${query}`).not.toEqual([])
    free.push(slots.json().slots[0].starts_at)
  }
  const booked = await meridian.post(`/api/public/calendars/${DEMO_SLUG}/appointments`, {
    appointment_type_id: type.id,
    starts_at: free.at(-1),
    customer: { name: 'Vera Visitor', email: 'vera@example.com' },
  })
  expect(booked.statusCode, booked.body).toBe(201)
  expect(booked.json()).toMatchObject({ status: 'confirmed', payment_status: 'pending' })
})

test('there are six months of history, the week around today and appointments to come', async () => {
  const rows = await meridian.database.db
    .selectFrom('appointments')
    .select(['starts_at', 'appointment_type_name', 'location_name'])
    .orderBy('starts_at')
    .execute()
  const daysAgo = rows.map(({ starts_at }) => (meridian.clock.ms - starts_at.getTime()) / DAY_MS)
  expect(daysAgo[0]).toBeGreaterThan(175)
  const near = daysAgo.filter((days) => Math.abs(days) < 7)
  expect(near.length).toBeGreaterThanOrEqual(30)
  expect(daysAgo.filter((days) => days < -7).length).toBeGreaterThan(5)
  expect(rows.find((row) => row.appointment_type_name === 'Individual session')?.location_name).toBe(
    'Riverside Practice',
  )
  // The type is no longer offered, but its appointments keep the name.
  expect(rows.filter((row) => row.appointment_type_name === 'Walking session').length).toBeGreaterThan(5)
})

test('both providers and the owner have taken payments, some of which went back', async () => {
  const rows = await meridian.database.db
    .selectFrom('payment_transactions')
    .select(['provider', 'status', 'is_sandbox', 'completed_at', 'created_at'])
    .execute()
  const count = (provider: string, status: string) =>
    rows.filter((row) => row.provider === provider && row.status === status).length
  expect(count('stripe', 'completed')).toBeGreaterThan(10)
  expect(count('paypal', 'completed')).toBeGreaterThan(5)
  expect(count('manual', 'manual')).toBeGreaterThan(30)
  expect(count('stripe', 'refunded')).toBe(2)
  expect(count('paypal', 'refunded')).toBe(2)
  expect(count('manual', 'refunded')).toBe(2)
  expect(rows.every(({ is_sandbox, provider }) => is_sandbox === (provider !== 'manual'))).toBe(true)
  const months = new Set(rows.map(({ created_at }) => created_at.toISOString().slice(0, 7)))
  expect(months.size).toBeGreaterThanOrEqual(6)
})

test('what a customer paid can be refunded at the stand-in', async () => {
  const cookie = await signIn()
  for (const provider of ['stripe', 'paypal'] as const) {
    const paid = await meridian.database.db
      .selectFrom('payment_transactions')
      .select(['calendar_id', 'appointment_id'])
      .where('provider', '=', provider)
      .where('status', '=', 'completed')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
    const answer = await meridian
      .as({ cookie })
      .post(`/api/calendars/${paid.calendar_id}/appointments/${paid.appointment_id}/actions`, {
        action: 'refund',
      })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json()).toMatchObject({ payment_status: 'refunded', warning: null })
  }
})

test('one customer waits for an answer to a request to cancel', async () => {
  const rows = await meridian.database.db
    .selectFrom('appointments')
    .select('customer_name')
    .where('status', '=', 'pending_cancellation')
    .execute()
  expect(rows).toEqual([{ customer_name: 'Lena Fischer' }])
})

test('messages were sent and one could not be delivered; nobody is mailed', async () => {
  const { db } = meridian.database
  const states = await db
    .selectFrom('appointment_messages')
    .innerJoin('appointments', 'appointments.id', 'appointment_messages.appointment_id')
    .select(['state', 'last_error', 'owner_told_at'])
    .where('customer_name', '<>', 'Vera Visitor')
    .where('payment_status', '<>', 'refunded')
    .execute()
  expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['sent', 'given_up']))
  expect(states.filter(({ state }) => state === 'sent').length).toBeGreaterThan(30)
  const [failed, ...others] = states.filter(({ state }) => state === 'given_up')
  expect(others).toEqual([])
  expect(failed?.last_error).toMatch(/mailbox does not exist/)
  expect(failed?.owner_told_at).not.toBeNull()
})

test('what is there already stays alone', async () => {
  await seedWhenEmpty(meridian.deps)
  const { db } = meridian.database
  expect(await db.selectFrom('calendars').select('slug').execute()).toEqual([{ slug: DEMO_SLUG }])
})

test('two first starts on one day make the same practice, and no mail waits to be sent', {
  tags: ['slow'],
}, async () => {
  const other = await startMeridian({ hasWorkers: false })
  try {
    await seedWhenEmpty(other.deps)
    const list = (from: TestMeridian) =>
      from.database.db
        .selectFrom('appointments')
        .select(['starts_at', 'customer_name', 'appointment_type_name', 'created_at', 'booking_reference'])
        .where('customer_name', '<>', 'Vera Visitor')
        .orderBy('starts_at')
        .execute()
    expect(await list(other)).toEqual(await list(meridian))
    const { rows } = await other.database.execute(`select name from pgboss.job where name like '%mail%'`)
    expect(rows).toEqual([])
  } finally {
    await other.stop()
  }
})

async function signIn(): Promise<string> {
  const answer = await meridian.post('/api/auth/sign-in', DEMO_LOGIN)
  expect(answer.statusCode, answer.body).toBe(200)
  return toCookieHeader(answer)
}

function names(types: readonly { name: string }[]): string[] {
  return types.map(({ name }) => name)
}
