import { describe, expect, test } from 'vitest'
import { toEpochMs } from '#core/shared/zoned-time.ts'
import * as fc from '#tests/support/fast-check.ts'
import {
  checkCustomerCancellation,
  checkCustomerMove,
  findChangeDeadlines,
  refundAmountOf,
  refundShareAt,
} from './check-policy.ts'
import {
  areRefundTiersDescending,
  DEFAULT_POLICY,
  LEGACY_POLICY,
  POLICY_LIMITS,
  type Policy,
  type RefundTier,
} from './policy.ts'

const HOUR = 3_600_000
const START = Date.parse('2027-02-01T10:00:00Z')
const APPOINTMENT = { startsAtMs: START, timesMoved: 0 }

function policy(over: Partial<Policy>): Policy {
  return { ...DEFAULT_POLICY, ...over }
}

test.each<[string, Partial<Policy>, number | null, number]>([
  ['the default policy', {}, -24, 0],
  ['no moves', { moving: { kind: 'never' } }, null, 0],
  ['requests after the deadline', { cancelling: { kind: 'alone', hours: 48, after: 'by_request' } }, -24, 0],
  ['nothing after the deadline', { cancelling: { kind: 'alone', hours: 48, after: 'never' } }, -24, -48],
])('the deadlines of %s are those by which the customer is judged', (_name, over, moveHours, cancelHours) => {
  const { moveUntilMs, cancelUntilMs } = findChangeDeadlines(policy(over), START)
  expect(moveUntilMs).toBe(moveHours === null ? null : START + moveHours * HOUR)
  expect(cancelUntilMs).toBe(START + cancelHours * HOUR)
  const canCancel = (atMs: number) =>
    checkCustomerCancellation(policy(over), APPOINTMENT, atMs).kind !== 'refused'
  expect([canCancel(cancelUntilMs - 1), canCancel(cancelUntilMs + 1)]).toEqual([true, false])
})

describe('moving', () => {
  const until = (hours: number, times: number | null = null) =>
    policy({ moving: { kind: 'until', hours, times } })

  test('the default policy allows moves until 24 hours before the start', () => {
    expect(checkCustomerMove(DEFAULT_POLICY, APPOINTMENT, START - 24 * HOUR)).toEqual({
      ok: true,
      untilMs: START - 24 * HOUR,
      timesLeft: null,
    })
  })

  test.each([
    [24, -24 * HOUR, true],
    [24, -24 * HOUR + 1, false],
    [0, -1, true],
    [0, 0, false],
    [POLICY_LIMITS.hours, -POLICY_LIMITS.hours * HOUR, true],
    [POLICY_LIMITS.hours, -POLICY_LIMITS.hours * HOUR + 1, false],
  ])('until %s hours before, %s ms from the start: %s', (hours, fromStart, ok) => {
    const verdict = checkCustomerMove(until(hours), APPOINTMENT, START + fromStart)
    expect(verdict).toMatchObject(ok ? { ok } : { ok, reason: 'too_late' })
  })

  test.each([
    [0, { ok: true, timesLeft: 2 }],
    [1, { ok: true, timesLeft: 1 }],
    [2, { ok: false, reason: 'too_often' }],
    [3, { ok: false, reason: 'too_often' }],
  ])('of two moves, %s were made', (timesMoved, expected) => {
    const moved = { startsAtMs: START, timesMoved }
    expect(checkCustomerMove(until(1, 2), moved, START - HOUR)).toMatchObject(expected)
  })

  test('moves are refused at any time when the policy forbids them', () => {
    const verdict = checkCustomerMove(LEGACY_POLICY, APPOINTMENT, START - 1_000 * HOUR)
    expect(verdict).toEqual({ ok: false, reason: 'not_allowed' })
  })
})

describe('cancelling', () => {
  const alone = (after: 'by_request' | 'never') => policy({ cancelling: { kind: 'alone', hours: 48, after } })

  test.each([
    [DEFAULT_POLICY, -1, { kind: 'by_request' }],
    [DEFAULT_POLICY, 0, { kind: 'refused', reason: 'begun' }],
    [alone('never'), -48 * HOUR, { kind: 'alone', untilMs: START - 48 * HOUR }],
    [alone('never'), -48 * HOUR + 1, { kind: 'refused', reason: 'too_late' }],
    [alone('by_request'), -48 * HOUR + 1, { kind: 'by_request' }],
    [alone('by_request'), 0, { kind: 'refused', reason: 'begun' }],
    [
      policy({ cancelling: { kind: 'alone', hours: 0, after: 'never' } }),
      -1,
      { kind: 'alone', untilMs: START },
    ],
  ])('%j, %s ms from the start', (under, fromStart, expected) => {
    expect(checkCustomerCancellation(under, APPOINTMENT, START + fromStart)).toEqual(expected)
  })
})

