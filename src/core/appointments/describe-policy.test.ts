import { expect, test } from 'vitest'
import { HOUR_MS } from '#core/shared/duration.ts'
import { describeBookedPolicy, describePolicy } from './describe-policy.ts'
import { DEFAULT_POLICY, LEGACY_POLICY, type Policy } from './policy.ts'

const PAID = { hasPrice: true }

test('the default policy', () => {
  expect(describePolicy(DEFAULT_POLICY, PAID)).toBe(
    'You can move this appointment until 24 hours before it starts. You can request cancellation until it starts. ' +
      'Refunds are decided case by case.',
  )
})

test('a policy of a free appointment does not mention money', () => {
  expect(describePolicy(LEGACY_POLICY, { hasPrice: false })).toBe(
    'You can’t move this appointment yourself. You can request cancellation until it starts.',
  )
})

test('deadlines of several days also mention the days', () => {
  const policy: Policy = {
    moving: { kind: 'until', hours: 72, times: 2 },
    cancelling: { kind: 'alone', hours: 48, after: 'never' },
    refunds: [
      { hours: 168, percent: 100 },
      { hours: 24, percent: 50 },
    ],
  }
  expect(describePolicy(policy, PAID)).toBe(
    'You can move this appointment until 72 hours (3 days) before it starts, at most 2 times. ' +
      'You can cancel it until 48 hours before it starts. After that it can’t be cancelled. ' +
      'If you cancel, you get 100% back until 168 hours (7 days) before it starts, ' +
      '50% until 24 hours before it starts, and nothing after that. ' +
      'Moving it doesn’t increase your refund.',
  )
})

test('without moves or refunds, the policy does not mention refunds after a move', () => {
  const refunds = [{ hours: 24, percent: 50 }]
  const afterMove = 'Moving it doesn’t increase your refund.'
  expect(describePolicy({ ...DEFAULT_POLICY, refunds }, PAID)).toContain(afterMove)
  expect(describePolicy({ ...DEFAULT_POLICY, refunds, moving: { kind: 'never' } }, PAID)).not.toContain(
    afterMove,
  )
  expect(describePolicy({ ...DEFAULT_POLICY, refunds }, { hasPrice: false })).not.toContain(afterMove)
  expect(describePolicy({ ...DEFAULT_POLICY, refunds: [{ hours: 24, percent: 0 }] }, PAID)).not.toContain(
    afterMove,
  )
})

test.each<[Partial<Policy>, string]>([
  [
    { moving: { kind: 'until', hours: 1, times: 1 } },
    'You can move this appointment until 1 hour before it starts, at most once.',
  ],
  [{ cancelling: { kind: 'alone', hours: 0, after: 'never' } }, 'You can cancel it until it starts. Refunds'],
  [
    { cancelling: { kind: 'alone', hours: 24, after: 'by_request' } },
    'You can cancel it until 24 hours before it starts. After that you can request cancellation.',
  ],
  [{ refunds: [{ hours: 48, percent: 0 }] }, 'Cancellations aren’t refunded.'],
  [
    { refunds: [{ hours: 0, percent: 100 }] },
    'If you cancel, you get 100% back until it starts, and nothing if you don’t come.',
  ],
  [
    {
      refunds: [
        { hours: 24, percent: 80 },
        { hours: 2, percent: 0 },
      ],
    },
    'If you cancel, you get 80% back until 24 hours before it starts, and nothing after that.',
  ],
])('%j says so', (over, sentence) => {
  expect(describePolicy({ ...DEFAULT_POLICY, ...over }, PAID)).toContain(sentence)
})

const STRICT: Policy = {
  moving: { kind: 'until', hours: 48, times: null },
  cancelling: { kind: 'alone', hours: 24, after: 'never' },
  refunds: [
    { hours: 72, percent: 100 },
    { hours: 12, percent: 50 },
  ],
}

test.each([
  [72, STRICT, null],
  [
    71,
    STRICT,
    'You can move this appointment until 48 hours before it starts. You can cancel it until 24 hours before it starts. ' +
      'After that it can’t be cancelled. If you cancel, you get 50% back until 12 hours before it starts, and nothing after ' +
      'that. Moving it doesn’t increase your refund.',
  ],
  [
    47,
    STRICT,
    'It’s too late to move this appointment online. Please contact the practice. You can cancel it until 24 hours before it starts. After that it can’t ' +
      'be cancelled. If you cancel, you get 50% back until 12 hours before it starts, and nothing after that.',
  ],
  [
    11,
    { ...STRICT, cancelling: { kind: 'alone', hours: 24, after: 'by_request' } },
    'It’s too late to move this appointment online. Please contact the practice. You can request cancellation until it starts. Cancellations aren’t refunded.',
  ],
  [
    11,
    { ...STRICT, refunds: [] },
    'It’s too late to move this appointment online. Please contact the practice. It’s too late to cancel it. Refunds are decided case by case.',
  ],
] as const)('%s hours before the start, a booking says what still holds', (hours, policy, expected) => {
  const starts_at = new Date('2030-01-08T10:00:00Z')
  const booking = { policy, policy_text: 'As it was read.', price_cents: 9_000, starts_at }
  const nowMs = starts_at.getTime() - hours * HOUR_MS
  expect(describeBookedPolicy(booking, nowMs)).toBe(expected ?? 'As it was read.')
  expect(describeBookedPolicy(booking, starts_at.getTime())).toBeNull()
})

test('a booking from before policies existed has no sentences', () => {
  const old = {
    policy: null,
    policy_text: null,
    price_cents: null,
    starts_at: new Date('2030-01-08T10:00:00Z'),
  }
  expect(describeBookedPolicy(old, 0)).toBeNull()
})
