import { describe, expect, test } from 'vitest'
import { decideHold, HOLD_MS, MAX_HOLD_MS, toHoldEndMs } from './hold.ts'

const BEGAN = Date.UTC(2026, 11, 1, 9)
const MINUTE = 60_000
const hold = { beganAtMs: BEGAN, expiresAtMs: toHoldEndMs(BEGAN) }

describe('a hold', () => {
  test('lasts five minutes', () => {
    expect(decideHold(hold, 'open', BEGAN + HOLD_MS - 1)).toEqual({ kind: 'keep' })
    expect(decideHold(hold, 'open', BEGAN + HOLD_MS)).toEqual({ kind: 'release' })
  })

  test('ends immediately when its payment can no longer succeed', () => {
    expect(decideHold(hold, 'ended', BEGAN + 1)).toEqual({ kind: 'release' })
  })

  test.each(['under_way', 'unknown'] as const)(
    'gets five minutes more while the payment is %s, and half an hour in all',
    (progress) => {
      let { expiresAtMs } = hold
      const ends = [expiresAtMs]
      for (;;) {
        const decision = decideHold({ ...hold, expiresAtMs }, progress, expiresAtMs)
        if (decision.kind !== 'extend') {
          expect(decision).toEqual({ kind: 'release' })
          break
        }
        expiresAtMs = decision.expiresAtMs
        ends.push(expiresAtMs)
      }
      expect(ends.map((end) => (end - BEGAN) / MINUTE)).toEqual([5, 10, 15, 20, 25, 30])
    },
  )

  test('that is found late is never extended beyond half an hour', () => {
    const late = BEGAN + 28 * MINUTE
    expect(decideHold(hold, 'under_way', late)).toEqual({
      kind: 'extend',
      expiresAtMs: BEGAN + MAX_HOLD_MS,
    })
  })
})
