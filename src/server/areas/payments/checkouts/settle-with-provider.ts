import { extendHold, type PaymentProgress } from '#core/booking/hold.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { type CheckoutState, ProviderError } from '#server/ports/payment-provider.ts'
import { updateHoldEnd } from '#server/records/appointments/hold-repository.ts'
import { lockAppointmentWithHold } from '#server/records/appointments/state-repository.ts'
import {
  lockPayment,
  OPEN_PAYMENT_STATUSES,
  type Payment,
  updatePayment,
} from '#server/records/ledger/ledger-repository.ts'
import { isOpenHold } from './close-hold.ts'
import { type CheckoutsDeps, getAccountOfPayment, type ProviderAccount } from './find-payment-account.ts'
import { receivePayment } from './receive-payment.ts'
import { syncRefundsFromProvider } from './return-payment.ts'

/** `settled`: the money has come in, and what it leads to is written. */
export type Settlement = PaymentProgress | 'settled'

/**
 * Asks the provider how a payment stands and writes the consequences of money that is there. The first caller does it
 * (return page, webhook, sweep, whoever gives the time back), and the others find it done. The caller acts on a payment
 * that has ended; `endCheckout` ends it where the provider can. Source: rule P3.
 */
export async function settleWithProvider(
  deps: CheckoutsDeps,
  payment: Payment,
  ask: 'findCheckout' | 'endCheckout',
): Promise<Settlement> {
  const { checkoutId, status } = payment
  if (isSettled(payment)) return 'settled'
  // No customer was ever sent to it.
  if (checkoutId === null) return status === 'failed' ? 'ended' : 'open'
  try {
    const target = await getAccountOfPayment(deps, payment)
    const state = await target.provider[ask](target.account, checkoutId)
    if (state.status !== 'approved') return await conclude(deps, payment, state)
    const permission = await beginCapture(deps, payment)
    if (permission !== 'granted') return permission
    return await conclude(deps, payment, await capture(deps, target, { ...payment, checkoutId }))
  } catch (err) {
    if (!(err instanceof ProviderError)) throw err
    deps.log.warn({ err, paymentId: payment.id }, 'a payment could not be asked for')
    return 'unknown'
  }
}

/** Whether money has come in for it, so that no more is awaited. */
export function isSettled({ status }: Pick<Payment, 'status'>): boolean {
  return status !== 'pending' && status !== 'capturing' && status !== 'failed'
}

async function conclude(deps: CheckoutsDeps, payment: Payment, state: CheckoutState): Promise<Settlement> {
  if (state.status === 'paid') {
    const isWritten = await receivePayment(deps, payment, state)
    // The earlier writer may have asked before some of the money went back.
    if (!isWritten && state.refundedCents > 0) await syncRefundsFromProvider(deps, payment)
    return 'settled'
  }
  return state.status === 'processing' || state.status === 'approved' ? 'under_way' : state.status
}

/**
 * Decides under the row's lock whether an approved payment may be captured: only while its time is held. The hold then
 * lasts until the capture is done. Source: rule P14.
 */
async function beginCapture(deps: CheckoutsDeps, payment: Payment): Promise<'granted' | 'ended' | 'settled'> {
  const key = { calendarId: payment.calendarId, id: payment.appointmentId }
  return inTransaction(deps.db, async (trx) => {
    const appointment = await lockAppointmentWithHold(trx, key)
    const locked = await lockPayment(trx, payment)
    if (locked !== null && isSettled(locked)) return 'settled'
    if (appointment === null || !isOpenHold(appointment) || locked === null || locked.status === 'failed')
      return 'ended'
    const nowMs = deps.now()
    const hold = { beganAtMs: appointment.createdAtMs, expiresAtMs: appointment.holdExpiresAtMs }
    await updateHoldEnd(trx, key, new Date(extendHold(hold, nowMs)))
    await updatePayment(trx, payment, ['pending'], { status: 'capturing', updated_at: new Date(nowMs) })
    return 'granted'
  })
}

/** A refusal is final: the customer has to begin anew. */
async function capture(
  deps: CheckoutsDeps,
  { provider, account }: ProviderAccount,
  payment: Payment & { readonly checkoutId: string },
): Promise<CheckoutState> {
  try {
    return await provider.captureCheckout(account, payment.checkoutId, payment.id)
  } catch (err) {
    if (!(err instanceof ProviderError) || err.kind !== 'refused') throw err
    const change = { failure: err.message, updated_at: new Date(deps.now()) }
    await updatePayment(deps.db, payment, OPEN_PAYMENT_STATUSES, change)
    return { status: 'ended' }
  }
}
