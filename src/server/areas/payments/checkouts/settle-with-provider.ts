import { extendHold, type PaymentProgress } from '#core/appointments/hold.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { type CheckoutState, PaymentProviderError } from '#server/ports/payment-provider.ts'
import { updateHoldExpiry } from '#server/records/appointments/hold-repository.ts'
import {
  type AppointmentKey,
  lockAppointmentWithHold,
} from '#server/records/appointments/state-repository.ts'
import {
  lockPayment,
  OPEN_PAYMENT_STATUSES,
  type Payment,
  updatePayment,
} from '#server/records/ledger/ledger-repository.ts'
import { type CheckoutsDeps, getAccountOfPayment, type ProviderAccount } from './find-payment-account.ts'
import { recordReceivedPayment } from './record-received-payment.ts'
import { syncRefundsFromProvider } from './refund-payment.ts'
import { isOpenHold } from './release-or-extend-hold.ts'

/** The state of a payment. `settled` means that it has arrived, and that its effects are recorded. */
export type SettlementState = PaymentProgress | 'settled'

/**
 * Asks the provider for the state of a payment and records a payment that has arrived. Several callers may ask at once
 * (return page, webhook, sweep, release); the first caller records the payment, and the others find it recorded. The
 * caller reacts to a payment that has ended. With `endCheckout`, the provider also ends the checkout, if it supports
 * that. Source: rule P3.
 */
export async function settleWithProvider(
  deps: CheckoutsDeps,
  payment: Payment,
  ask: 'findCheckout' | 'endCheckout',
): Promise<SettlementState> {
  const { checkout_id: checkoutId, status } = payment
  if (isPaymentSettled(payment)) return 'settled'
  // The checkout was never opened, so nobody can have paid.
  if (checkoutId === null) return status === 'failed' ? 'ended' : 'open'
  try {
    const target = await getAccountOfPayment(deps, payment)
    const state = await target.provider[ask](target.account, checkoutId)
    if (state.status !== 'approved') return await conclude(deps, payment, state)
    const permission = await beginCapture(deps, payment)
    if (permission !== 'granted') return permission
    return await conclude(deps, payment, await capture(deps, target, { ...payment, checkout_id: checkoutId }))
  } catch (err) {
    if (!(err instanceof PaymentProviderError)) throw err
    deps.log.warn({ err, paymentId: payment.id }, 'a payment could not be asked for')
    return 'unknown'
  }
}

/** True when the payment has arrived and no further payment is awaited. */
export function isPaymentSettled({ status }: Pick<Payment, 'status'>): boolean {
  return status !== 'pending' && status !== 'capturing' && status !== 'failed'
}

async function conclude(
  deps: CheckoutsDeps,
  payment: Payment,
  state: CheckoutState,
): Promise<SettlementState> {
  if (state.status === 'paid') {
    const isWritten = await recordReceivedPayment(deps, payment, state)
    // The caller that recorded the payment may have asked before a part of it was refunded.
    if (!isWritten && state.refundedCents > 0) await syncRefundsFromProvider(deps, payment)
    return 'settled'
  }
  return state.status === 'processing' || state.status === 'approved' ? 'under_way' : state.status
}

/**
 * Decides, under the row's lock, whether an approved payment may be captured: only while its time is held. Extends the hold to
 * cover the capture. Source: rule P14.
 */
async function beginCapture(deps: CheckoutsDeps, payment: Payment): Promise<'granted' | 'ended' | 'settled'> {
  const key = { calendarId: payment.calendar_id, id: payment.appointment_id }
  return inTransaction(deps.db, async (trx) => {
    const appointment = await lockAppointmentWithHold(trx, key)
    const locked = await lockPayment(trx, payment)
    if (locked !== null && isPaymentSettled(locked)) return 'settled'
    if (appointment === null || !isOpenHold(appointment) || locked === null || locked.status === 'failed')
      return 'ended'
    const nowMs = deps.now()
    const hold = { beganAtMs: appointment.createdAtMs, expiresAtMs: appointment.holdExpiresAtMs }
    await updateHoldExpiry(trx, key, new Date(extendHold(hold, nowMs)))
    await updatePayment(trx, payment, ['pending'], { status: 'capturing', updated_at: new Date(nowMs) })
    return 'granted'
  })
}

/** Captures an approved payment. A refusal is final: the customer must start again. */
async function capture(
  deps: CheckoutsDeps,
  { provider, account }: ProviderAccount,
  payment: Payment & { readonly checkout_id: string },
): Promise<CheckoutState> {
  try {
    return await provider.captureCheckout(account, payment.checkout_id, payment.id)
  } catch (err) {
    if (!(err instanceof PaymentProviderError) || err.kind !== 'refused') throw err
    const change = { failure: err.message, updated_at: new Date(deps.now()) }
    await updatePayment(deps.db, payment, OPEN_PAYMENT_STATUSES, change)
    return { status: 'ended' }
  }
}

/**
 * Counts one request to the provider about an appointment's payment; returns false when the limit is exceeded. The
 * requests use the owner's account, so a customer with the link must not be able to cause thousands of them. Source:
 * rule H13.
 */
export async function trySpendProviderRequest(
  { budgets }: Pick<CheckoutsDeps, 'budgets'>,
  { id }: AppointmentKey,
): Promise<boolean> {
  return (await budgets.spend([{ budget: 'payment_questions', subject: id }])) === null
}
