import { includesPlan, type PlanTier } from '#core/plan/plan.ts'

/**
 * Who looks at the prices: a visitor, or an owner on a plan (null until it is known which); undefined until that is
 * known.
 */
export type PlanViewer = { signedIn: false | undefined } | { signedIn: true; tier: PlanTier | null }

type PlanNotice = 'coming_soon' | 'log_in' | 'already_free' | 'already_yours' | 'included'

/**
 * The effect of a plan's button while no plan can be bought. `given` is the plan that comes with a new account.
 * Source: rule S6.
 */
export function decidePlanAnswer(
  tier: PlanTier,
  viewer: PlanViewer,
  given: PlanTier,
): PlanNotice | 'register' {
  if (viewer.signedIn) {
    if (tier === viewer.tier) return tier === 'free' ? 'already_free' : 'already_yours'
    return includesPlan(viewer.tier ?? given, tier) ? 'included' : 'coming_soon'
  }
  if (includesPlan(given, tier)) return 'register'
  return viewer.signedIn === undefined || tier === 'enterprise' ? 'coming_soon' : 'log_in'
}

/** The sentence of each notice. Source: rule S6. */
export const PLAN_NOTICES: Record<PlanNotice, string> = {
  coming_soon: 'This plan is coming soon! Stay tuned for updates.',
  log_in: 'Please log in to subscribe',
  already_free: 'You are already on the free plan',
  already_yours: 'You are already on this plan',
  included: 'Your plan already includes everything in this plan',
}
