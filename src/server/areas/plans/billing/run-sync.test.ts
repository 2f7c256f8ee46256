import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#core/shared/duration.ts'
import type { ProviderSubscription } from '#server/ports/billing-provider.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { FAKE_PRICE_IDS, makeFakeBilling } from '#tests/support/fake-billing-provider.ts'
import * as fc from '#tests/support/fast-check.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeOwner, TEST_MONDAY, type TestOwner, waitFor } from '#tests/support/meridian.ts'
import {
  buyPlan,
  getStoredPlan,
  refreshPlan,
  requestPlanCheckout,
  sendBillingEvent,
} from '#tests/support/plan-owner.ts'
import { applyStoredPlans } from './apply-stored-plan.ts'
import { listPlanDifferences, syncDifferingPlans } from './check-plans.ts'
import { syncSubscription } from './run-sync.ts'

const billing = makeFakeBilling(() => meridian.clock.ms)
setUpMeridian({ billing })

const plans = () => ({ meridian, billing })
const deps = () => ({ ...meridian.deps, billing })

describe('an event', () => {
  test('brings the plan up to date, whatever it says', async () => {
    const owner = await makeOwner(meridian)
    const url = (await requestPlanCheckout(plans(), owner, 'professional')).json().url
    billing.pay(url)
    const answer = await sendBillingEvent(plans(), {
      customerId: billing.customerOf(owner.id),
      type: 'invoice.paid',
    })
    expect(answer.statusCode).toBe(200)
    await waitForPlan(owner, { standing: 'active', subscription_tier: 'Professional' })
  })

  test('is worked on once, however often it comes', async () => {
    const owner = await makeOwner(meridian)
    await buyPlan(plans(), owner, 'professional')
    const customerId = billing.customerOf(owner.id)
    const event = billing.toEvent({ customerId })
    const request = { method: 'POST', url: '/api/webhooks/stripe-billing', ...event } as const
    await Promise.all(Array.from({ length: 5 }, () => meridian.request(request)))
    const { rows } = await meridian.database.execute(
      `select data from pgboss.job where name = 'plan-sync' and data ->> 'customerId' = $1`,
      [customerId],
    )
    expect(rows).toHaveLength(1)
    const stored = await meridian.database.execute(
      'select id from billing_events where provider_customer_id = $1',
      [customerId],
    )
    expect(stored.rows).toHaveLength(1)
  })

  test('of a connected account is refused, and so is one that nobody signed: neither is stored', async () => {
    const before = await countEvents()
    const url = '/api/webhooks/stripe-billing'
    const { headers, payload } = billing.toEvent({ customerId: 'cus_x' })
    const connected = JSON.stringify({ ...JSON.parse(payload), account: 'acct_1' })
    expectRefusal(
      await meridian.request({ method: 'POST', url, headers, payload: connected }),
      'payment.webhook_unsigned',
    )
    const unsigned = { 'content-type': 'application/json' }
    expectRefusal(
      await meridian.request({ method: 'POST', url, headers: unsigned, payload }),
      'payment.webhook_unsigned',
    )
    expectRefusal(await meridian.post(url), 'payment.webhook_unsigned')
    const long = JSON.stringify({ ...JSON.parse(payload), id: 'e'.repeat(256) })
    expectRefusal(
      await meridian.request({ method: 'POST', url, headers, payload: long }),
      'payment.webhook_unsigned',
    )
    expect(await countEvents()).toBe(before)
  })

  test('about the plans is refused at the address of payments to owners', async () => {
    const event = billing.toEvent({ customerId: 'cus_x' })
    const answer = await meridian.request({ method: 'POST', url: '/api/webhooks/stripe', ...event })
    expectRefusal(answer, 'payment.webhook_unsigned')
  })

  test('about nobody we know changes nothing', async () => {
    expect((await sendBillingEvent(plans(), { customerId: 'cus_unknown' })).statusCode).toBe(200)
    expect((await sendBillingEvent(plans(), { customerId: null })).statusCode).toBe(200)
    await syncSubscription(deps(), 'cus_unknown')
  })

  test('comes while the provider does not answer: the plan follows when it does', async () => {
    const owner = await makeOwner(meridian)
    const url = (await requestPlanCheckout(plans(), owner, 'professional')).json().url
    billing.pay(url)
    billing.fallSilent()
    const customerId = billing.customerOf(owner.id)
    await expect(syncSubscription(deps(), customerId)).rejects.toMatchObject({ kind: 'unavailable' })
    billing.answer()
    await syncSubscription(deps(), customerId)
    expect(await getStoredPlan(plans(), owner)).toMatchObject({ standing: 'active' })
  })
})

