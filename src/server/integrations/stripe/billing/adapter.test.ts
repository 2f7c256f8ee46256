import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { add, find, SUBSCRIPTIONS } from '#sandbox/billing/records.ts'
import type { Database, Db } from '#server/platform/db/database.ts'
import {
  type BillingOwner,
  describeBillingProvider,
  kindOf,
} from '#tests/support/billing-provider-contract.ts'
import { type BillingStandIn, startBillingStandIn } from '#tests/support/billing-stand-in.ts'
import { openStripeTestMode } from '#tests/support/billing-test-clocks.ts'
import { waitFor } from '#tests/support/meridian.ts'
import { PLAN_CARD, payPlan, setPlanOutage } from '#tests/support/plan-people.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { buildStripeBilling } from './adapter.ts'
import { buildLazyStripeBilling } from './lazy-provider.ts'

let database: Database
let stripe: BillingStandIn
beforeAll(async () => {
  database = await openTestDatabase()
  stripe = await startBillingStandIn(database.db)
})
afterAll(async () => {
  await stripe.stop()
  await database.close()
})

/** Polls `find` until it returns something, up to the test's time-out. */
async function waitPatiently<Found>(find: () => Promise<Found | null>, pauseMs: number): Promise<Found> {
  for (;;) {
    const found = await find()
    if (found !== null) return found
    await sleep(pauseMs)
  }
}

describeBillingProvider('Stripe’s stand-in', async () => ({ ...stripe, stop: async () => {} }), {
  waitFor: (find) => waitPatiently(find, 25),
  timeoutMs: 120_000,
})

// With a key of Stripe's test mode, the same tests run against Stripe itself.
const { STRIPE_TEST_SECRET_KEY: secretKey } = process.env
if (secretKey !== undefined) {
  describeBillingProvider('Stripe itself', () => openStripeTestMode(secretKey), {
    waitFor: (find) => waitPatiently(find, 2_000),
    timeoutMs: 240_000,
  })
}

test.each([
  ['sk_live_1', false],
  ['rk_live_1', false],
  ['sk_test_1', true],
])('money that moves by the key %s is sandbox money: %s', (secretKey, isSandbox) => {
  const prices = { professional: 'price_1', business: 'price_2' }
  const keys = { secretKey, webhookSecret: 'whsec_1', prices, now: Date.now }
  for (const build of [buildStripeBilling, buildLazyStripeBilling]) {
    expect(build(keys).isSandbox()).toBe(isSandbox)
    expect(build({ ...keys, sandboxUrl: 'http://127.0.0.1:1' }).isSandbox()).toBe(true)
    expect(build(keys).tierOf('price_2')).toBe('business')
    expect(build(keys).tierOf('price_3')).toBeNull()
  }
})

describe('paying on the page', () => {
  test('begins the plan, and leads back to the product', async () => {
    const owner = await stripe.makeOwner()
    const { url } = await createCheckout(owner)
    const page = await (await fetch(url)).text()
    expect(page).toContain('Meridian Professional')
    expect(page).toContain('€9.99 per month')
    expect(page).toContain('Sandbox: no real money moves')
    const answer = await payPlan(url, { card: '5555 5555 5555 4444', expiry: '1/30' })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('https://book.example/dashboard?subscription=success')
    expect(await stripe.provider.findCard(owner.customerId)).toEqual({
      brand: 'mastercard',
      last4: '4444',
      expiryMonth: 1,
      expiryYear: 2030,
    })
  })

  test.each([
    [PLAN_CARD.isDeclined, '12/34', 'Your card was declined.'],
    ['4000 0000 0000 9995', '12/34', 'Your card has insufficient funds.'],
    ['1234', '12/34', 'Your card number is incorrect.'],
    [PLAN_CARD.pays, '1/20', 'Your card has expired.'],
    [PLAN_CARD.pays, '13/34', 'Your card has expired.'],
  ])('with %s, good until %s, is refused, and nothing begins', async (card, expiry, words) => {
    const owner = await stripe.makeOwner()
    const { url } = await createCheckout(owner)
    const answer = await payPlan(url, { card, expiry })
    expect(await answer.text()).toContain(words)
    expect(await stripe.provider.listSubscriptions(owner.customerId)).toEqual([])
  })

  test('twice begins one plan, and the same key opens no other page', async () => {
    const owner = await stripe.makeOwner()
    const key = randomUUID()
    const { url } = await createCheckout(owner, key)
    await Promise.all([payPlan(url), payPlan(url)])
    expect(await stripe.provider.listSubscriptions(owner.customerId)).toHaveLength(1)
    expect(await kindOf(createCheckout(owner, key))).toBe('refused')
  })

  test('is over a day after the page was opened', async () => {
    const owner = await stripe.makeOwner()
    const { url } = await createCheckout(owner)
    stripe.clock.ms += 24 * 60 * 60_000
    expect(await (await payPlan(url)).text()).toContain('This checkout has ended. Nothing was paid.')
    expect(await stripe.provider.listSubscriptions(owner.customerId)).toEqual([])
  })
})

