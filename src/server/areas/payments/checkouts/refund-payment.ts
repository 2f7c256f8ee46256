import { PROVIDER_NAMES } from '#core/payments/provider-names.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import type { RefundResult } from '#server/areas/appointments/actions/use-cases.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { formatMoneyWithCode } from '#server/platform/format-money.ts'
import { PaymentProviderError, type PaymentProviderRefund } from '#server/ports/payment-provider.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'
import {
  findPayment,
  findPaymentOfAppointment,
  type Payment,
  type PaymentKey,
  toOutstandingRefundCents,
  updatePayment,
} from '#server/records/ledger/ledger-repository.ts'
import type { PaymentRefundJob } from '#server/records/ledger/refund-job.ts'
import { type CheckoutsDeps, getAccountOfPayment } from './find-payment-account.ts'
import { PAYMENT_MAIL_JOB } from './job-definitions.ts'
import { recordCancellationRefund, recordProviderRefund } from './record-received-payment.ts'

/** Maximum number of requests to the provider about a payment whose row keeps changing. */
const MAX_ATTEMPTS = 3

/**
 * How long a refund is retried before we give up and tell the owner. A refusal is retried too, because it can be
 * temporary: the owner may top up a balance or correct a key.
 */
const RETRY_PERIODS_MS = { refused: DAY_MS, unavailable: 3 * DAY_MS, in_progress: 3 * DAY_MS } as const

const BY_HAND: RefundResult = {
  processed: 'manual',
  refundId: null,
  warning:
    'Payments must be processed manually: only the record was updated, so please refund the money yourself.',
}
const REFUND_ON_ITS_WAY = 'The payment provider has accepted the refund, and the money is on its way.'

/**
 * Refunds the payment of an appointment at the owner's request; the owner's action then updates our record. If no
 * provider took the payment, or we can no longer use the account, the owner has to pay the money back by hand. Source:
 * rule A11.
 * @throws PaymentProviderError with the provider's message, when no money was refunded
 */
export async function refundAppointment(deps: CheckoutsDeps, key: AppointmentKey): Promise<RefundResult> {
  const payment = await findPaymentOfAppointment(deps.db, key, ['completed'])
  if (payment === null) return BY_HAND
  try {
    const { refundId, status } = await refundAtProvider(deps, payment)
    return { processed: 'provider', refundId, warning: status === 'pending' ? REFUND_ON_ITS_WAY : null }
  } catch (err) {
    if (!(err instanceof PaymentProviderError) || !err.isAccountGone) throw err
    deps.log.warn({ err, paymentId: payment.id }, 'a refund is left to the owner')
    return { ...BY_HAND, warning: describeByHand(payment, err.message) }
  }
}

/** Tells the owner where the money is, and that only they can pay it back. */
function describeByHand(payment: Payment, reason: string): string {
  const name = PROVIDER_NAMES[payment.provider]
  const amount = formatMoneyWithCode({
    currency: payment.currency,
    amountCents: payment.amount_cents - payment.refunded_cents,
  })
  return `${reason} Nothing was refunded and only the record was updated: please refund ${amount} yourself in your ${name} account. ${name} calls the payment ${payment.payment_id}.`
}

/**
 * Refunds a late or duplicate payment, or makes the refund of a cancellation. Throws when the provider did not make the
 * refund, so that the job is retried.
 */
export async function runRefundJob(deps: CheckoutsDeps, job: PaymentRefundJob): Promise<void> {
  const payment = await findPayment(deps.db, { calendar_id: job.calendarId, id: job.paymentId })
  const owed = payment && findDueRefund(deps, payment)
  if (owed !== null) await refundWithRetries(deps, job, owed)
}

/** A refund that is due through the provider. */
type Owed = {
  readonly sinceMs: number
  /** The email that the owner gets when the refund fails. */
  readonly about: 'part_failed' | 'refund_failed'
  /**
   * Makes the refund.
   * @throws PaymentProviderError when the money was not refunded
   */
  readonly returnMoney: () => Promise<void>
}

/**
 * Finds the refund that is due for a payment: the refund of a cancellation, or of a whole late or duplicate payment.
 * Null when none is due.
 */
export function findDueRefund(deps: CheckoutsDeps, payment: Payment): Owed | null {
  if (toOutstandingRefundCents(payment) > 0) {
    const sinceMs = payment.returnDecidedAtMs ?? 0
    return { sinceMs, about: 'part_failed', returnMoney: () => returnPart(deps, payment) }
  }
  if (payment.status !== 'refund_pending') return null
  const sinceMs = payment.completedAtMs ?? 0
  return { sinceMs, about: 'refund_failed', returnMoney: () => refundNow(deps, payment) }
}