test('the return page before the webhook and the webhook before the return page lead to the same plan', async () => {
  const [first, second] = [await makeOwner(meridian), await makeOwner(meridian)]
  for (const owner of [first, second]) {
    billing.pay((await requestPlanCheckout(plans(), owner, 'business')).json().url)
  }
  await refreshPlan(plans(), first)
  await syncSubscription(deps(), billing.customerOf(first.id))
  await syncSubscription(deps(), billing.customerOf(second.id))
  await refreshPlan(plans(), second)
  expect(await getStoredPlan(plans(), first)).toEqual(await getStoredPlan(plans(), second))
  await waitForMails(first, ['Welcome to the Business plan'])
  await waitForMails(second, ['Welcome to the Business plan'])
})

test('an older answer does not replace a newer one', async () => {
  const owner = await makeOwner(meridian)
  const subscriptionId = await buyPlan(plans(), owner, 'professional')
  const customerId = billing.customerOf(owner.id)
  let arrive = () => {}
  const late = new Promise<void>((resolve) => {
    arrive = resolve
  })
  billing.answerLate('listSubscriptions', late)
  const older = syncSubscription(deps(), customerId)
  // The response that is still under way says Professional.
  await waitFor(() => (billing.calls.at(-1) === 'listSubscriptions' ? true : undefined))
  billing.change(subscriptionId, { priceId: FAKE_PRICE_IDS.business })
  await syncSubscription(deps(), customerId)
  arrive()
  await older
  expect(await getStoredPlan(plans(), owner)).toMatchObject({ subscription_tier: 'Business' })
})

describe('paying twice', () => {
  test('ends the second purchase, returns its payment and tells the owner once', async () => {
    const owner = await makeOwner(meridian)
    const kept = await buyPlan(plans(), owner, 'professional')
    meridian.clock.ms += 60_000
    const second = payOnceMore(owner, FAKE_PRICE_IDS.business)
    const customerId = billing.customerOf(owner.id)
    await Promise.all([syncSubscription(deps(), customerId), syncSubscription(deps(), customerId)])
    await refreshPlan(plans(), owner)
    await waitFor(() => (billing.refunds.has(second) ? true : undefined))
    expect(billing.subscriptions.get(second)).toMatchObject({ status: 'canceled' })
    expect(billing.refunds.has(kept)).toBe(false)
    expect(await refreshPlan(plans(), owner)).toMatchObject({
      standing: 'active',
      subscription_tier: 'Professional',
    })
    await waitForMails(owner, [
      'Welcome to the Professional plan',
      'You paid twice, so we’re refunding one payment',
    ])
  })
})

test('a price that nobody knows leaves the plan, and the operator is told', async () => {
  const owner = await makeOwner(meridian)
  const subscriptionId = await buyPlan(plans(), owner, 'business')
  billing.change(subscriptionId, { priceId: 'price_of_something_else' })
  expect(await refreshPlan(plans(), owner)).toMatchObject({
    standing: 'active',
    subscription_tier: 'Business',
  })
  expect(meridian.logLines.some((line) => line.includes('a price that the settings do not name'))).toBe(true)
  const never = await makeOwner(meridian)
  await requestPlanCheckout(plans(), never, 'business')
  payOnceMore(never, 'price_of_something_else')
  expect(await refreshPlan(plans(), never)).toMatchObject({ standing: 'none', subscription_tier: 'Free' })
})

