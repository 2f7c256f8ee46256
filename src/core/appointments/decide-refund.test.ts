import { describe, expect, test } from 'vitest'
import { decideRefund, toCancellationTerms } from './decide-refund.ts'
import { DEFAULT_POLICY, type Policy } from './policy.ts'
import { NO_SHARE_LIMITS } from './refund-shares.ts'

const HOUR = 3_600_000
const START = Date.parse('2027-02-01T10:00:00Z')
const HALF: Policy = {
  moving: { kind: 'never' },
  cancelling: { kind: 'alone', hours: 24, after: 'by_request' },
  refunds: [{ hours: 24, percent: 50 }],
}
const EARLY = START - 48 * HOUR
const LATE = START - HOUR

function paid(paidCents: number | null, policy = HALF) {
  return { policy, startsAtMs: START, paidCents, refundShares: NO_SHARE_LIMITS, status: 'confirmed' } as const
}

describe('the refund of an owner', () => {
  test.each([
    ['leaves it to the policy', null, EARLY, { ok: true, refund: { cents: 1_001, percent: 50 } }],
    ['chooses what the policy gives', 1_001, EARLY, { ok: true, refund: { cents: 1_001, percent: 50 } }],
    ['gives more', 1_500, EARLY, { ok: true, refund: { cents: 1_500, percent: null } }],
    ['gives all of it', 2_001, LATE, { ok: true, refund: { cents: 2_001, percent: null } }],
    ['gives less than was promised', 1_000, EARLY, { ok: false, reason: 'less_than_policy' }],
    ['gives more than was paid', 2_002, EARLY, { ok: false, reason: 'more_than_paid' }],
    ['gives nothing where nothing is due', 0, LATE, { ok: true, refund: { cents: 0, percent: 0 } }],
  ])('the owner %s', (_what, wantedCents, askedAtMs, expected) => {
    expect(decideRefund(paid(2_001), { askedAtMs, wantedCents })).toEqual(expected)
  })

  test('an unpaid appointment has no refund', () => {
    expect(decideRefund(paid(null), { askedAtMs: EARLY, wantedCents: null })).toEqual({
      ok: true,
      refund: null,
    })
    expect(decideRefund(paid(null), { askedAtMs: EARLY, wantedCents: 0 })).toEqual({ ok: true, refund: null })
    expect(decideRefund(paid(null), { askedAtMs: EARLY, wantedCents: 1 })).toEqual({
      ok: false,
      reason: 'more_than_paid',
    })
  })

  test('without a refund table the owner can choose any amount', () => {
    const appointment = paid(4_000, DEFAULT_POLICY)
    expect(decideRefund(appointment, { askedAtMs: EARLY, wantedCents: null })).toEqual({
      ok: true,
      refund: null,
    })
    expect(decideRefund(appointment, { askedAtMs: LATE, wantedCents: 700 })).toEqual({
      ok: true,
      refund: { cents: 700, percent: null },
    })
  })
})

describe('the terms for the customer', () => {
  test.each([
    [EARLY, { way: 'alone', untilMs: START - 24 * HOUR, refund: { cents: 1_001, percent: 50 } }],
    [LATE, { way: 'by_request', untilMs: null, refund: { cents: 0, percent: 0 } }],
    [START, { way: 'none', untilMs: null, refund: null }],
  ])('at %s', (nowMs, expected) => {
    expect(toCancellationTerms(paid(2_001), nowMs)).toEqual(expected)
  })

  test.each(['cancelled', 'pending_cancellation', 'pending_payment'] as const)(
    'an appointment that is %s cannot be cancelled',
    (status) => {
      expect(toCancellationTerms({ ...paid(2_001), status }, EARLY)).toMatchObject({ way: 'none' })
    },
  )
})
