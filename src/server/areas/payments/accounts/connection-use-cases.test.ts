import { beforeEach, expect, test } from 'vitest'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { buildSecretBox } from '#server/platform/secrets/secret-box.ts'
import { PaymentProviderError, type PaymentProviderName } from '#server/ports/payment-provider.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { makeFakeProvider } from '#tests/support/fake-payment-provider.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { makeCalendar, TEST_PASSWORD, toCookieHeader } from '#tests/support/meridian.ts'
import { disconnectProvider } from './connection-use-cases.ts'
import { disconnectAccountFromAllCalendars } from './repository.ts'

let calendarId: string
const stripe = makeFakeProvider('stripe')
const paypal = makeFakeProvider('paypal')

const APP = {
  paypal_client_id: 'client',
  paypal_redirect_uri: 'http://localhost:3000/paypal-connect-callback',
}

setUpOwner({ providers: { stripe, paypal }, owner: { tier: 'business' } })
beforeEach(async () => {
  await meridian.database.execute('delete from calendars')
  calendarId = (await makeCalendar(meridian, owner)).id
  stripe.disconnected.length = 0
})

test('returning from Stripe connects the account, once', async () => {
  const { state, redirectUri } = await setOut('stripe')
  expect(redirectUri).toBe('http://localhost:3000/stripe-connect-callback')
  const { rows } = await meridian.database.execute('select * from payment_connections')
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(state)
  const answer = await comeBack('stripe', state)
  expect(answer.json()).toEqual({ calendar_id: calendarId, provider: 'stripe' })
  expect(await settings()).toMatchObject({
    stripe_connected: true,
    stripe_account_id: 'stripe-code',
    payment_provider: 'stripe',
  })
  expectRefusal(await comeBack('stripe', state), 'payment.callback_invalid')
})

test('a connection state is valid for ten minutes, for its provider and its session', async () => {
  const { state } = await setOut('stripe')
  const elsewhere = await meridian.post('/api/auth/sign-in', { email: owner.email, password: TEST_PASSWORD })
  expectRefusal(await comeBack('stripe', state, toCookieHeader(elsewhere)), 'payment.callback_invalid')
  expectRefusal(await comeBack('paypal', state), 'payment.callback_invalid')
  expectRefusal(await comeBack('stripe', ''), 'payment.callback_invalid')
  meridian.clock.ms += 10 * 60_000
  expectRefusal(await comeBack('stripe', state), 'payment.callback_invalid')
  meridian.clock.ms -= 1
  expect((await comeBack('stripe', state)).statusCode).toBe(200)
})

test('PayPal needs its client id, its redirect address and its secret first', async () => {
  expectRefusal(await connect('paypal'), 'payment.paypal_incomplete')
  await save({ paypal_client_id: 'client' })
  expectRefusal(await connect('paypal'), 'payment.paypal_incomplete')
  await save(APP)
  expectRefusal(await connect('paypal'), 'payment.paypal_credentials_incomplete')
  await save({ paypal_client_secret: 'secret' })
  const { state, redirectUri } = await setOut('paypal')
  expect(redirectUri).toBe(APP.paypal_redirect_uri)
  await comeBack('paypal', state)
  expect(await settings()).toMatchObject({
    paypal_connected: true,
    paypal_merchant_id: 'paypal-code',
    paypal_email: 'client@example.com',
    payment_provider: 'paypal',
  })
  const { rows } = await meridian.database.execute('select paypal_webhook_id as id from payment_settings')
  expect(rows).toEqual([{ id: `http://localhost:3000/api/webhooks/paypal/${calendarId}` }])
})

test('returning from PayPal after the plan ended connects nothing', async () => {
  await save({ ...APP, paypal_client_secret: 'secret' })
  const { state } = await setOut('paypal')
  const setTier = (tier: 'professional' | 'business') =>
    meridian.database.execute('update subscriptions set tier = $1 where user_id = $2', [tier, owner.id])
  await setTier('professional')
  expectRefusal(await comeBack('paypal', state), 'payment.not_in_plan')
  await setTier('business')
  expect(await settings()).toMatchObject({ paypal_connected: false })
})

test('a refusal by the provider is shown in its words, and nothing is connected', async () => {
  const { state } = await setOut('stripe')
  stripe.failNext('connect', new PaymentProviderError('refused', 'This authorization code has expired.'))
  const answer = await comeBack('stripe', state)
  expectRefusal(answer, 'payment.connect_failed')
  expect(answer.json()).toMatchObject({
    errors: [{ path: 'provider', message: 'This authorization code has expired.' }],
  })
  expect(await settings()).toMatchObject({ stripe_connected: false })
})

test('disconnecting ends open checkouts first and clears the account; PayPal stays', async () => {
  await connected('stripe')
  await save({ ...APP, paypal_client_secret: 'secret' })
  await connected('paypal')
  const order: string[] = []
  const deps = {
    ...meridian.deps,
    endCheckouts: async (...ended: [string, PaymentProviderName?]) => {
      order.push(`ended ${ended.join(' ')}, ${stripe.disconnected.length} disconnected`)
      return 'ended' as const
    },
  }
  // The cast is safe: this owner was just created. Otherwise only the session guard creates an `OwnerId`.
  await disconnectProvider(deps, owner.id as OwnerId, { calendarId, provider: 'stripe' })
  expect(order).toEqual([`ended ${calendarId} stripe, 0 disconnected`])
  expect(stripe.disconnected).toEqual([{ accountId: 'stripe-code', app: null }])
  expect(await settings()).toMatchObject({
    stripe_connected: false,
    stripe_account_id: null,
    paypal_connected: true,
    payment_provider: 'paypal',
  })
  expect((await disconnect('paypal')).statusCode).toBe(204)
  expect(paypal.disconnected).toMatchObject([{ accountId: 'paypal-code', app: { clientSecret: 'secret' } }])
  expect(await settings()).toMatchObject({
    paypal_connected: false,
    paypal_merchant_id: null,
    paypal_email: null,
    paypal_client_id: 'client',
    payment_provider: null,
  })
  expect((await disconnect('paypal')).statusCode).toBe(204)
})

