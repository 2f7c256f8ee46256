import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { BillingError } from '#server/ports/billing-provider.ts'
import { readStripeExamples } from '#tests/support/stripe-examples.ts'
import { toProviderSubscription } from './subscription-state.ts'

// Stripe's published examples, changed to a subscription of the Business plan that continues.
const examples = await readStripeExamples()
const schedule = {
  ...examples.subscription_schedule,
  status: 'active',
  end_behavior: 'release',
  current_phase: { start_date: 1_000, end_date: 2_000 },
  phases: [
    { start_date: 1_000, end_date: 2_000, items: [{ price: 'price_business' }] },
    { start_date: 2_000, end_date: 2_000 + 30 * 86_400, items: [{ price: 'price_professional' }] },
  ],
} as unknown as Stripe.SubscriptionSchedule
const example = examples.subscription as unknown as Stripe.Subscription
const [exampleItem] = example.items.data
if (exampleItem === undefined) throw new Error('no item in the example')
const item: Stripe.SubscriptionItem = {
  ...exampleItem,
  price: { ...exampleItem.price, id: 'price_business', unit_amount: 1_999 },
  quantity: 1,
  current_period_end: 2_000,
}
const subscription: Stripe.Subscription = {
  ...example,
  metadata: { owner_id: 'owner' },
  customer: 'cus_1',
  status: 'active',
  items: { ...example.items, data: [item] },
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  ended_at: null,
  schedule: null,
}

describe('a subscription', () => {
  test('that continues has no end', () => {
    expect(read({})).toMatchObject({ ownerId: 'owner', cancelsAt: null, endedAt: null, nextPriceId: null })
  })

  test('that was created by hand has no owner', () => {
    expect(read({ metadata: {} })).toMatchObject({ ownerId: null, customerId: 'cus_1' })
  })

  test('with a quantity costs the price times the quantity', () => {
    const items = { ...subscription.items, data: [{ ...item, quantity: 3 }] }
    expect(read({ items }).amountCents).toBe(3 * 1_999)
  })

  test.each([
    ['at the end of its period', { cancel_at_period_end: true }, 2_000],
    ['at another moment', { cancel_at: 1_500 }, 1_500],
    ['with its schedule', { schedule: toScheduleThat({ end_behavior: 'cancel' }) }, 2_000 + 30 * 86_400],
  ])('that ends %s has that end', (_when, changes, endsAtS) => {
    expect(read(changes).cancelsAt).toEqual(new Date(endsAtS * 1_000))
  })

  test('that has ended has no scheduled end', () => {
    expect(read({ status: 'canceled', ended_at: 1_600, cancel_at: 2_000 })).toMatchObject({
      endedAt: new Date(1_600_000),
      cancelsAt: null,
    })
  })

  test.each([
    ['canceled', 'payment_failed', true],
    ['canceled', 'cancellation_requested', false],
    ['canceled', 'payment_disputed', false],
    ['active', 'payment_failed', false],
    ['unpaid', null, false],
  ] as const)('that is %s with the reason %s has failed for good: %s', (status, reason, hasFailed) => {
    const cancellation_details = { comment: null, feedback: null, feedback_option: null, reason }
    expect(read({ status, cancellation_details }).hasFailedForGood).toBe(hasFailed)
  })

  test('with an active schedule has the next price, unless it is the same', () => {
    expect(read({ schedule: toScheduleThat({}) }).nextPriceId).toBe('price_professional')
    expect(read({ schedule: toScheduleThat({ status: 'released' }) }).nextPriceId).toBeNull()
    const phases = schedule.phases.map((phase) => ({ ...phase, items: schedule.phases[0]?.items ?? [] }))
    expect(read({ schedule: toScheduleThat({ phases }) }).nextPriceId).toBeNull()
    expect(read({ schedule: toScheduleThat({ current_phase: null }) }).nextPriceId).toBeNull()
  })

  test.each([
    ['a new status of Stripe', { status: 'dormant' }],
    ['no price', { items: { object: 'list' as const, data: [], has_more: false, url: '' } }],
  ] satisfies [string, object][])('with %s is refused', (_what, changes) => {
    expect(() => read(changes)).toThrow(BillingError)
  })
})

function read(changes: Partial<Stripe.Subscription>) {
  return toProviderSubscription({ ...subscription, ...changes })
}

function toScheduleThat(changes: Partial<Stripe.SubscriptionSchedule>): Stripe.SubscriptionSchedule {
  return { ...schedule, ...changes }
}
