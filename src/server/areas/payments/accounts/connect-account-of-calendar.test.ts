import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { PaymentProviderError, type PaymentProviderName } from '#server/ports/payment-provider.ts'
import {
  makePaidCalendar,
  type PaidCalendar,
  readAppointmentAndPayment,
  startCheckout,
} from '#tests/support/checkouts.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { makeFakeProvider } from '#tests/support/fake-payment-provider.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import { makeCalendar, makeOwner, type TestOwner } from '#tests/support/meridian.ts'
import { addAppointmentType, connectStripe } from '#tests/support/stored-rows.ts'
import { disconnectAccountFromAllCalendars } from './repository.ts'

const stripe = makeFakeProvider('stripe')
const paypal = makeFakeProvider('paypal')

setUpOwner({
  providers: { stripe, paypal },
  env: { BUDGETS: `${GENEROUS_BUDGETS},webhook_strays=1` },
  owner: { tier: 'enterprise' },
})

/** The calendar with accounts, and a calendar without. */
let source: PaidCalendar
let target: PaidCalendar

beforeEach(async () => {
  await meridian.database.execute('delete from calendars')
  source = await makePaidCalendar(meridian, owner)
  const calendar = await makeCalendar(meridian, owner)
  target = { ...calendar, typeId: await addAppointmentType(meridian, calendar.id, { price_cents: 4_000 }) }
  stripe.disconnected.length = 0
  paypal.disconnected.length = 0
})

describe('the account of another calendar', () => {
  test('is offered once, where there is none, and connected by one request', async () => {
    const third = await makeCalendar(meridian, owner)
    await connectStripe(meridian, third.id)
    const offered = { calendar_id: source.id, calendar_name: source.name }
    expect(await settings()).toMatchObject({
      stripe_connected: false,
      reusable_accounts: [
        { ...offered, provider: 'stripe', account: 'acct_test' },
        { ...offered, provider: 'paypal', account: 'merchant' },
      ],
    })
    const connected = await reuse('stripe')
    expect(connected.statusCode, connected.body).toBe(200)
    expect(connected.json()).toMatchObject({
      stripe_connected: true,
      stripe_account_id: 'acct_test',
      payment_provider: 'stripe',
      paypal_connected: false,
      reusable_accounts: [{ ...offered, provider: 'paypal' }],
    })
    const both = (await reuse('paypal')).json()
    expect(both).toMatchObject({
      paypal_connected: true,
      paypal_merchant_id: 'merchant',
      paypal_client_id: 'client',
      has_paypal_client_secret: true,
      payment_provider: 'stripe',
      reusable_accounts: [],
    })
    expect(Object.values(both)).not.toContain('secret')
    expect((await reuse('paypal')).json()).toEqual(both)
  })

  test('has a webhook and a copy of the secret of its own at PayPal', async () => {
    await reuse('paypal')
    const row = await meridian.database.db
      .selectFrom('payment_settings')
      .select(['paypal_webhook_id', 'paypal_client_secret_encrypted'])
      .where('calendar_id', '=', target.id)
      .executeTakeFirstOrThrow()
    expect(row.paypal_webhook_id).toBe(`http://localhost:3000/api/webhooks/paypal/${target.id}`)
    const sealed = row.paypal_client_secret_encrypted ?? Buffer.alloc(0)
    expect(meridian.deps.secrets.open(sealed, `paypal:${target.id}`)).toBe('secret')
    expect(() => meridian.deps.secrets.open(sealed, `paypal:${source.id}`)).toThrow()
  })

  test('pressed six times at once is connected once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => reuse('stripe')))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200))
    expect(await settings()).toMatchObject({ stripe_connected: true })
  })
})

describe('disconnecting', () => {
  test('the first calendar from Stripe leaves the second one paid, and the last one cuts the account off', async () => {
    await reuse('stripe')
    expect((await disconnect(source, 'stripe')).statusCode).toBe(204)
    expect(stripe.disconnected).toEqual([])
    await payAndConfirm('stripe')
    expect((await disconnect(target, 'stripe')).statusCode).toBe(204)
    expect(stripe.disconnected).toEqual([{ accountId: 'acct_test', app: null }])
  })

  test('either calendar from PayPal removes its own webhook only, and the other one is still paid', async () => {
    await meridian.database.execute(
      `update payment_settings set paypal_webhook_id = 'first' where calendar_id = $1`,
      [source.id],
    )
    await reuse('paypal')
    expect((await disconnect(source, 'paypal')).statusCode).toBe(204)
    expect(paypal.disconnected.map(({ app }) => app?.webhookId)).toEqual(['first'])
    await payAndConfirm('paypal')
    expect((await disconnect(target, 'paypal')).statusCode).toBe(204)
    expect(paypal.disconnected).toHaveLength(2)
  })

  test('the second calendar leaves the first one connected', async () => {
    for (const provider of ['stripe', 'paypal'] as const) {
      await reuse(provider)
      expect((await disconnect(target, provider)).statusCode).toBe(204)
    }
    expect(await settings(source)).toMatchObject({ stripe_connected: true, paypal_connected: true })
    expect(stripe.disconnected).toEqual([])
  })

  test('at Stripe ends both, even if the second was connected after the account was cut off', async () => {
    const connectedAt = new Date(meridian.clock.ms)
    await meridian.database.execute(
      'update payment_settings set stripe_connected_at = $2 where calendar_id = $1',
      [source.id, connectedAt],
    )
    meridian.clock.ms += 60_000
    await reuse('stripe')
    const account = { provider: 'stripe', accountId: 'acct_test', updatedAt: connectedAt } as const
    await disconnectAccountFromAllCalendars(
      meridian.database.db,
      account,
      new Date(connectedAt.getTime() + 1_000),
    )
    for (const calendar of [source, target]) {
      expect(await settings(calendar)).toMatchObject({ stripe_connected: false, stripe_account_id: null })
    }
  })
})

