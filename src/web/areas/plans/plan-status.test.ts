import { expect, test } from 'vitest'
import { makeSubscription } from '#web/testing/make-records.ts'
import { describePlanDeletion, describePlanStatus } from './plan-status.tsx'

const END = '2026-12-24T12:00:00Z'
const CHARGE = { amount_cents: 1999, currency: 'eur', at: END }
const FAILED = '2026-11-20T12:00:00Z'

test.each([
  ['none', {}, 'You’re on the Free plan', 'Free forever.'],
  [
    'given',
    { subscription_tier: 'Business', subscription_end: END },
    'You have the Business plan free of charge',
    'It’s yours until December 24, 2026.',
  ],
  [
    'given',
    { subscription_tier: 'Business' },
    'You have the Business plan free of charge',
    'You don’t pay anything.',
  ],
  [
    'active',
    { subscription_tier: 'Business', next_charge: CHARGE },
    'You pay monthly for the Business plan',
    'The next payment is €19.99 on December 24, 2026.',
  ],
  [
    'active',
    {
      subscription_tier: 'Business',
      next_tier: 'Professional',
      next_charge: { ...CHARGE, amount_cents: 999 },
    },
    'You pay monthly for the Business plan',
    'You’ll change to the Professional plan on December 24, 2026. The next payment is €9.99 on December 24, 2026.',
  ],
  [
    'ending',
    { subscription_tier: 'Business', subscription_end: END, next_tier: 'Free' },
    'Your Business plan ends on December 24, 2026',
    'You won’t be charged again. Then you’ll have the Free plan. Nothing is deleted.',
  ],
  [
    'past_due',
    { subscription_tier: 'Professional', past_due_since: FAILED },
    'The payment for your Professional plan failed',
    'The payment was declined on November 20, 2026. Your plan continues while we try again, and your customers won’t notice. Please check your card before the next try.',
  ],
  [
    'unpaid',
    {
      subscription_tier: 'Professional',
      past_due_since: FAILED,
      subscription_end: END,
      next_tier: 'Free',
    },
    'We couldn’t charge you for your Professional plan',
    'The payment was declined on November 20, 2026. You keep the plan until December 24, 2026. Then you’ll have the Free plan. Nothing is deleted. Subscribe again to keep it.',
  ],
] as const)('how a plan stands is told in words: %s %j', (standing, over, title, text) => {
  expect(describePlanStatus(makeSubscription({ ...over, standing }))).toMatchObject({ title, text })
})

test.each([
  [
    'active',
    'Your Professional plan ends right away. You won’t be charged again, but what you’ve paid for the time until December 24, 2026 isn’t refunded.',
  ],
  [
    'past_due',
    'Your Professional plan ends right away. You won’t be charged again, but what you’ve paid isn’t refunded.',
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
  expect(describePlanDeletion(undefined)).toContain('Paid plans end right away.')
})
