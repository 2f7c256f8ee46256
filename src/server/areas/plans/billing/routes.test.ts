import { describe, expect, test } from 'vitest'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { FAKE_PRICE_IDS, makeFakeBilling } from '#tests/support/fake-billing-provider.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeOwner, startMeridian, TEST_MONDAY, type TestOwner } from '#tests/support/meridian.ts'
import { buyPlan, getStoredPlan, refreshPlan, requestPlanCheckout } from '#tests/support/plan-owner.ts'

const billing = makeFakeBilling(() => meridian.clock.ms)
setUpMeridian({ billing })

const plans = () => ({ meridian, billing })

describe('buying a plan', () => {
  test('an owner pays at the provider, comes back, and has the plan before any event has come', async () => {
    const owner = await makeOwner(meridian)
    const answer = await requestPlanCheckout(plans(), owner, 'professional')
    expect(answer.statusCode).toBe(200)
    const { kind, url } = answer.json()
    expect(kind).toBe('checkout')
    const checkout = billing.checkouts.find((one) => one.url === url)
    expect(checkout?.request).toMatchObject({
      ownerId: owner.id,
      priceId: FAKE_PRICE_IDS.professional,
      successUrl: 'http://localhost:3000/dashboard?subscription=success',
      cancelUrl: 'http://localhost:3000/pricing',
    })
    expect(await refreshPlan(plans(), owner)).toMatchObject({ standing: 'none', subscription_tier: 'Free' })
    billing.pay(url)
    const plan = await refreshPlan(plans(), owner)
    expect(plan).toMatchObject({
      subscribed: true,
      subscription_tier: 'Professional',
      subscription_end: null,
      standing: 'active',
      next_charge: { amount_cents: 999, currency: 'eur', at: '2027-02-04T08:00:00.000Z' },
      next_tier: null,
      past_due_since: null,
      can_manage: true,
      limits: { calendars: 3 },
    })
    expect(await getStoredPlan(plans(), owner)).toEqual(plan)
  })

  test('two clicks and two tabs lead to one checkout', async () => {
    const owner = await makeOwner(meridian)
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => requestPlanCheckout(plans(), owner, 'business')),
    )
    const urls = new Set(answers.map((answer) => answer.json().url))
    expect(urls.size).toBe(1)
    expect(billing.checkouts.filter(({ request }) => request.ownerId === owner.id)).toHaveLength(1)
    expect([...billing.customers.values()].filter(({ ownerId }) => ownerId === owner.id)).toHaveLength(1)
  })

  test('a checkout of another plan ends the one before', async () => {
    const owner = await makeOwner(meridian)
    const first = (await requestPlanCheckout(plans(), owner, 'professional')).json().url
    const second = (await requestPlanCheckout(plans(), owner, 'business')).json().url
    expect(() => billing.pay(first)).toThrow('not open any more')
    billing.pay(second)
    expect(await refreshPlan(plans(), owner)).toMatchObject({ subscription_tier: 'Business' })
  })

  test('an owner who has a plan is led to the portal to change it, also when only the provider knows of it', async () => {
    const owner = await makeOwner(meridian)
    const { url } = (await requestPlanCheckout(plans(), owner, 'professional')).json()
    const subscriptionId = billing.pay(url)
    const answer = await requestPlanCheckout(plans(), owner, 'business')
    expect(answer.json()).toMatchObject({ kind: 'portal' })
    expect(billing.portals.at(-1)).toMatchObject({
      returnUrl: 'http://localhost:3000/pricing',
      page: { kind: 'change', subscriptionId, priceId: FAKE_PRICE_IDS.business },
    })
    expect((await requestPlanCheckout(plans(), owner, 'professional')).json().kind).toBe('portal')
    expect(billing.portals.at(-1)).toMatchObject({ page: { kind: 'home' } })
    expect(billing.checkouts.filter(({ request }) => request.ownerId === owner.id)).toHaveLength(1)
  })

  test('an owner whose plan is over is led to the checkout, not to the portal', async () => {
    const owner = await makeOwner(meridian)
    const subscriptionId = await buyPlan(plans(), owner, 'professional')
    billing.change(subscriptionId, { status: 'canceled', endedAt: new Date(meridian.clock.ms) })
    expect((await requestPlanCheckout(plans(), owner, 'professional')).json()).toMatchObject({
      kind: 'checkout',
    })
    await buyPlan(plans(), owner, 'professional')
  })

  test('an owner whom the operator gave a plan has nothing to buy', async () => {
    const owner = await makeOwner(meridian, { tier: 'professional' })
    expectRefusal(await requestPlanCheckout(plans(), owner, 'business'), 'subscription.given')
    expect(await getStoredPlan(plans(), owner)).toMatchObject({ standing: 'given', can_manage: false })
  })

  test('a provider that does not answer is said so, and the next try succeeds', async () => {
    const owner = await makeOwner(meridian)
    billing.fallSilent()
    expectRefusal(await requestPlanCheckout(plans(), owner, 'business'), 'subscription.checkout_failed')
    billing.answer()
    await buyPlan(plans(), owner, 'business')
  })
})

