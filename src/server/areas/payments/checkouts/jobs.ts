import { buildUnfinishedPayments } from '#server/messages/emails/unfinished-payments-mail.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import { PAYMENT_REFUND } from '#server/records/ledger/refund-job.ts'
import { sweepHolds } from './end-checkouts.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'
import {
  HOLD_SWEEP,
  HOLD_SWEEP_CRON,
  MONEY_LEFT_MAIL,
  PAYMENT_EVENT,
  PAYMENT_INQUIRY,
  PAYMENT_INQUIRY_CRON,
  PAYMENT_MAIL,
} from './job-definitions.ts'
import { applyProviderEvent } from './receive-event.ts'
import { retryUnansweredPayments } from './retry-unanswered-payments.ts'
import { runRefundJob } from './return-payment.ts'
import { type PaymentMailDeps, sendPaymentMail } from './send-payment-mail.ts'

export const CHECKOUT_JOBS: readonly JobDefinition<object>[] = [
  HOLD_SWEEP,
  PAYMENT_EVENT,
  PAYMENT_REFUND,
  PAYMENT_MAIL,
  PAYMENT_INQUIRY,
  MONEY_LEFT_MAIL,
]

/** Starts the workers of the payment jobs. */
export async function workOnCheckouts(queue: JobQueue, deps: CheckoutsDeps & PaymentMailDeps): Promise<void> {
  await queue.work(PAYMENT_EVENT, (job) => applyProviderEvent(deps, job))
  await queue.work(PAYMENT_REFUND, (job) => runRefundJob(deps, job))
  await queue.work(PAYMENT_MAIL, (job) => sendPaymentMail(deps, job))
  await queue.work(MONEY_LEFT_MAIL, async (left) => {
    await deps.mailer.send(buildUnfinishedPayments(left, deps.origin))
  })
  await queue.work(PAYMENT_INQUIRY, () => retryUnansweredPayments(deps))
  await queue.schedule(PAYMENT_INQUIRY, PAYMENT_INQUIRY_CRON, {})
  await queue.work(HOLD_SWEEP, () => sweepHolds(deps))
  await queue.schedule(HOLD_SWEEP, HOLD_SWEEP_CRON, {})
  // Run at once, to release holds that expired while no worker ran.
  await queue.send(HOLD_SWEEP, {})
}
