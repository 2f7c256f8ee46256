import { describe, expect, test } from 'vitest'
import { type AppointmentAwaitingPayment, decidePaymentArrival } from './payment-arrival.ts'

const AGREED = { amount_cents: 4_500, currency: 'eur', provider_account_id: 'acct_1' }
const PAID = { amountCents: 4_500, currency: 'eur', accountId: 'acct_1' }
const HELD: AppointmentAwaitingPayment = {
  status: 'pending_payment',
  paymentStatus: 'pending',
  isHeld: true,
  isReleased: false,
}

describe('an incoming payment', () => {
  test.each<[string, AppointmentAwaitingPayment | null, object]>([
    ['confirms a time that is held', HELD, { kind: 'confirm' }],
    ['confirms what the owner has set back to pending', { ...HELD, isHeld: false }, { kind: 'confirm' }],
    [
      'takes a time again that was given back',
      { ...HELD, isHeld: false, isReleased: true },
      { kind: 'take_again' },
    ],
    [
      'marks as paid what is confirmed already',
      { ...HELD, isHeld: false, status: 'confirmed' },
      { kind: 'mark_paid' },
    ],
    [
      'marks as paid while a cancellation is asked for',
      { ...HELD, isHeld: false, status: 'pending_cancellation' },
      { kind: 'mark_paid' },
    ],
    [
      'goes back when it was paid by other means',
      { ...HELD, status: 'confirmed', paymentStatus: 'paid', isHeld: false },
      { kind: 'refund', reason: 'paid_already' },
    ],
    [
      'goes back when the appointment was cancelled',
      { ...HELD, status: 'cancelled', isHeld: false },
      { kind: 'refund', reason: 'too_late' },
    ],
    ['goes back when there is no appointment any more', null, { kind: 'refund', reason: 'too_late' }],
  ])('%s', (_sentence, appointment, arrival) => {
    expect(decidePaymentArrival(appointment, AGREED, { ...PAID, currency: 'EUR' })).toEqual(arrival)
  })

  test.each([{ amountCents: 4_499 }, { currency: 'usd' }, { accountId: 'acct_2' }])(
    'confirms nothing when it is not what was agreed: %j',
    (other) => {
      expect(decidePaymentArrival(HELD, AGREED, { ...PAID, ...other })).toEqual({ kind: 'mismatch' })
    },
  )
})
