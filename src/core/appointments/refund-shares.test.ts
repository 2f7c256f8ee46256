import { describe, expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { DEFAULT_POLICY, type Policy } from './policy.ts'
import {
  NO_SHARE_LIMITS,
  type RefundShareLimits,
  refundLimitsAfterMove,
  refundShareOf,
} from './refund-shares.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2027-02-01T10:00:00Z')
/** Full refund until 48 hours before the start, half until 24 hours before. */
const POLICY: Policy = {
  ...DEFAULT_POLICY,
  refunds: [
    { hours: 48, percent: 100 },
    { hours: 24, percent: 50 },
  ],
}

function startingIn(hours: number, refundShares: RefundShareLimits = NO_SHARE_LIMITS, policy = POLICY) {
  return { policy, startsAtMs: NOW + hours * HOUR, refundShares }
}

describe('the limits after a move', () => {
  test.each([
    ['the customer moves too late and far ahead', 'customer', 20, 1_440, { most: 0, least: null }],
    ['the customer moves in time', 'customer', 100, 1_440, { most: 100, least: null }],
    ['the owner moves from next month to tomorrow', 'owner', 720, 20, { most: null, least: 100 }],
    ['the owner moves in the last two days', 'owner', 30, 2, { most: null, least: 50 }],
    ['the owner moves to a later start', 'owner', 30, 1_440, NO_SHARE_LIMITS],
  ] as const)('%s', (_what, causedBy, from, to, left) => {
    expect(refundLimitsAfterMove(startingIn(from), { causedBy, toMs: NOW + to * HOUR }, NOW)).toEqual(left)
  })

  test('keep the smallest share of customer moves and the largest share of owner moves', () => {
    const move = (shares: RefundShareLimits, causedBy: 'customer' | 'owner', from: number, to: number) =>
      refundLimitsAfterMove(startingIn(from, shares), { causedBy, toMs: NOW + to * HOUR }, NOW)
    const kept = move(NO_SHARE_LIMITS, 'customer', 30, 1_440)
    expect(move(kept, 'customer', 1_440, 2_000)).toEqual({ most: 50, least: null })
    expect(move(kept, 'owner', 1_440, 10)).toEqual({ most: 50, least: 50 })
    const promised = move(NO_SHARE_LIMITS, 'owner', 720, 20)
    expect(move(promised, 'owner', 20, 10)).toEqual({ most: null, least: 100 })
    expect(move(promised, 'customer', 20, 720)).toEqual({ most: 100, least: 100 })
  })

  test('are null when the policy gives no refunds', () => {
    const appointment = startingIn(20, NO_SHARE_LIMITS, DEFAULT_POLICY)
    expect(refundLimitsAfterMove(appointment, { causedBy: 'customer', toMs: NOW + 720 * HOUR }, NOW)).toEqual(
      NO_SHARE_LIMITS,
    )
    expect(refundShareOf(startingIn(20, { most: 50, least: 50 }, DEFAULT_POLICY), NOW)).toBeNull()
  })
})

test('there is no refund after the start, whatever the owner moved before', () => {
  expect(refundShareOf(startingIn(1, { most: null, least: 100 }), NOW)).toBe(100)
  expect(refundShareOf(startingIn(0, { most: null, least: 100 }), NOW)).toBe(0)
})

test('a move by the customer never raises the share, and a move by the owner never lowers it', () => {
  const anyMoves = fc.array(
    fc.record({
      causedBy: fc.constantFrom('customer', 'owner'),
      hours: fc.integer({ min: 1, max: 200 }),
      laterBy: fc.nat(20),
    }),
    { minLength: 1, maxLength: 8 },
  )
  fc.assert(
    fc.property(anyMoves, (moves) => {
      let [nowMs, appointment] = [NOW, startingIn(100)]
      for (const { causedBy, hours, laterBy } of moves) {
        nowMs = Math.min(nowMs + laterBy * HOUR, appointment.startsAtMs - 1)
        const toMs = nowMs + hours * HOUR
        const before = refundShareOf(appointment, nowMs) ?? 0
        const refundShares = refundLimitsAfterMove(appointment, { causedBy, toMs }, nowMs)
        appointment = { ...appointment, startsAtMs: toMs, refundShares }
        const after = refundShareOf(appointment, nowMs) ?? 0
        if (causedBy === 'customer') expect(after).toBeLessThanOrEqual(before)
        else expect(after).toBeGreaterThanOrEqual(before)
        expect(refundShares.least ?? 0).toBeLessThanOrEqual(refundShares.most ?? 100)
      }
    }),
  )
})
