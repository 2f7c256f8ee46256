import type { AppointmentKey, RefundAnswer } from '#server/features/appointments/use-cases.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProviderError, type ProviderRefund } from '#server/ports/payment-provider.ts'
import { PAYMENT_MAIL, type PaymentRefundJob } from './job-definitions.ts'
import { type CheckoutsDeps, getTillOf } from './payee.ts'
import { receiveRefund } from './receive-payment.ts'
import { findPayment, findPaymentOf, type Payment, updatePayment } from './repository.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * How long a refund is tried before it is given up and the owner is told. A refusal may pass, too: a balance is filled, a
 * key is put right.
 */
const PATIENCE_MS = { refused: DAY_MS, unavailable: 3 * DAY_MS, in_progress: 3 * DAY_MS } as const

const MANUAL: RefundAnswer = {
  processed: 'manual',
  refundId: null,
  warning:
    'Payments must be processed manually: only the record was updated, so please return the money yourself.',
}
const ON_ITS_WAY = 'The payment provider has taken the refund over; the money is on its way.'

/**
 * Gives back what an appointment was paid with, as the owner asks for; the record follows in the owner's action. Where no
 * provider took the money, the owner returns it.
 * @throws ProviderError with the provider's words, and then nothing has gone back
 */
export async function payBack(deps: CheckoutsDeps, key: AppointmentKey): Promise<RefundAnswer> {
  const payment = await findPaymentOf(deps.db, key, ['completed'])
  if (payment === null) return MANUAL
  const { refundId, status } = await refundAtProvider(deps, payment)
  return { processed: 'provider', refundId, warning: status === 'pending' ? ON_ITS_WAY : null }
}

/** Returns what came too late or twice. Throws when the provider did not do it, so that the job is tried again. */
export async function returnPayment(deps: CheckoutsDeps, job: PaymentRefundJob): Promise<void> {
  const payment = await findPayment(deps.db, { calendarId: job.calendarId, id: job.paymentId })
  if (payment?.status !== 'refund_pending') return
  try {
    const { refundId } = await refundAtProvider(deps, payment)
    const now = new Date(deps.now())
    await updatePayment(deps.db, payment, ['refund_pending'], {
      status: 'refunded',
      refund_id: refundId,
      refunded_cents: payment.amountCents,
      refunded_at: now,
      updated_at: now,
      failure: null,
    })
  } catch (err) {
    if (!(err instanceof ProviderError)) throw err
    const waitedMs = deps.now() - (payment.completedAtMs ?? 0)
    if (waitedMs < PATIENCE_MS[err.kind]) throw err
    deps.log.error({ err, paymentId: payment.id }, 'a payment could not be returned')
    await inTransaction(deps.db, (trx) =>
      deps.jobs.insert(trx, PAYMENT_MAIL, [{ ...job, about: 'refund_failed' }]),
    )
  }
}

/** Takes over what became of refunds at the provider: made in its own dashboard, or failed on the way. @throws ProviderError */
export async function takeRefundOver(deps: CheckoutsDeps, payment: Payment): Promise<void> {
  if (payment.checkoutId === null) return
  const { provider, payee } = await getTillOf(deps, payment)
  const state = await provider.findCheckout(payee, payment.checkoutId)
  if (state.status === 'paid') await receiveRefund(deps, payment, state)
}

/**
 * What was not refunded before goes back, once however often it is asked for; also when it is back already, which nobody
 * has told us. Why it did not go back is kept with the payment.
 */
async function refundAtProvider(
  deps: CheckoutsDeps,
  payment: Payment,
): Promise<Pick<ProviderRefund, 'status'> & { readonly refundId: string | null }> {
  const { id: transactionId, paymentId, amountCents, currency, status } = payment
  if (paymentId === null) throw new Error(`the payment ${transactionId} has no name at its provider`)
  try {
    const { provider, payee } = await getTillOf(deps, payment)
    return await provider.refund({ payee, transactionId, paymentId, amountCents, currency })
  } catch (err) {
    if (!(err instanceof ProviderError)) throw err
    if (err.kind === 'refused') {
      await takeRefundOver(deps, payment)
      const now = await findPayment(deps.db, payment)
      if (now?.status === 'refunded') return { refundId: null, status: 'refunded' }
    }
    const change = { failure: err.message, updated_at: new Date(deps.now()) }
    await updatePayment(deps.db, payment, [status], change)
    throw err
  }
}
