import { expect, test } from 'vitest'
import { makeSubscription } from '#web/testing/make-records.ts'
import { describePlanDeletion, describePlanStatus } from './plan-status.tsx'

const END = '2026-12-24T12:00:00Z'
const CHARGE = { amount_cents: 1999, currency: 'eur', at: END }
const FAILED = '2026-11-20T12:00:00Z'

test.each([
  ['none', {}, 'You are on the Free plan', 'It costs nothing, and it has no end.'],
  [
    'given',
    { subscription_tier: 'Business', subscription_end: END },
    'You have the Business plan at no charge',
    'It is yours until December 24, 2026.',
  ],
  [
    'given',
    { subscription_tier: 'Business' },
    'You have the Business plan at no charge',
    'Nobody asks you for a payment.',
  ],
  [
    'active',
    { subscription_tier: 'Business', next_charge: CHARGE },
    'You pay for the Business plan month by month',
    'The next payment is €19.99 on December 24, 2026.',
  ],
  [
    'active',
    {
      subscription_tier: 'Business',
      next_tier: 'Professional',
      next_charge: { ...CHARGE, amount_cents: 999 },
    },
    'You pay for the Business plan month by month',
    'On December 24, 2026 you change to the Professional plan. The next payment is €9.99 on December 24, 2026.',
  ],
  [
    'ending',
    { subscription_tier: 'Business', subscription_end: END, next_tier: 'Free' },
    'Your Business plan ends on December 24, 2026',
    'Nothing more is charged. Then you have the Free plan, and nothing is deleted.',
  ],
  [
    'past_due',
    { subscription_tier: 'Professional', past_due_since: FAILED },
    'The payment for your Professional plan failed',
    'It was refused on November 20, 2026. Your plan goes on while we try again, and your customers notice nothing. Please check your card, so that the next try succeeds.',
  ],
  [
    'unpaid',
    {
      subscription_tier: 'Professional',
      past_due_since: FAILED,
      subscription_end: END,
      next_tier: 'Free',
    },
    'Your Professional plan could not be paid',
    'It was refused on November 20, 2026. The plan stays until December 24, 2026. Then you have the Free plan, and nothing is deleted. Subscribe again to keep it.',
  ],
] as const)('how a plan stands is told in words: %s %j', (standing, over, title, text) => {
  expect(describePlanStatus(makeSubscription({ ...over, standing }))).toMatchObject({ title, text })
})

test.each([
  [
    'active',
    'Your Professional plan ends at once. Nothing more is charged, and what you have paid for the time until December 24, 2026 is not refunded.',
  ],
  [
    'past_due',
    'Your Professional plan ends at once. Nothing more is charged, and what you have paid is not refunded.',
  ],
  ['given', null],
  ['none', null],
] as const)('deleting the account with a plan that is %s says what happens to it', (standing, text) => {
  const subscription = makeSubscription({
    standing,
    subscription_tier: 'Professional',
    subscription_end: '2026-12-24T12:00:00Z',
  })
  expect(describePlanDeletion(subscription)).toBe(text)
})

test('a plan that is not known is mentioned all the same', () => {
  expect(describePlanDeletion(undefined)).toContain('A plan that you pay for ends at once.')
})