describe('the portal', () => {
  test('has a larger plan begin at once and paid for the rest of the month', async () => {
    const owner = await makeSubscriber('professional')
    const [only] = await stripe.provider.listSubscriptions(owner.customerId)
    const page = { kind: 'change', subscriptionId: only?.id ?? '', priceId: stripe.prices.business } as const
    const fields = { action: 'change', subscription: page.subscriptionId, price: page.priceId }
    const answer = await stripe.pressInPortal(owner, fields, page)
    expect(answer.headers.get('location')).toBe('https://book.example/profile')
    const [changed] = await stripe.provider.listSubscriptions(owner.customerId)
    expect(changed).toMatchObject({ priceId: stripe.prices.business, amountCents: 1_999, nextPriceId: null })
    const [newest] = await stripe.provider.listInvoices(owner.customerId)
    expect(newest).toMatchObject({ amountCents: 1_000, status: 'paid' })
  })

  test('takes back an end and a smaller plan', async () => {
    const owner = await makeSubscriber('business')
    const [only] = await stripe.provider.listSubscriptions(owner.customerId)
    const subscription = only?.id ?? ''
    for (const change of [{ action: 'cancel' }, { action: 'change', price: stripe.prices.professional }]) {
      await stripe.pressInPortal(owner, { ...change, subscription })
      const [pending] = await stripe.provider.listSubscriptions(owner.customerId)
      expect(pending?.cancelsAt ?? pending?.nextPriceId).not.toBeNull()
      await stripe.pressInPortal(owner, { action: 'keep', subscription })
      const [kept] = await stripe.provider.listSubscriptions(owner.customerId)
      expect(kept).toMatchObject({ cancelsAt: null, nextPriceId: null, priceId: stripe.prices.business })
    }
  })

  test('is configured once, however often and by whomever it is opened', async () => {
    const owner = await makeSubscriber('professional')
    const { settings } = stripe.sandbox
    const open = (provider = stripe.provider) =>
      provider.createPortal({
        customerId: owner.customerId,
        returnUrl: 'https://book.example/profile',
        page: { kind: 'home' },
      })
    await Promise.all([1, 2, 3].map(() => open(buildStripeBilling(settings))))
    await open()
    const configurations = await fetch(`${settings.sandboxUrl}/v1/billing_portal/configurations`, {
      headers: { authorization: `Bearer ${settings.secretKey}` },
    })
    expect(await configurations.json()).toMatchObject({
      data: [
        { features: { customer_update: { allowed_updates: { 0: 'name', 1: 'address', 2: 'tax_id' } } } },
      ],
    })
  })

  test('has what is owed paid on the page of the invoice', async () => {
    const owner = await makeSubscriber('professional')
    await stripe.people.useCard(owner, 'fails')
    await stripe.press(owner, 'month')
    const [invoice] = await stripe.provider.listInvoices(owner.customerId)
    expect(invoice).toMatchObject({ status: 'open', amountCents: 999 })
    const url = invoice?.url ?? ''
    expect(await (await payPlan(url, { card: PLAN_CARD.isDeclined })).text()).toContain('was declined')
    await payPlan(url)
    expect(await (await fetch(url)).text()).toContain('· paid')
    const [only] = await stripe.provider.listSubscriptions(owner.customerId)
    expect(only?.status).toBe('active')
  })
})

test('while another plan comes already, the portal opens on its first page, which takes that back', async () => {
  const owner = await makeSubscriber('business')
  const [only] = await stripe.provider.listSubscriptions(owner.customerId)
  const subscriptionId = only?.id ?? ''
  const readPage = async (kind: 'change' | 'cancel') => {
    const { url } = await stripe.provider.createPortal({
      customerId: owner.customerId,
      returnUrl: 'https://book.example/profile',
      page: { kind, subscriptionId, priceId: stripe.prices.professional },
    })
    return (await fetch(url)).text()
  }
  expect(await readPage('change')).toContain('<h1>Confirm your plan</h1>')
  expect(await readPage('cancel')).toContain('<h1>End your plan</h1>')
  await stripe.people.changeAtPeriodEnd(owner, stripe.prices.professional)
  for (const kind of ['change', 'cancel'] as const) {
    expect(await readPage(kind)).toContain('Keep Meridian Business')
  }
})

