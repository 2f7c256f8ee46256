import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { BillingProvider } from '#server/ports/billing-provider.ts'
import {
  type BillingOwner,
  billingErrorKindOf,
  testBillingProviderContract,
} from '#tests/support/billing-provider-contract.ts'
import { openStripeTestMode } from '#tests/support/billing-test-clocks.ts'
import {
  openRecordedStripeBilling,
  type RecordedStripeBilling,
  readBillingExchanges,
} from '#tests/support/recorded-stripe-billing.ts'
import { startScriptedServer } from '#tests/support/scripted-server.ts'
import { expectStripeShape, readStripeExamples } from '#tests/support/stripe-examples.ts'
import { buildStripeBilling } from './adapter.ts'
import { buildLazyStripeBilling } from './lazy-provider.ts'

let stripe: RecordedStripeBilling
let examples: Record<string, Record<string, unknown>>
beforeAll(async () => {
  stripe = await openRecordedStripeBilling()
  examples = await readStripeExamples()
})
beforeEach(({ task }) => stripe.begin(task.name))
afterEach(() => stripe.end())
afterAll(() => stripe.stop())

/** Polls `find` until it returns something, up to the test's time-out. */
async function waitPatiently<Found>(find: () => Promise<Found | null>): Promise<Found> {
  for (;;) {
    const found = await find()
    if (found !== null) return found
    await sleep(2_000)
  }
}

testBillingProviderContract('Recorded Stripe', async () => withoutStop(stripe), {
  waitFor: waitPatiently,
  timeoutMs: 20_000,
})

// With a key of Stripe's test mode, the same tests run against Stripe itself.
const { STRIPE_TEST_SECRET_KEY: secretKey } = process.env
if (secretKey !== undefined) {
  testBillingProviderContract('Stripe itself', () => openStripeTestMode(secretKey), {
    waitFor: waitPatiently,
    timeoutMs: 240_000,
  })
}

test('the recorded responses have only fields of Stripe’s published examples, with their types', async () => {
  const exchanges = Object.values(await readBillingExchanges()).flat()
  const resources = exchanges.flatMap(({ response }) => listResources(response))
  expect(new Set(resources.map(({ object }) => object)).size).toBeGreaterThan(8)
  for (const resource of resources) {
    const { object, deleted } = resource
    expectStripeShape(resource, examples[deleted === true ? `deleted_${object}` : object] ?? {})
  }
})

test.each([
  ['sk_live_1', false],
  ['rk_live_1', false],
  ['sk_test_1', true],
])('the key %s moves no real money: %s', (key, isSandbox) => {
  const prices = { professional: 'price_1', business: 'price_2' }
  const keys = { secretKey: key, webhookSecret: 'whsec_1', prices, now: Date.now }
  for (const build of [buildStripeBilling, buildLazyStripeBilling]) {
    expect(build(keys).isSandbox()).toBe(isSandbox)
    expect(build({ ...keys, sandboxUrl: 'http://127.0.0.1:1' }).isSandbox()).toBe(true)
    expect(build(keys).tierOf('price_2')).toBe('business')
    expect(build(keys).tierOf('price_3')).toBeNull()
  }
})

test('the key of a paid checkout opens no other checkout', async () => {
  const owner = await stripe.makeOwner()
  const key = `${owner.ownerId}-${stripe.prices.professional}`
  await stripe.people.subscribe(owner, stripe.prices.professional)
  expect(await billingErrorKindOf(createCheckout(owner, key))).toBe('refused')
})

test('reads the card that pays for the plan', async () => {
  const owner = await makeSubscriber('professional')
  expect(await stripe.provider.findCard(owner.customerId)).toEqual({
    brand: 'visa',
    last4: '4242',
    expiryMonth: 12,
    expiryYear: 2034,
  })
})

test('adapters that open the portal at the same time create one configuration', async () => {
  const owner = await makeSubscriber('professional')
  const open = (provider: BillingProvider) =>
    provider.createPortal({
      customerId: owner.customerId,
      returnUrl: 'https://book.example/profile',
      page: { kind: 'home' },
    })
  await Promise.all([1, 2, 3].map(() => open(buildStripeBilling(stripe.settings))))
  await open(stripe.provider)
  const sessions = stripe.listRequests().filter(({ path }) => path === '/v1/billing_portal/sessions')
  expect(new Set(sessions.map(({ body }) => body?.configuration)).size).toBe(1)
  const [created] = stripe.listRequests().filter(({ method, path }) => {
    return method === 'POST' && path === '/v1/billing_portal/configurations'
  })
  expect(created?.body).toMatchObject({
    'features[customer_update][allowed_updates][0]': 'name',
    'features[customer_update][allowed_updates][1]': 'address',
    'features[customer_update][allowed_updates][2]': 'tax_id',
    'features[subscription_cancel][mode]': 'at_period_end',
    'features[subscription_update][proration_behavior]': 'always_invoice',
    'features[subscription_update][schedule_at_period_end][conditions][0][type]': 'decreasing_item_amount',
  })
})

