import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import {
  makeOwner,
  startMeridian,
  TEST_PASSWORD,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import {
  BILLING_TEST_CARDS,
  type BillingDashboardButton,
  deleteBillingCustomer,
  payOnBillingPage,
  pressBillingDashboardButton,
  setBillingOutage,
} from '#tests/support/plan-people.ts'
import { postForm } from '#tests/support/post-form.ts'

// These tests run end to end with the stand-in, whose webhooks arrive over HTTP. Unless a test says so, nobody returns
// from the checkout or reloads a page.
let meridian: TestMeridian
beforeAll(async () => {
  meridian = await startMeridian()
  meridian.clock.ms = Date.now()
  await meridian.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => meridian.stop())

describe('an owner who pays on the provider’s page and closes the tab', () => {
  test('has the plan, an invoice with a page, and an email that says so', async () => {
    const { owner } = await buy('professional')
    expect(await getPlan(owner)).toMatchObject({
      subscription_tier: 'Professional',
      standing: 'active',
      next_charge: { amount_cents: 999, currency: 'eur' },
      can_manage: true,
    })
    const { invoices } = (await ask(owner, 'GET', '/api/subscription/invoices')).json()
    expect(invoices).toMatchObject([{ amount_cents: 999, currency: 'eur', status: 'paid' }])
    expect(await (await fetch(invoices[0].url)).text()).toContain('Meridian Professional')
    await meridian.waitForMail(({ to }) => to.address === owner.email)
  })

  test('ends the plan in the portal, takes it back, ends it again, and has none after its month', async () => {
    const { owner, subscription, press } = await buy('professional')
    await pressInPortal(owner, { action: 'cancel', subscription })
    const ending = await waitForPlan(owner, { standing: 'ending' })
    expect(ending).toMatchObject({ subscription_tier: 'Professional', next_charge: null })
    expect(ending.subscription_end).not.toBeNull()
    await pressInPortal(owner, { action: 'keep', subscription })
    await waitForPlan(owner, { standing: 'active' })
    await pressInPortal(owner, { action: 'cancel', subscription })
    await waitForPlan(owner, { standing: 'ending' })
    await press('month')
    await waitForPlan(owner, { standing: 'none', subscription_tier: 'Free' })
  })

  test('changes to a larger plan at once, and to a smaller one with the next month', async () => {
    const { owner, subscription, press } = await buy('professional')
    const { business, professional } = {
      business: 'price_sandbox_business',
      professional: 'price_sandbox_professional',
    }
    await pressInPortal(
      owner,
      { action: 'change', subscription, price: business },
      { page: 'change', tier: 'business' },
    )
    await waitForPlan(owner, { subscription_tier: 'Business', standing: 'active' })
    await pressInPortal(
      owner,
      { action: 'change', subscription, price: professional },
      { page: 'change', tier: 'professional' },
    )
    await waitForPlan(owner, { subscription_tier: 'Business', next_tier: 'Professional' })
    await press('month')
    await waitForPlan(owner, { subscription_tier: 'Professional', next_tier: null, standing: 'active' })
  })

  test('is led to the portal when another plan is wanted, and pays for no second one', async () => {
    const { owner } = await buy('professional')
    const answer = (await ask(owner, 'POST', '/api/subscription/checkout', { tier: 'business' })).json()
    expect(answer.kind).toBe('portal')
    expect(await (await fetch(answer.url)).text()).toContain('Change to Meridian Business')
  })
})

test('a second plan that is paid all the same is ended, its payment goes back, and the owner is told', async () => {
  const { owner, customerId, subscription } = await buy('professional')
  const { billing } = meridian.deps
  if (billing === null) throw new Error('nothing for sale')
  const second = await billing.createCheckout({
    customerId,
    ownerId: owner.id,
    priceId: 'price_sandbox_business',
    successUrl: 'http://localhost:3000/dashboard',
    cancelUrl: 'http://localhost:3000/pricing',
    key: `second-${owner.id}`,
  })
  await payOnBillingPage(second.url)
  const listRunning = async () => {
    const all = await billing.listSubscriptions(customerId)
    return all.filter(({ endedAt }) => endedAt === null).map(({ id }) => id)
  }
  await waitFor(async () => (await listRunning()).length === 1)
  expect(await listRunning()).toEqual([subscription])
  const readInvoices = async () => {
    const invoices = await billing.listInvoices(customerId)
    return Promise.all(invoices.map(async ({ url }) => (await fetch(url ?? '')).text()))
  }
  await waitFor(async () => (await readInvoices()).some((page) => page.includes('refunded')))
  const [newest, oldest] = await readInvoices()
  expect(newest).toContain('Meridian Business')
  expect(newest).toContain('· refunded')
  expect(oldest).not.toContain('refunded')
  expect(await getPlan(owner)).toMatchObject({ subscription_tier: 'Professional', standing: 'active' })
  await meridian.waitForMail(({ to, text }) => to.address === owner.email && text.includes('twice'))
})

describe('an owner whose renewal fails', () => {
  test('keeps the plan, and goes on when the invoice is paid with another card', async () => {
    const { owner, press } = await buy('business', BILLING_TEST_CARDS.failsLater)
    await press('month')
    const owing = await waitForPlan(owner, { standing: 'past_due' })
    expect(owing).toMatchObject({ subscription_tier: 'Business', past_due_since: expect.any(String) })
    const { invoices } = (await ask(owner, 'GET', '/api/subscription/invoices')).json()
    expect(invoices[0]).toMatchObject({ status: 'open', amount_cents: 1_999 })
    await payOnBillingPage(invoices[0].url)
    await waitForPlan(owner, { standing: 'active', past_due_since: null })
  })

  test.each(['cancel_unpaid', 'leave_unpaid'] as const)(
    'for good (%s) keeps the plan for 14 days more',
    async (action) => {
      const { owner, press } = await buy('professional', BILLING_TEST_CARDS.failsLater)
      await press('month')
      await waitForPlan(owner, { standing: 'past_due' })
      await press(action)
      const failed = await waitForPlan(owner, { standing: 'unpaid' })
      expect(failed.subscription_tier).toBe('Professional')
      const days = (Date.parse(failed.subscription_end ?? '') - meridian.clock.ms) / (24 * 60 * 60_000)
      expect(Math.round(days)).toBe(14)
    },
  )
})

describe('behind the product’s back', () => {
  test('a price that nobody knows leaves the plan, and the log says so', async () => {
    const { owner, subscription, press } = await buy('business')
    await press('unknown_price')
    await waitFor(async () =>
      meridian.logLines.some((line) => line.includes(subscription) && line.includes('price')),
    )
    expect(await getPlan(owner)).toMatchObject({ subscription_tier: 'Business' })
  })

  test('a customer is deleted: the plan is over, and the owner can buy again', async () => {
    const { owner, url, customerId } = await buy('professional')
    await deleteBillingCustomer(url, customerId)
    await waitForPlan(owner, { subscription_tier: 'Free' })
    const again = await pay(owner, 'business')
    expect(again.customerId).not.toBe(customerId)
    await waitForPlan(owner, { subscription_tier: 'Business', standing: 'active' })
  })
})

test('while Stripe does not answer, nothing is lost and everything says so in a sentence', async () => {
  const { owner, url, press } = await buy('professional')
  const stranger = await makeOwner(meridian)
  await setBillingOutage(url, true)
  await press('end')
  expectRefusal(await ask(owner, 'POST', '/api/subscription/refresh'), 'subscription.refresh_failed')
  expectRefusal(
    await ask(owner, 'POST', '/api/subscription/portal', { page: 'home' }),
    'subscription.portal_failed',
  )
  expectRefusal(
    await ask(stranger, 'POST', '/api/subscription/checkout', { tier: 'business' }),
    'subscription.checkout_failed',
  )
  const payload = { password: TEST_PASSWORD }
  expectRefusal(await ask(owner, 'DELETE', '/api/profile', payload), 'subscription.deletion_failed')
  expect(await getPlan(owner)).toMatchObject({ subscription_tier: 'Professional', standing: 'active' })
  await setBillingOutage(url, false)
  const refreshed = await ask(owner, 'POST', '/api/subscription/refresh')
  expect(refreshed.json()).toMatchObject({ subscription_tier: 'Free', standing: 'none' })
})

test('a deleted account takes its plan along', async () => {
  const { owner, customerId } = await buy('business')
  const answer = await ask(owner, 'DELETE', '/api/profile', { password: TEST_PASSWORD })
  expect(answer.statusCode).toBe(204)
  const [ended] = (await meridian.deps.billing?.listSubscriptions(customerId)) ?? []
  expect(ended?.status).toBe('canceled')
})

type Tier = 'professional' | 'business'

/** Makes an owner who has bought a plan, as reported by webhooks. */
async function buy(tier: Tier, card: string = BILLING_TEST_CARDS.pays) {
  const owner = await makeOwner(meridian)
  const { url, customerId } = await pay(owner, tier, card)
  await waitForPlan(owner, { standing: 'active' })
  const { provider_subscription_id } = await meridian.database.db
    .selectFrom('subscriptions')
    .select('provider_subscription_id')
    .where('user_id', '=', owner.id)
    .executeTakeFirstOrThrow()
  const subscription = provider_subscription_id ?? ''
  const press = (action: BillingDashboardButton) => pressBillingDashboardButton(url, subscription, action)
  return { owner, url, customerId, subscription, press }
}

async function pay(owner: TestOwner, tier: Tier, card: string = BILLING_TEST_CARDS.pays) {
  const answer = (await ask(owner, 'POST', '/api/subscription/checkout', { tier })).json()
  expect(answer).toMatchObject({ kind: 'checkout' })
  const { url }: { url: string } = answer
  expect((await payOnBillingPage(url, card)).status).toBe(303)
  const { provider_customer_id: customerId } = await meridian.database.db
    .selectFrom('billing_customers')
    .select('provider_customer_id')
    .where('user_id', '=', owner.id)
    .executeTakeFirstOrThrow()
  return { url, customerId }
}

async function pressInPortal(
  owner: TestOwner,
  fields: Readonly<Record<string, string>>,
  page: object = { page: 'home' },
): Promise<void> {
  const { url } = (await ask(owner, 'POST', '/api/subscription/portal', page)).json()
  expect((await postForm(url, fields)).status).toBe(303)
}

function ask(owner: TestOwner, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
  return meridian.request({
    method,
    url,
    cookie: owner.cookie,
    ...(payload === undefined ? {} : { payload }),
  })
}

async function getPlan(owner: TestOwner): Promise<SubscriptionResponse> {
  return (await ask(owner, 'GET', '/api/subscription')).json()
}

/** Waits until the plan has these values. */
async function waitForPlan(
  owner: TestOwner,
  values: Partial<SubscriptionResponse>,
): Promise<SubscriptionResponse> {
  await waitFor(async () => {
    const plan = await getPlan(owner)
    return Object.entries(values).every(([name, value]) => Object(plan)[name] === value)
  }).catch(() => {})
  const plan = await getPlan(owner)
  expect(plan).toMatchObject(values)
  return plan
}

/** Waits for a condition, and fails after 10 s. */
async function waitFor(happened: () => Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + 10_000; Date.now() < endMs; await sleep(50)) {
    if (await happened()) return
  }
  throw new Error('waited 10 s in vain')
}
