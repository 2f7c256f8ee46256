import { expect, test } from 'vitest'
import { decidePlanNotice, PLAN_NOTICES, type PlanViewer } from './plan-notice.ts'

const VISITOR: PlanViewer = { signedIn: false }
const FREE: PlanViewer = { signedIn: true, tier: 'free' }
const UNKNOWN: PlanViewer = { signedIn: true, tier: null }
const BUSINESS: PlanViewer = { signedIn: true, tier: 'business' }

test.each([
  ['free', 'a visitor', VISITOR, 'Please log in to subscribe'],
  ['business', 'a visitor', VISITOR, 'Please log in to subscribe'],
  ['enterprise', 'a visitor', VISITOR, 'This plan is coming soon! Stay tuned for updates.'],
  ['free', 'a free owner', FREE, 'You are already on the free plan'],
  ['professional', 'a free owner', FREE, 'This plan is coming soon! Stay tuned for updates.'],
  ['enterprise', 'a free owner', FREE, 'This plan is coming soon! Stay tuned for updates.'],
  [
    'free',
    'an owner on a plan not known yet',
    UNKNOWN,
    'Your plan already includes everything in the free plan',
  ],
  [
    'business',
    'an owner on a plan not known yet',
    UNKNOWN,
    'This plan is coming soon! Stay tuned for updates.',
  ],
  ['business', 'a business owner', BUSINESS, 'You are already on this plan'],
  ['free', 'a business owner', BUSINESS, 'Your plan already includes everything in the free plan'],
] as const)('the button of the %s plan tells %s: %4$s', (tier, _, viewer, sentence) => {
  expect(PLAN_NOTICES[decidePlanNotice(tier, viewer)]).toBe(sentence)
})