describe('the refund table', () => {
  const TABLE = policy({
    refunds: [
      { hours: 48, percent: 100 },
      { hours: 24, percent: 50 },
    ],
  })

  test.each([
    [-49, 100],
    [-48, 100],
    [-47, 50],
    [-24, 50],
    [-23, 0],
    [0, 0],
    [1, 0],
  ])('%s hours from the start %s percent go back', (fromStart, percent) => {
    expect(refundShareAt(TABLE, START, START + fromStart * HOUR)).toBe(percent)
  })

  test('an empty table gives no refund', () => {
    expect(refundShareAt(DEFAULT_POLICY, START, START - 100 * HOUR)).toBeNull()
  })

  test('a row of 0 hours applies until the start', () => {
    const table = policy({ refunds: [{ hours: 0, percent: 30 }] })
    expect(refundShareAt(table, START, START - 1)).toBe(30)
    expect(refundShareAt(table, START, START)).toBe(0)
  })

  test('hours are elapsed time across a clock change', () => {
    // On 28 March 2027 London's clocks go from 01:00 to 02:00, so 09:00 is 23 hours after 09:00 of the previous day.
    const startsAtMs = toEpochMs('2027-03-28', 9 * 3_600, 'Europe/London')
    const sameClockBefore = toEpochMs('2027-03-27', 9 * 3_600, 'Europe/London')
    const table = policy({ refunds: [{ hours: 24, percent: 100 }] })
    expect(refundShareAt(table, startsAtMs, sameClockBefore)).toBe(0)
    expect(refundShareAt(table, startsAtMs, sameClockBefore - HOUR)).toBe(100)
  })

  test('a later cancellation never gets a larger refund', () => {
    fc.assert(
      fc.property(anyTable(), fc.nat(10_000), fc.nat(10_000), (refunds, a, b) => {
        const [early, late] = [Math.max(a, b), Math.min(a, b)]
        const shareAt = (hours: number) =>
          refundShareAt(policy({ refunds }), START, START - hours * HOUR) ?? 0
        expect(shareAt(late)).toBeLessThanOrEqual(shareAt(early))
      }),
    )
  })

  test.each<[readonly RefundTier[], boolean]>([
    [[], true],
    [[{ hours: 0, percent: 0 }], true],
    [
      [
        { hours: POLICY_LIMITS.hours, percent: 100 },
        { hours: 0, percent: 0 },
      ],
      true,
    ],
    [
      [
        { hours: 24, percent: 50 },
        { hours: 48, percent: 40 },
      ],
      false,
    ],
    [
      [
        { hours: 48, percent: 50 },
        { hours: 24, percent: 60 },
      ],
      false,
    ],
    [
      [
        { hours: 24, percent: 50 },
        { hours: 24, percent: 40 },
      ],
      false,
    ],
    [
      [
        { hours: 48, percent: 50 },
        { hours: 24, percent: 50 },
      ],
      false,
    ],
  ])('%j falls: %s', (rows, falls) => {
    expect(areRefundTiersDescending(rows)).toBe(falls)
  })
})

describe('a share of an amount', () => {
  test.each([
    [1_000, 33, 330],
    [999, 33, 330],
    [1, 1, 1],
    [1, 0, 0],
    [0, 100, 0],
    [4_999, 50, 2_500],
    [700, 1, 7],
    [99_999_999, 100, 99_999_999],
  ])('%s cents, %s percent: %s cents', (cents, percent, expected) => {
    expect(refundAmountOf(cents, percent)).toBe(expected)
  })

  test('a share is rounded up to whole cents and never exceeds the payment', () => {
    fc.assert(
      fc.property(fc.nat(100_000_000), fc.integer({ min: 0, max: 100 }), (cents, percent) => {
        const share = refundAmountOf(cents, percent)
        expect(Number.isInteger(share)).toBe(true)
        expect(share).toBeLessThanOrEqual(cents)
        expect(share * 100).toBeGreaterThanOrEqual(cents * percent)
        expect((share - 1) * 100).toBeLessThan(Math.max(1, cents * percent))
      }),
    )
  })
})

/** A valid refund table: distinct hours and percentages, both in descending order. */
function anyTable(): fc.Arbitrary<RefundTier[]> {
  const falling = (max: number, count: number) =>
    fc
      .uniqueArray(fc.nat(max), { minLength: count, maxLength: count })
      .map((values) => values.sort((a, b) => b - a))
  return fc
    .integer({ min: 0, max: POLICY_LIMITS.refundRows })
    .chain((count) => fc.tuple(falling(POLICY_LIMITS.hours, count), falling(100, count)))
    .map(([hours, percents]) => hours.map((value, at) => ({ hours: value, percent: percents[at] ?? 0 })))
}
