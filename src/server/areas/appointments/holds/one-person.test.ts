import { beforeEach, describe, expect, test } from 'vitest'
import { HOLD_MS } from '#core/appointments/hold.ts'
import { HOUR_MS } from '#core/shared/duration.ts'
import { releaseExpiredHolds } from '#server/areas/payments/checkouts/end-checkouts.ts'
import { runHousekeeping } from '#server/records/housekeeping/jobs.ts'
import {
  makeFakeProviders,
  makePaidCalendar,
  type PaidCalendar,
  readAppointmentAndPayment,
  type StartedCheckout,
  settlePayment,
  startFirstCheckout,
} from '#tests/support/checkouts.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { PROVIDER_UNAVAILABLE } from '#tests/support/fake-payment-provider.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { BEHIND_PROXY_SETTINGS, headersFromAddress } from '#tests/support/from-address.ts'
import { offeredHalfHour } from '#tests/support/half-hour.ts'
import { makeOwner, TEST_MONDAY } from '#tests/support/meridian.ts'

const HOME = '203.0.113.7'
const ELSEWHERE = '198.51.100.20'

const providers = makeFakeProviders()
const { stripe } = providers
let calendar: PaidCalendar

setUpOwner({ providers, env: { ...BEHIND_PROXY_SETTINGS, DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  await meridian.database.execute('delete from holds')
  calendar = await makePaidCalendar(meridian, owner)
})

type Who = { email?: string; address?: string; key?: string; of?: PaidCalendar }

function tryToHold(i: number, { email = 'grace@example.com', address = HOME, key, of = calendar }: Who = {}) {
  const body = { starts_at: offeredHalfHour(i), customer: { name: 'Grace Hopper', email } }
  const keyed = key === undefined ? {} : { 'idempotency-key': key }
  return startFirstCheckout(meridian, of, body, { ...headersFromAddress(address), ...keyed })
}

async function hold(i: number, who: Who = {}): Promise<StartedCheckout> {
  const answer = await tryToHold(i, who)
  expect(answer.statusCode, answer.body).toBe(201)
  const { url, appointment_id: id } = answer.json<{ url: string; appointment_id: string }>()
  return { id, checkoutId: url.slice(url.lastIndexOf('/') + 1) }
}

describe('a second hold of the same person', () => {
  test('gives the time of the first back at once, and its checkout is ended', async () => {
    const first = await hold(0)
    const second = await hold(1, { email: 'Grace@Example.com' })
    expect(await readAppointmentAndPayment(meridian, first.id)).toMatchObject({
      isReleased: true,
      payment: { status: 'failed', failure: 'The customer chose another time.' },
    })
    expect(stripe.checkouts.get(first.checkoutId)?.state).toEqual({ status: 'ended' })
    expect((await readAppointmentAndPayment(meridian, second.id)).isReleased).toBe(false)
    expect((await tryToHold(0, { email: 'ada@example.com', address: ELSEWHERE })).statusCode).toBe(201)
  })

  test('may be of the same time', async () => {
    const first = await hold(0)
    await hold(0)
    expect((await readAppointmentAndPayment(meridian, first.id)).isReleased).toBe(true)
  })

  test('is refused while the payment of the first is under way', async () => {
    const first = await hold(0)
    stripe.set(first.checkoutId, 'processing')
    expectRefusal(await tryToHold(1), 'hold.earlier_under_way')
    expect((await readAppointmentAndPayment(meridian, first.id)).isReleased).toBe(false)
  })

  test('is refused while the provider of the first does not answer', async () => {
    const first = await hold(0)
    stripe.failNext('endCheckout', PROVIDER_UNAVAILABLE)
    expectRefusal(await tryToHold(1), 'hold.earlier_under_way')
    expect((await readAppointmentAndPayment(meridian, first.id)).isReleased).toBe(false)
  })

  test('leaves what was paid meanwhile', async () => {
    const first = await hold(0)
    stripe.pay(first.checkoutId)
    await hold(1)
    expect((await readAppointmentAndPayment(meridian, first.id)).state).toEqual([
      'confirmed',
      'paid',
      'completed',
    ])
  })

  test('leaves the first on another calendar', async () => {
    const first = await hold(0)
    await hold(1, { of: await makePaidCalendar(meridian, owner) })
    expect((await readAppointmentAndPayment(meridian, first.id)).isReleased).toBe(false)
  })

  test('that was sent twice is one hold, and counts once', async () => {
    const first = await hold(0, { key: 'once' })
    for (let i = 0; i < 25; i += 1) expect((await hold(0, { key: 'once' })).id).toBe(first.id)
    expect((await readAppointmentAndPayment(meridian, first.id)).isReleased).toBe(false)
    await hold(1, { email: 'ada@example.com' })
  })
})

test('whoever types somebody else’s address elsewhere does not end their payment', async () => {
  const first = await hold(0)
  await hold(1, { address: ELSEWHERE })
  expect((await readAppointmentAndPayment(meridian, first.id)).isReleased).toBe(false)
})

test('an address has three open holds over all calendars, whoever types it', async () => {
  for (let i = 0; i < 3; i += 1) {
    const of = await makePaidCalendar(meridian, owner)
    await hold(0, { of, address: `198.51.100.${i}` })
  }
  expectRefusal(await tryToHold(0), 'hold.too_many_open_for_email')
  await hold(0, { email: 'ada@example.com' })
})

test('who is refused a hold keeps the one that they have', async () => {
  await hold(0, { email: 'a@example.com' })
  await hold(16, { email: 'b@example.com' })
  await passTime(HOLD_MS)
  await hold(32, { email: 'c@example.com' })
  await passTime(HOLD_MS - 1)
  const mine = await hold(48)
  await passTime(1)
  expectRefusal(await tryToHold(49), 'hold.expired_too_often')
  expect((await readAppointmentAndPayment(meridian, mine.id)).isReleased).toBe(false)
})

test('a clinic whose patients pay is never refused: what is paid does not count', async () => {
  for (let i = 0; i < 30; i += 1) {
    const { id, checkoutId } = await hold(i, { email: `patient-${i}@example.com` })
    stripe.pay(checkoutId)
    await settlePayment(meridian, id)
    meridian.clock.ms += 60_000
  }
})

test('the owner of the calendar may hold as many times as they like', async () => {
  for (let i = 0; i < 6; i += 1) {
    const answer = await startFirstCheckout(
      meridian,
      calendar,
      { starts_at: offeredHalfHour(i) },
      { ...headersFromAddress(HOME), cookie: owner.cookie },
    )
    expect(answer.statusCode, answer.body).toBe(201)
  }
  const stranger = await makeOwner(meridian)
  const headers = { ...headersFromAddress(ELSEWHERE), cookie: stranger.cookie }
  const asStranger = (i: number) =>
    startFirstCheckout(
      meridian,
      calendar,
      { starts_at: offeredHalfHour(16 * i), customer: { name: 'Ada', email: `${i}@example.com` } },
      headers,
    )
  for (let i = 1; i <= 3; i += 1) expect((await asStranger(i)).statusCode).toBe(201)
  expectRefusal(await asStranger(4), 'hold.too_many_open')
})

test('who holds a time is stored by names that say nothing, and erased an hour after the hold has ended', async () => {
  const { db } = meridian.database
  const list = () => db.selectFrom('holds').selectAll().orderBy('client_key').execute()
  const ended = await hold(0)
  await hold(16, { email: 'ada@example.com', address: ELSEWHERE })
  expect(JSON.stringify(await list())).not.toMatch(/grace|ada@|203\.0|198\.51/)
  await meridian.delete(`/api/public/appointments/${ended.id}`)
  const keepHouseAt = (ms: number) => runHousekeeping({ db, now: () => ms })
  await keepHouseAt(TEST_MONDAY + HOUR_MS)
  expect(await list()).toHaveLength(2)
  await keepHouseAt(TEST_MONDAY + HOUR_MS + 1)
  expect(await list()).toHaveLength(1)
  await db
    .updateTable('appointments')
    .set({ status: 'confirmed', hold_expires_at: null })
    .where('released_at', 'is', null)
    .execute()
  await keepHouseAt(TEST_MONDAY)
  expect(await list()).toEqual([])
})

describe('10,000 questions about one payment', () => {
  test('come to sixty at the provider in an hour, and the rest are answered from what is stored', async () => {
    const { id } = await hold(0)
    stripe.calls.length = 0
    for (let i = 0; i < 70; i += 1) expect((await settlePayment(meridian, id)).statusCode).toBe(200)
    expect(stripe.calls).toHaveLength(60)
    const answer = await settlePayment(meridian, id)
    expect(answer.json()).toMatchObject({ payment: 'processing', appointment: { id } })
    expectRefusal(await meridian.delete(`/api/public/appointments/${id}`), 'payment.under_way')
    meridian.clock.ms += HOUR_MS
    expect((await settlePayment(meridian, id)).json()).toMatchObject({ payment: 'open' })
  })
})

async function passTime(ms: number): Promise<void> {
  meridian.clock.ms += ms
  await releaseExpiredHolds(meridian.deps)
}