describe('the end of a plan', () => {
  test('that the owner chose comes with the end of the period', async () => {
    const owner = await makeOwner(meridian)
    const subscriptionId = await buyPlan(plans(), owner, 'business')
    const cancelsAt = new Date(TEST_MONDAY + 31 * DAY_MS)
    billing.change(subscriptionId, { cancelsAt })
    expect(await refreshPlan(plans(), owner)).toMatchObject({
      standing: 'ending',
      subscription_end: cancelsAt.toISOString(),
      next_charge: null,
      next_tier: 'Free',
    })
    meridian.clock.ms = cancelsAt.getTime()
    await applyStoredPlans(deps())
    expect(await getStoredPlan(plans(), owner)).toMatchObject({ standing: 'none', subscription_tier: 'Free' })
    billing.change(subscriptionId, { status: 'canceled', endedAt: new Date(cancelsAt.getTime() + 2_000) })
    meridian.clock.ms += DAY_MS
    await refreshPlan(plans(), owner)
    await applyStoredPlans(deps())
    await waitForMails(owner, ['Welcome to the Business plan', 'Your Business plan has ended'])
  })

  test('after payments that failed comes 14 days later, with an email at once, after 3 days and after 7', async () => {
    const owner = await makeOwner(meridian)
    const subscriptionId = await buyPlan(plans(), owner, 'professional')
    billing.change(subscriptionId, { status: 'past_due' })
    expect(await refreshPlan(plans(), owner)).toMatchObject({
      standing: 'past_due',
      subscription_tier: 'Professional',
      past_due_since: new Date(TEST_MONDAY).toISOString(),
    })
    const welcome = 'Welcome to the Professional plan'
    await waitForMails(owner, [welcome, 'Your payment didn’t go through'])
    for (const days of [1, 3, 3, 5]) {
      meridian.clock.ms = TEST_MONDAY + days * DAY_MS
      await applyStoredPlans(deps())
    }
    await waitForMails(owner, [welcome, 'Your payment didn’t go through', 'Your payment is still unpaid'])
    billing.change(subscriptionId, { status: 'unpaid' })
    meridian.clock.ms = TEST_MONDAY + 8 * DAY_MS
    expect(await refreshPlan(plans(), owner)).toMatchObject({
      standing: 'unpaid',
      subscription_end: new Date(TEST_MONDAY + 22 * DAY_MS).toISOString(),
      subscription_tier: 'Professional',
    })
    const before = [
      welcome,
      'Your payment didn’t go through',
      'Your payment is still unpaid',
      'Your payment is still unpaid',
    ]
    await waitForMails(owner, before)
    meridian.clock.ms = TEST_MONDAY + 22 * DAY_MS
    await applyStoredPlans(deps())
    expect(await getStoredPlan(plans(), owner)).toMatchObject({ standing: 'none', subscription_tier: 'Free' })
    await waitForMails(owner, [...before, 'Your Professional plan has ended'])
  })

  test('does not come when the payment succeeds in time', async () => {
    const owner = await makeOwner(meridian)
    const subscriptionId = await buyPlan(plans(), owner, 'professional')
    billing.change(subscriptionId, { status: 'past_due' })
    await refreshPlan(plans(), owner)
    billing.change(subscriptionId, { status: 'active' })
    expect(await refreshPlan(plans(), owner)).toMatchObject({ standing: 'active', past_due_since: null })
    meridian.clock.ms = TEST_MONDAY + 40 * DAY_MS
    await applyStoredPlans(deps())
    expect(await getStoredPlan(plans(), owner)).toMatchObject({ standing: 'active' })
    await waitForMails(owner, ['Welcome to the Professional plan', 'Your payment didn’t go through'])
  })

  test('a change to a smaller plan is told, with what is inactive now', async () => {
    const owner = await makeOwner(meridian)
    const subscriptionId = await buyPlan(plans(), owner, 'business')
    billing.change(subscriptionId, { nextPriceId: FAKE_PRICE_IDS.professional })
    expect(await refreshPlan(plans(), owner)).toMatchObject({
      subscription_tier: 'Business',
      next_tier: 'Professional',
      next_charge: { amount_cents: 999 },
    })
    billing.change(subscriptionId, {
      priceId: FAKE_PRICE_IDS.professional,
      nextPriceId: null,
      amountCents: 999,
    })
    expect(await refreshPlan(plans(), owner)).toMatchObject({
      subscription_tier: 'Professional',
      next_tier: null,
    })
    await refreshPlan(plans(), owner)
    await waitForMails(owner, ['Welcome to the Business plan', 'Your Business plan has ended'])
    expect(meridian.mails.at(-1)?.text).toContain('You are now on the Professional plan.')
  })
})

