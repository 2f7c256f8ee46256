import { expect, test } from 'vitest'
import { canCreateCalendar, includesPlan, PLANS, type PlanTier } from './plan.ts'

test.each([
  ['free', 0, true],
  ['free', 1, false],
  ['professional', 2, true],
  ['professional', 3, false],
  ['business', 4, true],
  ['business', 5, false],
  ['enterprise', 5_000, true],
] as const)('an owner on %s with %i calendars may create another: %s', (tier, count, allowed) => {
  expect(canCreateCalendar(PLANS[tier], count)).toBe(allowed)
})

test('PayPal needs Business; branding and domains need Professional', () => {
  expect(PLANS.free.features).not.toContain('custom_branding')
  expect(PLANS.professional.features).toEqual(expect.arrayContaining(['custom_branding', 'custom_domains']))
  expect(PLANS.professional.integrations).not.toContain('paypal')
  expect(PLANS.business.integrations).toContain('paypal')
})

test('each plan includes itself and the smaller ones', () => {
  const tiers = Object.keys(PLANS) as PlanTier[] // the keys of PLANS
  const included = Object.fromEntries(
    tiers.map((tier) => [tier, tiers.filter((other) => includesPlan(tier, other))]),
  )
  expect(included).toEqual({
    free: ['free'],
    professional: ['free', 'professional'],
    business: ['free', 'professional', 'business'],
    enterprise: ['free', 'professional', 'business', 'enterprise'],
  })
})
