import { describe, expect, test } from 'vitest'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { PLANS, type PlanTier } from '#core/plans/plan.ts'
import { makeSubscription } from '#web/testing/make-records.ts'
import { decidePlanAction, PLAN_NOTICES, type PlanAction, type PlanViewer } from './plan-action.ts'

const TIERS: readonly PlanTier[] = ['free', 'professional', 'business', 'enterprise']
const SELLING = {
  default_plan: 'free',
  plans_for_sale: [
    { tier: 'professional', amount_cents: 999, currency: 'eur' },
    { tier: 'business', amount_cents: 1999, currency: 'eur' },
  ],
} as const
const SELLING_NOTHING = { default_plan: 'free', plans_for_sale: [] } as const

const VISITOR: PlanViewer = { signedIn: false }
const SOMEBODY: PlanViewer = { signedIn: undefined }
const UNKNOWN: PlanViewer = { signedIn: true, subscription: null }

function on(
  tier: PlanTier,
  standing: SubscriptionResponse['standing'],
  next: PlanTier | null = null,
): PlanViewer {
  const subscription = makeSubscription({
    subscribed: tier !== 'free',
    subscription_tier: PLANS[tier].name,
    standing,
    next_tier: next === null ? null : PLANS[next].name,
  })
  return { signedIn: true, subscription }
}

describe('the buttons of the four plans, from Free to Enterprise', () => {
  test.each<[string, PlanViewer, PlanAction[]]>([
    ['a visitor', VISITOR, ['register', 'log_in', 'log_in', 'coming_soon']],
    // The button opens the checkout; the server refuses if nobody is logged in.
    ['somebody not known yet', SOMEBODY, ['register', 'subscribe', 'subscribe', 'coming_soon']],
    ['an owner whose plan is not known', UNKNOWN, ['included', 'subscribe', 'subscribe', 'coming_soon']],
    ['a free owner', on('free', 'none'), ['already_free', 'subscribe', 'subscribe', 'coming_soon']],
    [
      'the owner of a given plan',
      on('business', 'given'),
      ['included', 'included', 'already_yours', 'coming_soon'],
    ],
    ['a professional owner', on('professional', 'active'), ['smaller', 'manage', 'upgrade', 'coming_soon']],
    ['a business owner', on('business', 'active'), ['smaller', 'smaller', 'manage', 'coming_soon']],
    [
      'a business owner who goes to Professional',
      on('business', 'active', 'professional'),
      ['smaller', 'follows', 'manage', 'coming_soon'],
    ],
    [
      'an owner whose payment failed',
      on('professional', 'past_due'),
      ['smaller', 'card', 'upgrade', 'coming_soon'],
    ],
    [
      'an owner who has ended the plan',
      on('business', 'ending', 'free'),
      ['follows', 'smaller', 'keep', 'coming_soon'],
    ],
    [
      'an owner whose payments failed for good',
      on('professional', 'unpaid', 'free'),
      ['follows', 'subscribe', 'subscribe', 'coming_soon'],
    ],
  ])('for %s', (_, viewer, answers) => {
    expect(TIERS.map((tier) => decidePlanAction(tier, viewer, SELLING))).toEqual(answers)
  })

  test.each<[string, PlanViewer, PlanAction[]]>([
    ['a visitor', VISITOR, ['register', 'not_sold', 'not_sold', 'coming_soon']],
    ['somebody not known yet', SOMEBODY, ['register', 'not_sold', 'not_sold', 'coming_soon']],
    ['a free owner', on('free', 'none'), ['already_free', 'not_sold', 'not_sold', 'coming_soon']],
    [
      'an owner with a plan of before',
      on('business', 'active'),
      ['smaller', 'not_sold', 'manage', 'coming_soon'],
    ],
  ])('where nothing is sold, for %s', (_, viewer, answers) => {
    expect(TIERS.map((tier) => decidePlanAction(tier, viewer, SELLING_NOTHING))).toEqual(answers)
  })

  test.each<[string, PlanViewer, PlanAction[]]>([
    ['a visitor', VISITOR, ['register', 'register', 'log_in', 'coming_soon']],
    [
      'an owner without a plan of their own',
      on('professional', 'given'),
      ['included', 'already_yours', 'subscribe', 'coming_soon'],
    ],
    // An owner who ends the Business plan gets the default plan, Professional, and not the Free plan.
    ['a business owner', on('business', 'active'), ['included', 'smaller', 'manage', 'coming_soon']],
  ])('where every account has the Professional plan, for %s', (_, viewer, answers) => {
    const sale = { ...SELLING, default_plan: 'professional' } as const
    expect(TIERS.map((tier) => decidePlanAction(tier, viewer, sale))).toEqual(answers)
  })
})

test('where every account has the Enterprise plan, it is open to visitors', () => {
  const sale = { ...SELLING_NOTHING, default_plan: 'enterprise' } as const
  expect(decidePlanAction('enterprise', VISITOR, sale)).toBe('register')
})

test('what a button only tells', () => {
  expect(PLAN_NOTICES).toEqual({
    coming_soon: 'This plan is coming soon! Stay tuned for updates.',
    not_sold: PROBLEMS['subscription.not_for_sale'].title,
    already_free: 'You are already on the free plan',
    already_yours: 'You are already on this plan',
    included: 'Your plan already includes everything in this plan',
    follows: 'This plan starts when your current one ends',
  })
})