test('a clock that jumps ahead and back ends no plan that goes on, and brings one that was to end back', async () => {
  const [steady, ending] = [await makeOwner(meridian), await makeOwner(meridian)]
  await buyPlan(plans(), steady, 'business')
  const subscriptionId = await buyPlan(plans(), ending, 'business')
  billing.change(subscriptionId, { cancelsAt: new Date(TEST_MONDAY + 31 * DAY_MS) })
  await refreshPlan(plans(), ending)
  meridian.clock.ms = TEST_MONDAY + 400 * DAY_MS
  await applyStoredPlans(deps())
  expect(await getStoredPlan(plans(), steady)).toMatchObject({ standing: 'active' })
  expect(await getStoredPlan(plans(), ending)).toMatchObject({ standing: 'none' })
  meridian.clock.ms = TEST_MONDAY - 400 * DAY_MS
  await applyStoredPlans(deps())
  meridian.clock.ms = TEST_MONDAY
  await applyStoredPlans(deps())
  expect(await refreshPlan(plans(), ending)).toMatchObject({
    standing: 'ending',
    subscription_tier: 'Business',
  })
})

describe('the nightly comparison', () => {
  test('brings up to date what no event has told', async () => {
    const owner = await makeOwner(meridian)
    const subscriptionId = await buyPlan(plans(), owner, 'professional')
    expect(await differencesOf(owner)).toEqual([])
    billing.change(subscriptionId, { priceId: FAKE_PRICE_IDS.business })
    expect(await differencesOf(owner)).toEqual(['stored_otherwise'])
    await syncDifferingPlans(deps())
    await waitForPlan(owner, { subscription_tier: 'Business' })
    billing.change(subscriptionId, { status: 'canceled', endedAt: new Date(TEST_MONDAY) })
    expect(await differencesOf(owner)).toEqual(['runs_no_more'])
    await syncDifferingPlans(deps())
    await waitForPlan(owner, { standing: 'none' })
    expect(await differencesOf(owner)).toEqual([])
  })

  test('finds the owner of a subscription of whom a restored backup knows nothing', async () => {
    const owner = await makeOwner(meridian)
    await buyPlan(plans(), owner, 'professional')
    for (const table of ['billing_customers', 'subscriptions']) {
      await meridian.database.execute(`delete from ${table} where user_id = $1`, [owner.id])
    }
    expect(await differencesOf(owner)).toEqual(['not_stored'])
    await syncDifferingPlans(deps())
    await waitForPlan(owner, { standing: 'active', subscription_tier: 'Professional' })
  })

  test('never touches a subscription of somebody else who uses the same account', async () => {
    const strange = payFor('7e57d004-2b97-0e7a-b45f-5387367791cd', FAKE_PRICE_IDS.business)
    await syncDifferingPlans(deps())
    expect(billing.subscriptions.get(strange)).toMatchObject({ status: 'active' })
    expect(billing.refunds.has(strange)).toBe(false)
    billing.subscriptions.delete(strange)
  })

  test('tells once that a card expires within a month', async () => {
    const owner = await makeOwner(meridian)
    await buyPlan(plans(), owner, 'professional')
    const card = { brand: 'Visa', last4: '4242', expiryMonth: 2, expiryYear: 2027 }
    billing.cards.set(billing.customerOf(owner.id), card)
    await syncDifferingPlans(deps())
    await waitForMails(owner, ['Welcome to the Professional plan'])
    meridian.clock.ms = Date.parse('2027-02-01T02:23:00Z')
    await syncDifferingPlans(deps())
    await syncDifferingPlans(deps())
    await waitForMails(owner, ['Welcome to the Professional plan', 'Your card expires soon'])
  })
})

/** The changes at the provider during the life of a subscription, each with its effect. */
const LIFE: readonly Partial<ProviderSubscription>[] = [
  { status: 'incomplete' },
  { status: 'active' },
  { priceId: FAKE_PRICE_IDS.professional },
  { status: 'past_due' },
  { status: 'active', periodEndsAt: new Date(TEST_MONDAY + 62 * DAY_MS) },
  { cancelsAt: new Date(TEST_MONDAY + 62 * DAY_MS) },
  { cancelsAt: null },
  { status: 'past_due' },
  { status: 'canceled', endedAt: new Date(TEST_MONDAY), hasFailedForGood: true },
]