describe('managing a plan', () => {
  test.each([
    [{ page: 'home' }, { kind: 'home' }],
    [{}, { kind: 'home' }],
    [{ page: 'card' }, { kind: 'card' }],
    [{ page: 'cancel' }, { kind: 'cancel' }],
    [
      { page: 'change', tier: 'business' },
      { kind: 'change', priceId: FAKE_PRICE_IDS.business },
    ],
    [{ page: 'change', tier: 'professional' }, { kind: 'home' }],
    [{ page: 'change' }, { kind: 'home' }],
  ])('the portal opens at %j', async (payload, page) => {
    const owner = await makeOwner(meridian)
    await buyPlan(plans(), owner, 'professional')
    const answer = await openPortal(owner, payload)
    expect(answer.statusCode).toBe(200)
    expect(billing.portals.at(-1)).toMatchObject({
      page,
      returnUrl: 'http://localhost:3000/profile?tab=subscription&from=portal',
    })
  })

  test('without a purchase there is nothing to manage', async () => {
    const owner = await makeOwner(meridian)
    expectRefusal(await openPortal(owner, {}), 'subscription.nothing_to_manage')
    await requestPlanCheckout(plans(), owner, 'business')
    expectRefusal(await openPortal(owner, {}), 'subscription.nothing_to_manage')
  })

  test('the invoices are those of the provider', async () => {
    const owner = await makeOwner(meridian)
    expect((await listInvoices(owner)).json()).toEqual({ invoices: [] })
    await buyPlan(plans(), owner, 'business')
    const invoice = {
      id: 'in_1',
      number: 'M-0001',
      issuedAt: new Date(TEST_MONDAY),
      amountCents: 1_999,
      currency: 'eur',
      status: 'paid',
      url: 'https://pay.example/in_1',
    } as const
    billing.invoices.set(billing.customerOf(owner.id), [invoice])
    expect((await listInvoices(owner)).json()).toEqual({
      invoices: [
        {
          id: 'in_1',
          number: 'M-0001',
          issued_at: '2027-01-04T08:00:00.000Z',
          amount_cents: 1_999,
          currency: 'eur',
          status: 'paid',
          url: 'https://pay.example/in_1',
        },
      ],
    })
  })

  test('while the provider does not answer, each way says so, and the plan stays', async () => {
    const owner = await makeOwner(meridian)
    await buyPlan(plans(), owner, 'business')
    billing.fallSilent()
    const request = { method: 'POST', url: '/api/subscription/refresh', cookie: owner.cookie } as const
    expectRefusal(await meridian.request(request), 'subscription.refresh_failed')
    expectRefusal(await openPortal(owner, {}), 'subscription.portal_failed')
    expectRefusal(await listInvoices(owner), 'subscription.invoices_failed')
    expect(await getStoredPlan(plans(), owner)).toMatchObject({ subscription_tier: 'Business' })
    billing.answer()
  })

  test('a customer who was deleted at the provider has no plan, and can buy one again', async () => {
    const owner = await makeOwner(meridian)
    await buyPlan(plans(), owner, 'business')
    const customer = billing.customers.get(billing.customerOf(owner.id))
    if (customer === undefined) throw new Error('there is a customer')
    customer.isGone = true
    expectRefusal(await openPortal(owner, {}), 'subscription.nothing_to_manage')
    expect(await getStoredPlan(plans(), owner)).toMatchObject({ standing: 'none', subscription_tier: 'Free' })
    await buyPlan(plans(), owner, 'professional')
    expect(await getStoredPlan(plans(), owner)).toMatchObject({ subscription_tier: 'Professional' })
  })
})

test('where nothing is for sale, nothing is bought or managed, and the plan can be read', async () => {
  const other = await startMeridian({ billing: null })
  const owner = await makeOwner(other)
  expectRefusal(
    await requestPlanCheckout({ meridian: other, billing }, owner, 'business'),
    'subscription.not_for_sale',
  )
  expect(await refreshPlan({ meridian: other, billing }, owner)).toMatchObject({ standing: 'none' })
  const { cookie } = owner
  const portal = { method: 'POST', url: '/api/subscription/portal', cookie, payload: {} } as const
  expectRefusal(await other.request(portal), 'subscription.not_for_sale')
  const event = { method: 'POST', url: '/api/webhooks/stripe-billing', ...billing.toEvent({}) } as const
  expectRefusal(await other.request(event), 'payment.webhook_unsigned')
  await other.stop()
})

test('an owner asks the provider 60 times an hour at most, however the questions are spread', async () => {
  const own = makeFakeBilling(() => TEST_MONDAY)
  const strict = await startMeridian({ billing: own, env: { BUDGETS: '' } })
  const owner = await makeOwner(strict)
  const { url } = (await requestPlanCheckout({ meridian: strict, billing: own }, owner, 'business')).json()
  own.pay(url)
  const { cookie } = owner
  const ways = [
    { method: 'POST', url: '/api/subscription/refresh', cookie },
    { method: 'GET', url: '/api/subscription/invoices', cookie },
    { method: 'POST', url: '/api/subscription/checkout', cookie, payload: { tier: 'business' } },
    { method: 'POST', url: '/api/subscription/portal', cookie, payload: {} },
  ] as const
  let refused = 0
  for (let i = 0; i < 80; i += 1) {
    const way = ways[i % ways.length] ?? ways[0]
    const answer = await strict.request(way)
    if (answer.statusCode === 429) refused += 1
    else expect(answer.statusCode, answer.body).toBe(200)
  }
  expect(refused).toBe(80 - 59)
  await strict.stop()
})

function openPortal(owner: TestOwner, payload: object) {
  return owner.post('/api/subscription/portal', payload)
}

function listInvoices(owner: TestOwner) {
  return owner.get('/api/subscription/invoices')
}