/** Makes a refund. Gives up and emails the owner after the retry period, or at once when no retry can succeed. */
async function refundWithRetries(
  deps: CheckoutsDeps,
  job: PaymentRefundJob,
  { sinceMs, about, returnMoney }: Owed,
): Promise<void> {
  try {
    await returnMoney()
  } catch (err) {
    if (!(err instanceof PaymentProviderError)) throw err
    // Do not wait in this case: the owner can settle a cancellation's refund on the appointment's page. Source: rule
    // Q10.
    const isHopeless = about === 'part_failed' && err.isAccountGone
    if (!isHopeless && deps.now() - sinceMs < RETRY_PERIODS_MS[err.kind]) throw err
    deps.log.error({ err, paymentId: job.paymentId }, 'a payment could not be returned')
    await inTransaction(deps.db, (trx) => deps.jobs.insert(trx, PAYMENT_MAIL_JOB, [{ ...job, about }]))
  }
}

/**
 * Makes the refund of a cancellation.
 * @throws PaymentProviderError when the money was not refunded
 */
async function returnPart(deps: CheckoutsDeps, payment: Payment): Promise<void> {
  const cents = payment.return_cents ?? 0
  const { refundId } = await refundAtProvider(deps, payment, cents)
  await recordCancellationRefund(deps, payment, { refundId, cents })
}

/**
 * Refunds a late or duplicate payment.
 * @throws PaymentProviderError when the money was not refunded
 */
async function refundNow(deps: CheckoutsDeps, payment: Payment): Promise<void> {
  const { refundId } = await refundAtProvider(deps, payment)
  const now = new Date(deps.now())
  await updatePayment(deps.db, payment, ['refund_pending'], {
    status: 'refunded',
    refund_id: refundId,
    refunded_cents: payment.amount_cents,
    refunded_at: now,
    updated_at: now,
    failure: null,
  })
}

/**
 * Copies the state of refunds from the provider: some are made in the provider's own dashboard, others fail later. The
 * provider's response matches the row as it was before the request, so if the row has changed in the meantime, the
 * provider is asked again. Source: rule P5.
 * @throws PaymentProviderError
 */
export async function syncRefundsFromProvider(deps: CheckoutsDeps, key: PaymentKey): Promise<void> {
  for (let round = 0; round < MAX_ATTEMPTS; round += 1) {
    const payment = await findPayment(deps.db, key)
    if (payment === null || payment.checkout_id === null) return
    const { provider, account } = await getAccountOfPayment(deps, payment)
    const state = await provider.findCheckout(account, payment.checkout_id)
    if (state.status !== 'paid' || (await recordProviderRefund(deps, payment, state))) return
  }
  throw new PaymentProviderError('in_progress', 'The payment is being changed at this moment.')
}

/**
 * Makes the provider refund a payment until `targetCents` are refunded in total. Idempotent, even if somebody has made
 * the refund without telling us. Stores the reason of a failure with the payment.
 */
async function refundAtProvider(
  deps: CheckoutsDeps,
  payment: Payment,
  targetCents = payment.amount_cents,
): Promise<Pick<PaymentProviderRefund, 'status'> & { readonly refundId: string | null }> {
  const { id: transactionId, payment_id: paymentId, currency, status, by_hand_cents: byHandCents } = payment
  // Subtract the amount that the owner paid back by hand, because the provider does not know it. Source: rule A12.
  const amountCents = targetCents - byHandCents
  if (paymentId === null) throw new Error(`the payment ${transactionId} has no name at its provider`)
  try {
    const { provider, account } = await getAccountOfPayment(deps, payment)
    return await provider.refund({ account, transactionId, paymentId, amountCents, currency })
  } catch (err) {
    if (!(err instanceof PaymentProviderError)) throw err
    if (
      err.kind === 'refused' &&
      !err.isAccountGone &&
      (await wasRefundedOtherwise(deps, payment, targetCents))
    ) {
      return { refundId: null, status: 'refunded' }
    }
    const change = { failure: err.message, updated_at: new Date(deps.now()) }
    await updatePayment(deps.db, payment, [status], change)
    throw err
  }
}

/** True when money that the provider refused to refund was already refunded in another way. */
async function wasRefundedOtherwise(
  deps: CheckoutsDeps,
  payment: Payment,
  targetCents: number,
): Promise<boolean> {
  try {
    await syncRefundsFromProvider(deps, payment)
  } catch (err) {
    // Ignore this error, because the message of the original refusal matters more.
    if (!(err instanceof PaymentProviderError)) throw err
  }
  return ((await findPayment(deps.db, payment))?.refunded_cents ?? 0) >= targetCents
}