test('every order and repetition of the events in the life of one subscription ends in the same plan', {
  tags: ['slow'],
}, async () => {
  const anyOrder = fc
    .array(fc.nat(LIFE.length - 1), { minLength: 1, maxLength: 2 * LIFE.length })
    .chain((delivered) => fc.tuple(fc.constant(delivered), fc.nat(LIFE.length - 1)))
  await fc.assert(
    fc.asyncProperty(anyOrder, async ([delivered, reached]) => {
      const owner = await makeOwner(meridian)
      await requestPlanCheckout(plans(), owner, 'business')
      const subscriptionId = payOnceMore(owner, FAKE_PRICE_IDS.business)
      const customerId = billing.customerOf(owner.id)
      const types = LIFE.map((_, i) => `event.${i}`)
      for (const [i, change] of LIFE.slice(0, reached + 1).entries()) {
        billing.change(subscriptionId, change)
        // Events may arrive late, and report a state that has already changed.
        if (delivered[i] !== undefined) await syncSubscription(deps(), customerId)
      }
      for (const index of delivered) {
        await sendBillingEvent(plans(), { customerId, type: types[index] ?? '' })
        await syncSubscription(deps(), customerId)
      }
      const seen = await getStoredPlan(plans(), owner)
      const subscription = billing.subscriptions.get(subscriptionId)
      expect(seen).toMatchObject(expected(subscription))
      const notices = await meridian.database.execute(
        'select occasion, about from plan_notices where user_id = $1',
        [owner.id],
      )
      const keys = notices.rows.map(({ occasion, about }) => `${occasion} ${about}`)
      expect(new Set(keys).size).toBe(keys.length)
    }),
    { numRuns: 25 },
  )
})

function expected(subscription: ProviderSubscription | undefined) {
  if (subscription === undefined) throw new Error('it was paid before')
  const { status, cancelsAt, priceId } = subscription
  const tier = priceId === FAKE_PRICE_IDS.business ? 'Business' : 'Professional'
  if (status === 'incomplete') return { standing: 'none', subscription_tier: 'Free' }
  if (status === 'past_due') return { standing: 'past_due', subscription_tier: tier }
  if (status === 'canceled') {
    return { standing: 'unpaid', subscription_end: new Date(TEST_MONDAY + 14 * DAY_MS).toISOString() }
  }
  return { standing: cancelsAt === null ? 'active' : 'ending', subscription_tier: tier }
}

/** Creates a payment that did not come from our checkout, or that was made twice. */
function payOnceMore(owner: TestOwner, priceId: string): string {
  return payFor(owner.id, priceId)
}

function payFor(ownerId: string, priceId: string): string {
  const customerId = billing.customerOf(ownerId)
  const url = `https://pay.example/${customerId}/${billing.checkouts.length}`
  const request = { customerId, ownerId, priceId, successUrl: url, cancelUrl: url, key: url }
  billing.checkouts.push({ request, url, isOpen: true })
  return billing.pay(url)
}

function mailsTo(owner: TestOwner): string[] {
  return meridian.mails.filter(({ to }) => to.address === owner.email).map(({ subject }) => subject)
}

/** Waits until the owner has received these emails, and checks that no other email has arrived by then. */
async function waitForMails(owner: TestOwner, subjects: readonly string[]): Promise<void> {
  await waitFor(() => (mailsTo(owner).length >= subjects.length ? true : undefined))
  expect(mailsTo(owner).sort()).toEqual([...subjects].sort())
}

async function waitForPlan(owner: TestOwner, plan: object): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await getStoredPlan(plans(), owner)
    if (Object.entries(plan).every(([key, value]) => answer[key] === value)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect(await getStoredPlan(plans(), owner)).toMatchObject(plan)
}

async function differencesOf(owner: TestOwner): Promise<string[]> {
  const all = await listPlanDifferences(deps())
  return all.filter(({ ownerId }) => ownerId === owner.id).map(({ what }) => what)
}

async function countEvents(): Promise<number> {
  return (await meridian.database.execute('select id from billing_events')).rows.length
}
