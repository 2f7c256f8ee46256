import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { releaseExpiredHolds } from '#server/areas/payments/checkouts/end-checkouts.ts'
import { queueDueReminders } from '#server/messages/queue/due-jobs.ts'
import {
  listMessageKinds,
  makeFakeProviders,
  makePaidCalendar,
  type PaidCalendar,
  readAppointmentAndPayment,
  settlePayment,
  startCheckout,
  startFirstCheckout,
} from '#tests/support/checkouts.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  startMeridian,
  TEST_MONDAY,
  TEST_PASSWORD,
  type TestMeridian,
  toCookieHeader,
} from '#tests/support/meridian.ts'

/** Moves the clock of a running server forward and back by hours and days. The background worker is not running. */
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const providers = makeFakeProviders()
let meridian: TestMeridian
let calendar: PaidCalendar

beforeAll(async () => {
  meridian = await startMeridian({ providers, env: { ROLE: 'web', DEFAULT_PLAN: 'enterprise' } })
})
beforeEach(async () => {
  meridian.clock.ms = TEST_MONDAY
  calendar = await makePaidCalendar(meridian, await makeOwner(meridian))
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => meridian.stop())

test('a reminder is one, however often its hour comes', async () => {
  const free = await makeCalendar(meridian, await makeOwner(meridian))
  const { id } = (await bookAppointment(meridian, free.slug, { starts_at: '2027-01-06T10:00:00Z' })).json()
  for (const jumpMs of [
    0,
    1.5 * DAY_MS,
    -HOUR_MS,
    0,
    1.2 * DAY_MS,
    40 * DAY_MS,
    -40 * DAY_MS,
    1.5 * DAY_MS,
  ]) {
    meridian.clock.ms = TEST_MONDAY + jumpMs
    await queueDueReminders(meridian.deps)
  }
  expect((await listMessageKinds(meridian, id)).filter((kind) => kind === 'reminder')).toEqual(['reminder'])
})

test('a hold does not end early when the clock is put back, and the time stays taken', async () => {
  const { id } = await startCheckout(meridian, calendar)
  for (const jumpMs of [-3 * DAY_MS, -2 * HOUR_MS, 4 * MINUTE_MS]) {
    meridian.clock.ms = TEST_MONDAY + jumpMs
    await releaseExpiredHolds(meridian.deps)
    expect((await readAppointmentAndPayment(meridian, id)).state).toEqual([
      'pending_payment',
      'pending',
      'pending',
    ])
  }
  meridian.clock.ms = TEST_MONDAY
  const customer = { name: 'Another', email: 'another@example.com' }
  const taken = await startFirstCheckout(meridian, calendar, { customer })
  expect(taken.statusCode).toBe(409)
})

test('who pays while a clock that was put forward has ended the hold gets the time all the same', async () => {
  const { id, checkoutId } = await startCheckout(meridian, calendar)
  providers.stripe.pay(checkoutId)
  meridian.clock.ms = TEST_MONDAY + 2 * DAY_MS
  await releaseExpiredHolds(meridian.deps)
  meridian.clock.ms = TEST_MONDAY
  await settlePayment(meridian, id)
  expect((await readAppointmentAndPayment(meridian, id)).state).toEqual(['confirmed', 'paid', 'completed'])
})

test('the same key books once, before and after the clock was put back', async () => {
  const free = await makeCalendar(meridian, await makeOwner(meridian))
  const bookOnce = () => bookAppointment(meridian, free.slug, {}, { 'idempotency-key': 'across the jump' })
  const first = await bookOnce()
  expect(first.statusCode).toBe(201)
  for (const jumpMs of [-DAY_MS, -HOUR_MS, 30 * MINUTE_MS]) {
    meridian.clock.ms = TEST_MONDAY + jumpMs
    expect((await bookOnce()).json()).toEqual(first.json())
  }
})

test('a session outlives a clock that is put back, and is over with a clear answer when it is put forward past its end', async () => {
  const nowMs = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs })
  const owner = await makeOwner(meridian)
  const listCalendars = () => owner.get('/api/calendars')
  for (const jumpMs of [-3 * DAY_MS, -HOUR_MS, DAY_MS + HOUR_MS, -DAY_MS]) {
    vi.setSystemTime(nowMs + jumpMs)
    expect((await listCalendars()).statusCode).toBe(200)
  }
  vi.setSystemTime(nowMs + 400 * DAY_MS)
  const over = await listCalendars()
  expect(over.statusCode).toBe(401)
  expect(over.json()).toMatchObject({ code: 'auth.required' })
  vi.setSystemTime(nowMs)
  const payload = { email: owner.email, password: TEST_PASSWORD }
  const again = await meridian.post('/api/auth/sign-in', payload)
  expect(again.statusCode).toBe(200)
  const headers = { cookie: toCookieHeader(again) }
  expect((await meridian.request({ url: '/api/calendars', headers })).statusCode).toBe(200)
})
