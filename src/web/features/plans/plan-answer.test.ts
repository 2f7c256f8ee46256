import { expect, test } from 'vitest'
import { decidePlanAnswer, PLAN_NOTICES, type PlanViewer } from './plan-notice.ts'

const VISITOR: PlanViewer = { signedIn: false }
const SOMEBODY: PlanViewer = { signedIn: undefined }
const FREE: PlanViewer = { signedIn: true, tier: 'free' }
const UNKNOWN: PlanViewer = { signedIn: true, tier: null }
const BUSINESS: PlanViewer = { signedIn: true, tier: 'business' }

test.each([
  ['business', 'a visitor', VISITOR, 'Please log in to subscribe'],
  ['business', 'somebody not known yet', SOMEBODY, 'This plan is coming soon! Stay tuned for updates.'],
  ['enterprise', 'a visitor', VISITOR, 'This plan is coming soon! Stay tuned for updates.'],
  ['free', 'a free owner', FREE, 'You are already on the free plan'],
  ['professional', 'a free owner', FREE, 'This plan is coming soon! Stay tuned for updates.'],
  ['enterprise', 'a free owner', FREE, 'This plan is coming soon! Stay tuned for updates.'],
  ['free', 'an owner on a plan not known yet', UNKNOWN, 'Your plan already includes everything in this plan'],
  [
    'business',
    'an owner on a plan not known yet',
    UNKNOWN,
    'This plan is coming soon! Stay tuned for updates.',
  ],
  ['business', 'a business owner', BUSINESS, 'You are already on this plan'],
  ['free', 'a business owner', BUSINESS, 'Your plan already includes everything in this plan'],
  ['professional', 'a business owner', BUSINESS, 'Your plan already includes everything in this plan'],
  ['enterprise', 'a business owner', BUSINESS, 'This plan is coming soon! Stay tuned for updates.'],
] as const)('the button of the %s plan tells %s: %4$s', (tier, _, viewer, sentence) => {
  const answer = decidePlanAnswer(tier, viewer, 'free')
  expect(answer === 'register' ? answer : PLAN_NOTICES[answer]).toBe(sentence)
})

test.each([
  ['a visitor', VISITOR],
  ['somebody not known yet', SOMEBODY],
])('the button of the free plan leads %s to a new account', (_, viewer) => {
  expect(decidePlanAnswer('free', viewer, 'free')).toBe('register')
})

test.each([
  ['business', VISITOR, 'register'],
  ['professional', VISITOR, 'register'],
  ['business', SOMEBODY, 'register'],
  ['enterprise', VISITOR, 'coming_soon'],
  ['professional', UNKNOWN, 'included'],
  ['enterprise', UNKNOWN, 'coming_soon'],
] as const)(
  'where every account has the Business plan, the button of the %s plan answers',
  (tier, viewer, answer) => {
    expect(decidePlanAnswer(tier, viewer, 'business')).toBe(answer)
  },
)
