import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#core/shared/duration.ts'
import * as fc from '#tests/support/fast-check.ts'
import {
  decidePlan,
  isPlanActive,
  planStatusOf,
  type StoredPlan,
  type SubscriptionStatus,
  type SubscriptionWithTier,
} from './decide-plan.ts'

const NOW = Date.parse('2027-01-04T08:00:00Z')

function make(over: Partial<SubscriptionWithTier> = {}): SubscriptionWithTier {
  return {
    id: 'sub_1',
    status: 'active',
    tier: 'professional',
    nextTier: null,
    amountCents: 999,
    currency: 'eur',
    createdAtMs: NOW - 10 * DAY_MS,
    periodEndsAtMs: NOW + 20 * DAY_MS,
    cancelsAtMs: null,
    endedAtMs: null,
    hasFailedForGood: false,
    ...over,
  }
}

function store(over: Partial<SubscriptionWithTier> = {}, atMs = NOW - DAY_MS): StoredPlan {
  const { plan } = decidePlan([make(over)], null, atMs)
  if (plan === null) throw new Error('this subscription gives no plan')
  return plan
}

describe('the plan of a single subscription', () => {
  test.each<[SubscriptionStatus, Partial<SubscriptionWithTier>, string, number | null]>([
    ['trialing', {}, 'active', null],
    ['active', {}, 'active', null],
    ['active', { cancelsAtMs: NOW + 20 * DAY_MS }, 'ending', NOW + 20 * DAY_MS],
    ['active', { cancelsAtMs: NOW }, 'none', NOW],
    ['past_due', {}, 'past_due', null],
    ['unpaid', {}, 'unpaid', NOW + 14 * DAY_MS],
    ['canceled', { endedAtMs: NOW - DAY_MS, hasFailedForGood: true }, 'unpaid', NOW + 13 * DAY_MS],
    ['canceled', { endedAtMs: NOW - 14 * DAY_MS, hasFailedForGood: true }, 'none', NOW],
    ['canceled', { endedAtMs: NOW - DAY_MS }, 'none', NOW - DAY_MS],
  ])('%s %j stands as %s', (status, over, standing, endsAtMs) => {
    const { plan } = decidePlan([make({ status, ...over })], null, NOW)
    expect(plan).toMatchObject({
      tier: 'professional',
      endsAtMs,
      bought: { subscriptionId: 'sub_1', status },
    })
    expect(planStatusOf(plan, NOW)).toBe(standing)
  })

  test.each<SubscriptionStatus>(['incomplete', 'incomplete_expired', 'paused'])('%s gives none', (status) => {
    expect(decidePlan([make({ status })], null, NOW)).toEqual({ plan: null, seconds: [], unknownPrices: [] })
  })

  test('no plan was ever bought', () => {
    expect(decidePlan([], null, NOW).plan).toBeNull()
    expect(planStatusOf(null, NOW)).toBe('none')
  })
})

describe('an overdue payment', () => {
  test('counts from its first failure, however often the plan is refreshed', () => {
    const first = decidePlan([make({ status: 'past_due' })], store(), NOW).plan
    expect(first?.bought?.pastDueSinceMs).toBe(NOW)
    const later = decidePlan([make({ status: 'past_due' })], first, NOW + 5 * DAY_MS).plan
    expect(later?.bought?.pastDueSinceMs).toBe(NOW)
    const paid = decidePlan([make()], later, NOW + 6 * DAY_MS).plan
    expect(paid?.bought?.pastDueSinceMs).toBeNull()
    expect(planStatusOf(paid, NOW)).toBe('active')
  })

  test('that failed for good ends the plan once, also when the provider later ends the subscription', () => {
    const unpaid = decidePlan([make({ status: 'unpaid' })], store({ status: 'past_due' }), NOW).plan
    expect(unpaid?.endsAtMs).toBe(NOW + 14 * DAY_MS)
    const asked = decidePlan([make({ status: 'unpaid' })], unpaid, NOW + 7 * DAY_MS).plan
    expect(asked?.endsAtMs).toBe(NOW + 14 * DAY_MS)
    const ended = make({ status: 'canceled', endedAtMs: NOW + 8 * DAY_MS, hasFailedForGood: true })
    expect(decidePlan([ended], asked, NOW + 9 * DAY_MS).plan?.endsAtMs).toBe(NOW + 14 * DAY_MS)
  })

  test('that is paid within 14 days restores the plan', () => {
    const unpaid = decidePlan([make({ status: 'unpaid' })], store(), NOW).plan
    const paid = decidePlan([make()], unpaid, NOW + DAY_MS).plan
    expect(paid).toMatchObject({ endsAtMs: null, bought: { status: 'active', pastDueSinceMs: null } })
  })
})

describe('an unknown price', () => {
  test('gives no plan', () => {
    const decision = decidePlan([make({ tier: null })], null, NOW)
    expect(decision).toEqual({ plan: null, seconds: [], unknownPrices: ['sub_1'] })
  })

  test('keeps the plan of its own subscription, and updates its other data', () => {
    const ending = make({ tier: null, cancelsAtMs: NOW + DAY_MS })
    const { plan, unknownPrices } = decidePlan([ending], store(), NOW)
    expect(plan).toMatchObject({ tier: 'professional', endsAtMs: NOW + DAY_MS })
    expect(unknownPrices).toEqual(['sub_1'])
  })

  test('keeps the plan of another subscription', () => {
    const other = make({ id: 'sub_2', tier: null })
    const ended = make({ status: 'canceled', endedAtMs: NOW })
    expect(decidePlan([other, ended], store(), NOW).plan).toBeNull()
  })

  test('next to a plan is neither ended nor refunded', () => {
    const other = make({ id: 'sub_0', tier: null, createdAtMs: NOW - 50 * DAY_MS })
    const decision = decidePlan([other, make()], null, NOW)
    expect(decision.plan?.bought?.subscriptionId).toBe('sub_1')
    expect(decision.seconds).toEqual([])
  })
})

