import { expect, test } from 'vitest'
import { decideDelayNotice } from './delay.ts'

const NINE = Date.parse('2027-01-04T09:00:00Z')
const MINUTE = 60_000
const CONFIRMED = { status: 'confirmed', startsAtMs: NINE, hasEmail: true, told: 0 } as const
const TEN = { minutes: 10, maxTold: 3, nowMs: NINE } as const

test.each([
  [-120 * MINUTE - 1, false],
  [-120 * MINUTE, true],
  [0, true],
  [10 * MINUTE - 1, true],
  [10 * MINUTE, false],
])('%s ms after the agreed start, ten minutes more can be told: %s', (afterStart, ok) => {
  expect(decideDelayNotice(CONFIRMED, { ...TEN, nowMs: NINE + afterStart }).ok).toBe(ok)
})

test.each([
  [{ status: 'cancelled' }, 'not_now'],
  [{ status: 'pending_cancellation' }, 'not_now'],
  [{ status: 'pending_payment' }, 'not_now'],
  [{ hasEmail: false }, 'no_email'],
  [{ told: 3 }, 'told_often'],
] as const)('%j cannot be told: %s', (over, reason) => {
  expect(decideDelayNotice({ ...CONFIRMED, ...over }, TEN)).toEqual({ ok: false, reason })
})