describe('PayPal’s events', () => {
  test('find the payments of each calendar, and those of the other one do not count as wrong', async () => {
    await reuse('paypal')
    const first = await startCheckout(meridian, source, { provider: 'paypal' })
    const second = await startCheckout(meridian, target, {
      provider: 'paypal',
      starts_at: '2027-01-04T11:00:00Z',
    })
    for (const { checkoutId } of [first, second]) paypal.pay(checkoutId)
    // The app sends each event to the webhooks of both calendars.
    for (let i = 0; i < 3; i += 1) {
      expect((await notify(source, second.checkoutId)).statusCode).toBe(200)
      expect((await notify(target, first.checkoutId)).statusCode).toBe(200)
    }
    expect((await notify(source, first.checkoutId)).statusCode).toBe(200)
    expect((await notify(target, second.checkoutId)).statusCode).toBe(200)
    for (const { id } of [first, second]) {
      await expect
        .poll(async () => (await readAppointmentAndPayment(meridian, id)).state[0], { timeout: 20_000 })
        .toBe('confirmed')
    }
  })
})

describe('the account is refused', () => {
  let stranger: TestOwner

  beforeEach(async () => {
    stranger = await makeOwner(meridian, { tier: 'enterprise' })
  })

  test('to strangers, on either side', async () => {
    expectRefusal(await reuse('stripe', { by: stranger }), 'calendar.forbidden')
    const { id } = await makeCalendar(meridian, stranger)
    expectRefusal(await reuse('stripe', { by: stranger, into: id }), 'calendar.forbidden')
    expectRefusal(await reuse('stripe', { from: randomUUID() }), 'calendar.not_found')
    const theirs = await stranger.get(`/api/calendars/${id}/payment-settings`)
    expect(theirs.json()).toMatchObject({ reusable_accounts: [], stripe_connected: false })
  })

  test.each([
    ['payment.account_unavailable', 'stripe', () => disconnect(source, 'stripe')],
    ['payment.account_unavailable', 'paypal', () => change(source, 'paypal_client_secret_encrypted = null')],
    ['payment.not_in_plan', 'paypal', () => setTier('professional')],
    [
      'payment.account_connected',
      'stripe',
      async () => {
        await connectStripe(meridian, target.id)
        await change(target, `stripe_account_id = 'acct_other'`)
      },
    ],
    [
      'payment.connect_failed',
      'paypal',
      async () => paypal.failNext('addWebhook', new PaymentProviderError('refused', 'Too many webhooks.')),
    ],
  ] as const)(
    'as %s (%s)',
    async (code: ProblemCode, provider: PaymentProviderName, prepare: () => unknown) => {
      await prepare()
      const before = await settings()
      expectRefusal(await reuse(provider), code)
      expect(await settings()).toEqual(before)
      await setTier('enterprise')
    },
  )

  test('when it is disconnected while PayPal makes the webhook', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    paypal.delayNext('addWebhook', promise)
    const connecting = reuse('paypal')
    await expect.poll(() => paypal.calls.at(-1)).toBe('addWebhook')
    await disconnect(source, 'paypal')
    resolve()
    expectRefusal(await connecting, 'payment.account_unavailable')
    expect(await settings()).toMatchObject({ paypal_connected: false })
  })
})

function reuse(
  provider: PaymentProviderName,
  { by = owner, into = target.id, from = source.id }: { by?: TestOwner; into?: string; from?: string } = {},
) {
  return by.put(`/api/calendars/${into}/payment-providers/${provider}/connection`, { calendar_id: from })
}

function disconnect({ id }: PaidCalendar, provider: PaymentProviderName) {
  return owner.delete(`/api/calendars/${id}/payment-providers/${provider}/connection`)
}

async function settings({ id }: PaidCalendar = target) {
  return (await owner.get(`/api/calendars/${id}/payment-settings`)).json()
}

function change({ id }: PaidCalendar, assignment: string) {
  return meridian.database.execute(`update payment_settings set ${assignment} where calendar_id = $1`, [id])
}

function setTier(tier: 'professional' | 'enterprise') {
  return meridian.database.execute('update subscriptions set tier = $1 where user_id = $2', [tier, owner.id])
}

function notify({ id }: PaidCalendar, checkoutId: string) {
  return meridian.request({
    method: 'POST',
    url: `/api/webhooks/paypal/${id}`,
    headers: { 'x-signed': 'yes', 'content-type': 'application/json' },
    payload: JSON.stringify({
      id: `WH-${checkoutId}`,
      type: 'CHECKOUT.ORDER.APPROVED',
      about: { kind: 'checkout', checkoutId },
    }),
  })
}

/** A customer pays for an appointment on the calendar that uses the other one's account. */
async function payAndConfirm(provider: PaymentProviderName): Promise<void> {
  const { id, checkoutId } = await startCheckout(meridian, target, { provider })
  const fake = provider === 'stripe' ? stripe : paypal
  fake.pay(checkoutId)
  await meridian.post(`/api/public/appointments/${id}/payment`)
  expect((await readAppointmentAndPayment(meridian, id)).state).toEqual(['confirmed', 'paid', 'completed'])
}