describe('a second subscription', () => {
  test('that was bought in the same second as the stored one is ended', () => {
    const [stored, other] = [make({ id: 'sub_9' }), make({ id: 'sub_1', tier: 'business' })]
    const decision = decidePlan([other, stored], store({ id: 'sub_9' }), NOW)
    expect(decision.plan?.bought?.subscriptionId).toBe('sub_9')
    expect(decision.seconds.map(({ id }) => id)).toEqual(['sub_1'])
  })

  const older = make({ id: 'sub_9', createdAtMs: NOW - 2 * DAY_MS })
  const newer = make({ id: 'sub_2', tier: 'business', createdAtMs: NOW - DAY_MS })

  test('is ended and refunded, and the first one stays', () => {
    for (const listed of [
      [older, newer],
      [newer, older],
    ]) {
      const decision = decidePlan(listed, null, NOW)
      expect(decision.plan).toMatchObject({ tier: 'professional', bought: { subscriptionId: 'sub_9' } })
      expect(decision.seconds).toEqual([{ id: 'sub_2', tier: 'business', isPaid: true }])
    }
  })

  test('replaces one whose payment failed for good, which is ended', () => {
    const decision = decidePlan([{ ...older, status: 'unpaid' }, newer], null, NOW)
    expect(decision.plan).toMatchObject({ tier: 'business' })
    expect(decision.seconds).toEqual([{ id: 'sub_9', tier: 'professional', isPaid: false }])
  })

  test('that has ended does not end the plan of the first', () => {
    const ended = make({ id: 'sub_2', tier: 'business', status: 'canceled', endedAtMs: NOW })
    expect(decidePlan([ended, older], store({ id: 'sub_9' }), NOW).plan).toMatchObject({
      tier: 'professional',
      endsAtMs: null,
    })
  })
})

test('the provider does not change a plan that the operator granted', () => {
  const given: StoredPlan = { tier: 'enterprise', endsAtMs: null, bought: null }
  expect(decidePlan([make()], given, NOW)).toMatchObject({ plan: null, seconds: [] })
  expect(planStatusOf(given, NOW)).toBe('given')
  const over = { ...given, endsAtMs: NOW }
  expect(decidePlan([make()], over, NOW).plan).toMatchObject({ tier: 'professional' })
})

test('a plan whose subscription was deleted at the provider ends now, and only once', () => {
  const { plan } = decidePlan([], store(), NOW)
  expect(plan).toMatchObject({ endsAtMs: NOW, bought: { status: 'canceled' } })
  expect(decidePlan([], plan, NOW + DAY_MS).plan?.endsAtMs).toBe(NOW)
})

test('a past end does not move when the provider reports a slightly later end', () => {
  const ending = store({ cancelsAtMs: NOW })
  const ended = make({ status: 'canceled', cancelsAtMs: NOW, endedAtMs: NOW + 3_000 })
  expect(decidePlan([ended], ending, NOW + 60_000).plan?.endsAtMs).toBe(NOW)
})

test('the next plan is known while the subscription continues', () => {
  expect(
    decidePlan([make({ tier: 'business', nextTier: 'professional' })], null, NOW).plan?.bought,
  ).toMatchObject({
    nextTier: 'professional',
  })
  const ending = make({ tier: 'business', nextTier: 'professional', cancelsAtMs: NOW + DAY_MS })
  expect(decidePlan([ending], null, NOW).plan?.bought?.nextTier).toBeNull()
})

test('the decision is idempotent and does not depend on the order of the subscriptions', () => {
  const anySubscription = fc.record({
    status: fc.constantFrom<SubscriptionStatus>(
      'incomplete',
      'trialing',
      'active',
      'past_due',
      'canceled',
      'unpaid',
      'paused',
    ),
    tier: fc.constantFrom('professional', 'business', null),
    age: fc.integer({ min: 0, max: 3 }),
    ended: fc.integer({ min: 0, max: 40 }),
    cancels: fc.option(fc.integer({ min: -3, max: 30 }), { nil: null }),
    hasFailed: fc.boolean(),
  })
  const anyList = fc.array(anySubscription, { maxLength: 4 }).map((list) =>
    list.map(({ status, tier, age, ended, cancels, hasFailed }, i) => {
      const isOver = status === 'canceled'
      return make({
        id: `sub_${i}`,
        status,
        tier,
        createdAtMs: NOW - (50 + age) * DAY_MS,
        endedAtMs: isOver ? NOW - ended * DAY_MS : null,
        cancelsAtMs: cancels === null ? null : NOW + cancels * DAY_MS,
        hasFailedForGood: isOver && hasFailed,
      })
    }),
  )
  fc.assert(
    fc.property(anyList, (list) => {
      const first = decidePlan(list, null, NOW)
      const again = decidePlan(list, first.plan, NOW)
      expect(again.plan ?? first.plan).toEqual(first.plan)
      expect(again.seconds).toEqual(first.seconds)
      expect(decidePlan([...list].reverse(), null, NOW).plan?.endsAtMs).toEqual(first.plan?.endsAtMs)
      // An owner who is being charged for a plan must have it.
      const isCharged = list.some(
        ({ status, tier, cancelsAtMs }) =>
          tier !== null && ['active', 'trialing', 'past_due'].includes(status) && cancelsAtMs === null,
      )
      const isEnding = first.plan !== null && !isPlanActive(first.plan, NOW)
      if (isCharged && !isEnding) expect(first.plan).not.toBeNull()
    }),
  )
})