test.each([
  ['under way', 'under_way', false],
  ['that nobody could be asked about', 'unknown', false],
  ['that was begun while the others were ended', 'ended', true],
] as const)('disconnecting is refused because of a payment %s', async (_which, left, isPaymentOpen) => {
  await connected('stripe')
  const deps = {
    ...meridian.deps,
    endCheckouts: async () => left,
    isPaymentOpen: async () => isPaymentOpen,
  }
  const disconnecting = disconnectProvider(deps, owner.id as OwnerId, { calendarId, provider: 'stripe' })
  await expect(disconnecting).rejects.toMatchObject({ code: 'payment.disconnect_under_way' })
  expect(stripe.disconnected).toHaveLength(0)
  expect(await settings()).toMatchObject({ stripe_connected: true, payment_provider: 'stripe' })
})

test('a late webhook about an earlier connection leaves the new one', async () => {
  const cutAt = new Date(meridian.clock.ms)
  meridian.clock.ms += 1_000
  await connected('stripe')
  const account = { provider: 'stripe', accountId: 'stripe-code', updatedAt: cutAt } as const
  await disconnectAccountFromAllCalendars(meridian.database.db, account, cutAt)
  expect(await settings()).toMatchObject({ stripe_connected: true, stripe_account_id: 'stripe-code' })
  await disconnectAccountFromAllCalendars(meridian.database.db, account, new Date(meridian.clock.ms))
  expect(await settings()).toMatchObject({ stripe_connected: false, stripe_account_id: null })
})

test('a Stripe account stays connected for the other calendars that are paid through it', async () => {
  const first = calendarId
  await connected('stripe')
  calendarId = (await makeCalendar(meridian, owner)).id
  await connected('stripe')
  await disconnect('stripe')
  expect(stripe.disconnected).toHaveLength(0)
  calendarId = first
  expect(await settings()).toMatchObject({ stripe_connected: true })
  await disconnect('stripe')
  expect(stripe.disconnected).toHaveLength(1)
})

test('an account that could not be disconnected at the provider stays connected here', async () => {
  await connected('stripe')
  stripe.failNext('disconnect', new PaymentProviderError('unavailable', 'Stripe did not answer in time.'))
  const answer = await disconnect('stripe')
  expectRefusal(answer, 'payment.disconnect_failed')
  expect(answer.json()).toMatchObject({ errors: [{ message: 'Stripe did not answer in time.' }] })
  expect(await settings()).toMatchObject({
    stripe_connected: true,
    stripe_account_id: 'stripe-code',
    payment_provider: 'stripe',
  })
})

test('a PayPal secret encrypted with another key can be entered again, and its account disconnected', async () => {
  await save({ ...APP, paypal_client_secret: 'secret' })
  await connected('paypal')
  paypal.disconnected.length = 0
  const foreign = buildSecretBox('another key of the installation').seal('secret', `paypal:${calendarId}`)
  const lose = () =>
    meridian.database.execute('update payment_settings set paypal_client_secret_encrypted = $1', [foreign])
  await lose()
  expectRefusal(await connect('paypal'), 'payment.paypal_credentials_incomplete')
  expect((await disconnect('paypal')).statusCode).toBe(204)
  expect(paypal.disconnected).toMatchObject([{ app: null }])
  expect(await settings()).toMatchObject({ paypal_connected: false, payment_provider: null })
  await save({ paypal_client_secret: 'the secret again' })
  await connected('paypal')
  expect(await settings()).toMatchObject({ paypal_connected: true })
})

async function connected(provider: PaymentProviderName): Promise<void> {
  const { state } = await setOut(provider)
  expect((await comeBack(provider, state)).statusCode).toBe(200)
}

async function setOut(provider: PaymentProviderName): Promise<{ state: string; redirectUri: string }> {
  const answer = await connect(provider)
  expect(answer.statusCode, answer.body).toBe(200)
  const { searchParams } = new URL(answer.json<{ url: string }>().url)
  return { state: searchParams.get('state') ?? '', redirectUri: searchParams.get('redirect_uri') ?? '' }
}

function connect(provider: PaymentProviderName) {
  return owner.post(connectionPath(provider))
}

function disconnect(provider: PaymentProviderName) {
  return owner.delete(connectionPath(provider))
}

function comeBack(provider: PaymentProviderName, state: string, cookie = owner.cookie) {
  const payload = { provider, state, code: 'code' }
  return meridian.as({ cookie }).post('/api/payment-connections', payload)
}

function save(payload: object) {
  return owner.patch(settingsPath(), payload)
}

async function settings() {
  return (await owner.get(settingsPath())).json()
}

function settingsPath(): string {
  return `/api/calendars/${calendarId}/payment-settings`
}

function connectionPath(provider: PaymentProviderName): string {
  return `/api/calendars/${calendarId}/payment-providers/${provider}/connection`
}
