import { expect, test } from 'vitest'
import { decideCancellationRequest } from './cancellation-request.ts'

const NOW = Date.UTC(2027, 0, 4, 9)
const LATER = NOW + 60_000

test('a confirmed future appointment becomes a pending cancellation', () => {
  expect(decideCancellationRequest({ status: 'confirmed', startsAtMs: LATER }, NOW)).toEqual({
    ok: true,
    status: 'pending_cancellation',
  })
})

test.each([
  ['pending_cancellation', 'cancellation_pending'],
  ['cancelled', 'already_cancelled'],
  ['pending_payment', 'not_confirmed'],
] as const)('an appointment that is %s is refused as %s', (status, reason) => {
  expect(decideCancellationRequest({ status, startsAtMs: LATER }, NOW)).toEqual({ ok: false, reason })
})

test('an appointment that has begun, to the millisecond, is past', () => {
  expect(decideCancellationRequest({ status: 'confirmed', startsAtMs: NOW }, NOW)).toEqual({
    ok: false,
    reason: 'past',
  })
})