describe('a renewal that fails', () => {
  test('is tried three times more, and then the plan has ended', async () => {
    const owner = await makeSubscriber('professional')
    await stripe.people.useCard(owner, 'fails')
    await stripe.press(owner, 'month')
    for (const status of ['past_due', 'past_due', 'canceled']) {
      await stripe.press(owner, 'retry')
      const [only] = await stripe.provider.listSubscriptions(owner.customerId)
      expect(only).toMatchObject({ status, hasFailedForGood: status === 'canceled' })
    }
  })

  test('can be left unpaid, and paid after that', async () => {
    const owner = await makeSubscriber('professional')
    await stripe.people.useCard(owner, 'fails')
    await stripe.press(owner, 'month')
    await stripe.press(owner, 'leave_unpaid')
    const [unpaid] = await stripe.provider.listSubscriptions(owner.customerId)
    expect(unpaid).toMatchObject({ status: 'unpaid', endedAt: null, hasFailedForGood: false })
    await stripe.people.useCard(owner, 'pays')
    await stripe.press(owner, 'retry')
    const [paid] = await stripe.provider.listSubscriptions(owner.customerId)
    expect(paid?.status).toBe('active')
  })

  test('because the card’s last month is over', async () => {
    const owner = await stripe.makeOwner()
    const { url } = await createCheckout(owner)
    const today = new Date(stripe.clock.ms)
    await payPlan(url, { expiry: `${today.getUTCMonth() + 1}/${today.getUTCFullYear() - 2_000}` })
    stripe.clock.ms += 32 * 24 * 60 * 60_000
    await stripe.press(owner, 'month')
    const [only] = await stripe.provider.listSubscriptions(owner.customerId)
    expect(only?.status).toBe('past_due')
  })
})

test('a price of something else is told as it is, and is no plan', async () => {
  const owner = await makeSubscriber('professional')
  await stripe.press(owner, 'unknown_price')
  const [only] = await stripe.provider.listSubscriptions(owner.customerId)
  expect(only).toMatchObject({ priceId: 'price_sandbox_of_something_else', amountCents: 500 })
  expect(stripe.provider.tierOf(only?.priceId ?? '')).toBeNull()
})

test('money that goes back is on the invoice, and the owner’s other payments stay', async () => {
  const owner = await makeSubscriber('professional')
  await stripe.press(owner, 'month')
  const [only] = await stripe.provider.listSubscriptions(owner.customerId)
  const end = () => stripe.provider.endSubscription({ subscriptionId: only?.id ?? '', refund: true })
  await Promise.all([end(), end()])
  const invoices = await stripe.provider.listInvoices(owner.customerId)
  const pages = await Promise.all(invoices.map(async ({ url }) => (await fetch(url ?? '')).text()))
  expect(pages.map((page) => page.includes('paid, and given back'))).toEqual([true, false])
})

test('more subscriptions than Stripe lists on one page are all found', async () => {
  const owner = await stripe.makeOwner()
  const { url } = await createCheckout(owner)
  await payPlan(url)
  const [only] = await stripe.provider.listSubscriptions(owner.customerId)
  await addCopies(database.db, only?.id ?? '', 120)
  expect(await stripe.provider.listSubscriptions(owner.customerId)).toHaveLength(121)
})

