import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import type { SandboxCustomer, SandboxSubscription } from '#sandbox/billing/records.ts'
import { toSchedule, toSubscription } from '#sandbox/billing/subscription-resources.ts'
import { BillingError } from '#server/ports/billing-provider.ts'
import { SCHEDULE, toProviderSubscription } from './subscription-state.ts'

const CUSTOMER: SandboxCustomer = {
  id: 'cus_1',
  email: null,
  name: null,
  metadata: {},
  createdS: 0,
  card: null,
  isDeleted: false,
}
const RUNNING: SandboxSubscription = {
  id: 'sub_1',
  customerId: 'cus_1',
  metadata: { owner_id: 'owner' },
  priceId: 'price_sandbox_business',
  status: 'active',
  createdS: 1_000,
  periodStartS: 1_000,
  periodEndS: 2_000,
  cancelsAtPeriodEnd: false,
  canceledAtS: null,
  endedAtS: null,
  reason: null,
  nextPriceId: null,
}

describe('a subscription', () => {
  test('that runs has no end', () => {
    expect(read({})).toMatchObject({ ownerId: 'owner', cancelsAt: null, endedAt: null, nextPriceId: null })
  })

  test('that somebody made by hand belongs to no owner that we know of', () => {
    expect(read({ metadata: {} })).toMatchObject({ ownerId: null, customerId: 'cus_1' })
  })

  test('of several pieces costs as much as all of them', () => {
    const [item] = subscription.items.data
    const items = { ...subscription.items, data: item === undefined ? [] : [{ ...item, quantity: 3 }] }
    expect(read({ items }).amountCents).toBe(3 * 1_999)
  })

  test.each([
    ['at the end of its period', { cancel_at_period_end: true }, 2_000],
    ['at another moment', { cancel_at: 1_500 }, 1_500],
    ['with its schedule', { schedule: toScheduleThat({ end_behavior: 'cancel' }) }, 2_000 + 30 * 86_400],
  ])('that ends %s says so', (_when, changes, endsAtS) => {
    expect(read(changes).cancelsAt).toEqual(new Date(endsAtS * 1_000))
  })

  test('that has ended is not to end once more', () => {
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
  ] as const)('that is %s, because of %s, has failed for good: %s', (status, reason, hasFailed) => {
    const cancellation_details = { comment: null, feedback: null, feedback_option: null, reason }
    expect(read({ status, cancellation_details }).hasFailedForGood).toBe(hasFailed)
  })

  test('with a schedule says which price follows, unless it is the same or the schedule is over', () => {
    expect(read({ schedule: toScheduleThat({}) }).nextPriceId).toBe('price_sandbox_professional')
    expect(read({ schedule: toScheduleThat({ status: 'released' }) }).nextPriceId).toBeNull()
    expect(read({ schedule: toSchedule(RUNNING, RUNNING.priceId) }).nextPriceId).toBeNull()
    expect(read({ schedule: toScheduleThat({ current_phase: null }) }).nextPriceId).toBeNull()
  })

  test.each([
    ['a status that Stripe has invented since', { status: 'dormant' }],
    ['no price', { items: { object: 'list' as const, data: [], has_more: false, url: '' } }],
  ] satisfies [string, object][])('with %s is refused, so that what is known stays', (_what, changes) => {
    expect(() => read(changes)).toThrow(BillingError)
  })
})

// Serialised as JSON, where decimals are strings; nothing here reads them.
const subscription = JSON.parse(
  JSON.stringify(toSubscription(RUNNING, CUSTOMER, [SCHEDULE])),
) as Stripe.Subscription

function read(changes: Partial<Stripe.Subscription>) {
  return toProviderSubscription({ ...subscription, ...changes })
}

function toScheduleThat(changes: Partial<Stripe.SubscriptionSchedule>): Stripe.SubscriptionSchedule {
  return { ...toSchedule(RUNNING, 'price_sandbox_professional'), ...changes }
}
