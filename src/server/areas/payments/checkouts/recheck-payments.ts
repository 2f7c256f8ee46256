import { findNextPaymentCheckMs } from '#core/payments/next-payment-check.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import {
  listPaymentsToRecheck,
  NO_PROVIDER_RESPONSE_TEXT,
  type Payment,
  updatePayment,
} from '#server/records/ledger/ledger-repository.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'
import { PAYMENT_MAIL_JOB } from './job-definitions.ts'
import { runInBatches } from './run-in-batches.ts'
import { type SettlementState, settleWithProvider } from './settle-with-provider.ts'

/**
 * Maximum number of payments per run; ten are processed at a time. A run takes at most 5 × 105 s, less than the time
 * limit of `PAYMENT_RECHECK_JOB`.
 */
const PAYMENTS_PER_ROUND = 50

const NOT_PAID = 'The payment didn’t arrive in time.'

/** Asks the provider again about payments whose hold ended before the provider reported whether they were paid. */
export async function recheckPaymentsWithoutResponse(deps: CheckoutsDeps): Promise<void> {
  const due = await listPaymentsToRecheck(deps.db, new Date(deps.now()), PAYMENTS_PER_ROUND)
  await runInBatches(due, (payment) =>
    askAbout(deps, payment).catch((err: unknown) =>
      deps.log.error({ err, paymentId: payment.id }, 'a payment could not be asked about again'),
    ),
  )
}

async function askAbout(deps: CheckoutsDeps, payment: Payment): Promise<void> {
  const progress = await settleWithProvider(deps, payment, 'endCheckout')
  if (progress !== 'settled') await recordUnpaidResponse(deps, payment, progress)
}

/**
 * Records the provider's response about an unpaid payment whose hold has ended: either it has failed, or the provider
 * will be asked again later. After three days without a response we stop asking, and tell the owner where the money may
 * be. Source: rule P13.
 */
export async function recordUnpaidResponse(
  deps: Pick<CheckoutsDeps, 'db' | 'now' | 'jobs'>,
  payment: Payment,
  progress: Exclude<SettlementState, 'settled'>,
): Promise<void> {
  const nowMs = deps.now()
  const updated_at = new Date(nowMs)
  if (progress === 'open' || progress === 'ended') {
    const failure = payment.failure === NO_PROVIDER_RESPONSE_TEXT ? NOT_PAID : payment.failure
    await updatePayment(deps.db, payment, ['failed'], { ask_again_at: null, failure, updated_at })
    return
  }
  const nextMs = findNextPaymentCheckMs(payment.createdAtMs, nowMs)
  const ask_again_at = nextMs === null ? null : new Date(nextMs)
  await inTransaction(deps.db, async (trx) => {
    const isWritten = await updatePayment(trx, payment, ['failed'], { ask_again_at, updated_at })
    if (!isWritten || nextMs !== null) return
    const { calendar_id: calendarId, id: paymentId } = payment
    await deps.jobs.insert(trx, PAYMENT_MAIL_JOB, [{ about: 'unanswered', calendarId, paymentId }])
  })
}