describe('while Stripe does not answer', () => {
  test('every question says so, and works again afterwards', async () => {
    const owner = await makeSubscriber('professional')
    const { customerId, email } = owner
    const { provider, sandbox } = stripe
    const page = { kind: 'home' } as const
    await setPlanOutage(sandbox.settings.sandboxUrl, true)
    for (const ask of [
      provider.listPrices,
      () => provider.createCustomer(owner),
      () => provider.changeEmail({ customerId, email }),
      () => provider.listSubscriptions(customerId),
      () => createCheckout(owner),
      () => provider.endOpenCheckouts(customerId),
      () => provider.createPortal({ customerId, returnUrl: 'https://book.example', page }),
      () => provider.endSubscription({ subscriptionId: 'sub_1', refund: true }),
      () => provider.listInvoices(customerId),
      () => provider.findCard(customerId),
      async () => {
        for await (const _ of provider.listAllSubscriptions()) break
      },
    ]) {
      expect(await kindOf(ask())).toBe('unavailable')
    }
    await setPlanOutage(sandbox.settings.sandboxUrl, false)
    expect(await provider.listSubscriptions(customerId)).toHaveLength(1)
  })

  test('because nobody is there it says so, too', async () => {
    const nobody = buildStripeBilling({ ...stripe.sandbox.settings, sandboxUrl: 'http://127.0.0.1:1' })
    expect(await kindOf(nobody.listPrices())).toBe('unavailable')
  })

  test('with a wrong key it refuses, without a word about the key', async () => {
    const wrong = buildStripeBilling({ ...stripe.sandbox.settings, secretKey: 'sk_test_wrong' })
    await expect(wrong.listPrices()).rejects.toThrow('Stripe does not accept the key of this installation.')
  })

  test('a price that is not there is refused in Stripe’s words', async () => {
    const prices = { ...stripe.prices, business: 'price_gone' }
    const provider = buildStripeBilling({ ...stripe.sandbox.settings, prices })
    await expect(provider.listPrices()).rejects.toThrow("No such price: 'price_gone'")
  })
})

describe('an event', () => {
  test('of a plan names the customer, whatever it is about', async () => {
    const owner = await makeSubscriber('professional')
    await stripe.people.deleteCustomer(owner)
    const types = [
      'customer.subscription.created',
      'invoice.paid',
      'checkout.session.completed',
      'customer.deleted',
    ]
    for (const type of types) {
      const message = await waitFor(() =>
        stripe.webhooks.find(
          ({ rawBody }) => rawBody.includes(`"type":"${type}"`) && rawBody.includes(owner.customerId),
        ),
      )
      expect(await stripe.provider.readWebhook(message)).toMatchObject({ type, customerId: owner.customerId })
    }
  })

  test.each([
    ['a connected account', { account: 'acct_1' }, undefined],
    ['nobody we know', {}, 'whsec_of_somebody'],
  ])('of %s is not taken', async (_whose, changes, secret) => {
    expect(await stripe.provider.readWebhook(makeWebhook(changes, secret))).toBeNull()
  })

  test('that was signed too long ago is not taken', async () => {
    const message = makeWebhook({})
    expect(await stripe.provider.readWebhook(message)).toEqual({
      id: 'evt_1',
      type: 'customer.subscription.updated',
      customerId: 'cus_1',
    })
    stripe.clock.ms += 301_000
    expect(await stripe.provider.readWebhook(message)).toBeNull()
  })

  test('without a signature loads nothing and is not taken', async () => {
    const later = buildLazyStripeBilling(stripe.sandbox.settings)
    expect(await later.readWebhook({ headers: {}, rawBody: Buffer.from('{}') })).toBeNull()
  })

  test('about no customer says so', async () => {
    const message = makeWebhook({ data: { object: { id: 'prod_1', object: 'product' } } })
    expect(await stripe.provider.readWebhook(message)).toMatchObject({ customerId: null })
  })
})

test('loaded later, it answers the same', async () => {
  const owner = await makeSubscriber('business')
  const later = buildLazyStripeBilling(stripe.sandbox.settings)
  expect(await later.listPrices()).toEqual(await stripe.provider.listPrices())
  expect(await later.listSubscriptions(owner.customerId)).toEqual(
    await stripe.provider.listSubscriptions(owner.customerId),
  )
  const customers = new Set<string>()
  for await (const { customerId } of later.listAllSubscriptions()) customers.add(customerId)
  expect(customers.has(owner.customerId)).toBe(true)
})

function createCheckout({ customerId, ownerId }: BillingOwner, key: string = randomUUID()) {
  return stripe.provider.createCheckout({
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

/** Copies of a subscription, as a long-standing customer could have. */
async function addCopies(db: Db, id: string, count: number): Promise<void> {
  const original = await find(db, SUBSCRIPTIONS, id)
  if (original === null) throw new Error('no subscription')
  for (let copy = 0; copy < count; copy += 1) {
    await add(db, SUBSCRIPTIONS, { ...original, id: `${id}_${copy}`, createdS: original.createdS - copy })
  }
}

function makeWebhook(changes: object, secret = stripe.sandbox.settings.webhookSecret) {
  const payload = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'customer.subscription.updated',
    livemode: false,
    data: { object: { id: 'sub_1', object: 'subscription', customer: 'cus_1' } },
    ...changes,
  })
  const timestamp = Math.floor(stripe.clock.ms / 1_000)
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
  return { headers: { 'stripe-signature': signature }, rawBody: Buffer.from(payload) }
}