test('while a plan change is scheduled, the portal opens on its home page, which can undo it', async () => {
  const owner = await makeSubscriber('business')
  const [only] = await stripe.provider.listSubscriptions(owner.customerId)
  const open = (kind: 'change' | 'cancel') =>
    stripe.provider.createPortal({
      customerId: owner.customerId,
      returnUrl: 'https://book.example/profile',
      page: { kind, subscriptionId: only?.id ?? '', priceId: stripe.prices.professional },
    })
  await open('change')
  await open('cancel')
  await stripe.people.changeAtPeriodEnd(owner, stripe.prices.professional)
  await open('change')
  await open('cancel')
  const sessions = stripe.listRequests().filter(({ path }) => path === '/v1/billing_portal/sessions')
  expect(sessions.map(({ body }) => body?.['flow_data[type]'])).toEqual([
    'subscription_update_confirm',
    'subscription_cancel',
    undefined,
    undefined,
  ])
})

test('two requests for a refund refund the last payment once, and earlier payments never', async () => {
  const owner = await makeSubscriber('professional')
  await stripe.people.passMonth(owner)
  const [newest] = await stripe.provider.listInvoices(owner.customerId)
  const [only] = await stripe.provider.listSubscriptions(owner.customerId)
  const end = () => stripe.provider.endSubscription({ subscriptionId: only?.id ?? '', refund: true })
  await Promise.all([end(), end()])
  const payments = stripe.listRequests().filter(({ path }) => path.startsWith('/v1/invoice_payments'))
  expect(new Set(payments.map(({ path }) => path))).toEqual(
    new Set([`/v1/invoice_payments?invoice=${newest?.id}&status=paid`]),
  )
  const refunds = stripe
    .listRequests()
    .filter(({ method, path }) => method === 'POST' && path === '/v1/refunds')
  expect(new Set(refunds.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
})

test('a missing price is refused with Stripe’s message', async () => {
  const prices = { ...stripe.prices, business: 'price_gone' }
  const provider = buildStripeBilling({ ...stripe.settings, prices })
  await expect(provider.listPrices()).rejects.toThrow("No such price: 'price_gone'")
})

test('the provider that loads the library later gives the same answers', async () => {
  const owner = await makeSubscriber('business')
  const later = buildLazyStripeBilling(stripe.settings)
  expect(await later.listPrices()).toEqual(await stripe.provider.listPrices())
  expect(await later.listSubscriptions(owner.customerId)).toEqual(
    await stripe.provider.listSubscriptions(owner.customerId),
  )
  const customers = new Set<string>()
  for await (const { customerId } of later.listAllSubscriptions()) customers.add(customerId)
  expect(customers.has(owner.customerId)).toBe(true)
})

test('all pages of a long list are read', async () => {
  const page = (ids: readonly string[], has_more: boolean) => ({
    body: {
      object: 'list',
      url: '/v1/subscriptions',
      data: ids.map((id) => ({ ...examples.subscription, id })),
      has_more,
    },
  })
  const server = await startScriptedServer(({ pathname, searchParams }) => {
    if (pathname !== '/v1/subscriptions') return { body: examples.customer }
    return searchParams.get('starting_after') === null
      ? page(['sub_1', 'sub_2'], true)
      : page(['sub_3'], false)
  })
  const provider = buildStripeBilling({ ...stripe.settings, sandboxUrl: server.url })
  const found = await provider.listSubscriptions('cus_1')
  expect(found.map(({ id }) => id)).toEqual(['sub_1', 'sub_2', 'sub_3'])
  expect(server.asked.map(({ searchParams }) => searchParams.get('starting_after'))).toEqual([
    null,
    null,
    'sub_2',
  ])
  await server.stop()
})

describe('while Stripe does not answer', () => {
  test('every call says so, and works again afterwards', async () => {
    let isDown = true
    const server = await startScriptedServer(({ pathname }) => {
      if (isDown) {
        return {
          status: 503,
          headers: { 'stripe-should-retry': 'false' },
          body: { error: { type: 'api_error', message: 'Stripe is not available at the moment.' } },
        }
      }
      const list = {
        object: 'list',
        url: '/v1/subscriptions',
        data: [examples.subscription],
        has_more: false,
      }
      return { body: pathname === '/v1/subscriptions' ? list : examples.customer }
    })
    const provider = buildStripeBilling({ ...stripe.settings, sandboxUrl: server.url })
    const owner = { ownerId: 'owner', email: 'ada@example.com', name: 'Ada', customerId: 'cus_1' }
    for (const ask of [
      provider.listPrices,
      () => provider.createCustomer(owner),
      () => provider.changeEmail(owner),
      () => provider.listSubscriptions('cus_1'),
      () => createCheckout(owner, 'key', provider),
      () => provider.endOpenCheckouts('cus_1'),
      () => provider.createPortal({ ...owner, returnUrl: 'https://book.example', page: { kind: 'home' } }),
      () => provider.endSubscription({ subscriptionId: 'sub_1', refund: true }),
      () => provider.listInvoices('cus_1'),
      () => provider.findCard('cus_1'),
      async () => {
        for await (const _ of provider.listAllSubscriptions()) break
      },
    ]) {
      expect(await billingErrorKindOf(ask())).toBe('unavailable')
    }
    isDown = false
    expect(await provider.listSubscriptions('cus_1')).toHaveLength(1)
    await server.stop()
  })

  test('because it cannot be reached, a call says so, too', async () => {
    const provider = buildStripeBilling({ ...stripe.settings, sandboxUrl: 'http://127.0.0.1:1' })
    expect(await billingErrorKindOf(provider.listPrices())).toBe('unavailable')
  })
})

test('a wrong key is refused, without any part of the key in the message', async () => {
  const error = { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_*****rded' }
  const server = await startScriptedServer(() => ({ status: 401, body: { error } }))
  const provider = buildStripeBilling({ ...stripe.settings, sandboxUrl: server.url })
  await expect(provider.listPrices()).rejects.toThrow('Stripe does not accept the key of this installation.')
  await server.stop()
})

describe('an event', () => {
  test.each([
    ['customer.subscription.created', 'subscription'],
    ['invoice.paid', 'invoice'],
    ['checkout.session.completed', 'checkout.session'],
    ['customer.updated', 'customer'],
    ['customer.deleted', 'customer'],
  ])('of the type %s names the customer', async (type, resource) => {
    const object = {
      ...examples[resource],
      ...(resource === 'customer' ? { id: 'cus_1' } : { customer: 'cus_1' }),
    }
    const message = makeWebhook({ type, data: { object } })
    expect(await stripe.provider.readWebhook(message)).toEqual({ id: 'evt_1', type, customerId: 'cus_1' })
  })

  test.each([
    ['a connected account', { account: 'acct_1' }, undefined],
    ['an unknown sender', {}, 'whsec_of_somebody'],
  ])('of %s is refused', async (_sender, changes, secret) => {
    expect(await stripe.provider.readWebhook(makeWebhook(changes, secret))).toBeNull()
  })

  test('that was signed too long ago is refused', async () => {
    const message = makeWebhook({})
    expect(await stripe.provider.readWebhook(message)).toEqual({
      id: 'evt_1',
      type: 'customer.subscription.updated',
      customerId: 'cus_1',
    })
    const later = buildStripeBilling({ ...stripe.settings, now: () => Date.now() + 301_000 })
    expect(await later.readWebhook(message)).toBeNull()
  })

  test('without a signature is refused before the library is loaded', async () => {
    const later = buildLazyStripeBilling(stripe.settings)
    expect(await later.readWebhook({ headers: {}, rawBody: Buffer.from('{}') })).toBeNull()
  })

  test('about no customer says so', async () => {
    const message = makeWebhook({ data: { object: { id: 'prod_1', object: 'product' } } })
    expect(await stripe.provider.readWebhook(message)).toMatchObject({ customerId: null })
  })
})

function createCheckout(
  { customerId, ownerId }: BillingOwner,
  key: string,
  provider: BillingProvider = stripe.provider,
) {
  return provider.createCheckout({
    customerId,
    ownerId,
    priceId: stripe.prices.professional,
    successUrl: 'https://book.example/dashboard?subscription=success',
    cancelUrl: 'https://book.example/pricing',
    key,
  })
}

async function makeSubscriber(plan: 'professional' | 'business'): Promise<BillingOwner> {
  const owner = await stripe.makeOwner()
  await stripe.people.subscribe(owner, stripe.prices[plan])
  return owner
}

/** Wraps the server, so that it keeps running after the tests of the contract. */
function withoutStop(recorded: RecordedStripeBilling): RecordedStripeBilling {
  return Object.create(recorded, { stop: { value: async () => {} } })
}

type Resource = { readonly object: string; readonly deleted?: boolean }

/** Lists the resources in a response, at any depth. */
function listResources(value: unknown): Resource[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(listResources)
  const isResource = 'object' in value && value.object !== 'list' && value.object !== 'subscription_item'
  return isResource ? [value as Resource, ...inner] : inner
}

function makeWebhook(changes: object, secret = stripe.settings.webhookSecret) {
  const payload = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'customer.subscription.updated',
    livemode: false,
    data: { object: { id: 'sub_1', object: 'subscription', customer: 'cus_1' } },
    ...changes,
  })
  const timestamp = Math.floor(Date.now() / 1_000)
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
  return { headers: { 'stripe-signature': signature }, rawBody: Buffer.from(payload) }
}
