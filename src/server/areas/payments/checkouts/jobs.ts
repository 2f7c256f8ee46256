import { buildUnfinishedPayments } from '#server/messages/emails/unfinished-payments-mail.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import { PAYMENT_REFUND_JOB } from '#server/records/ledger/refund-job.ts'
import { releaseExpiredHolds } from './end-checkouts.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'
import {
  HOLD_SWEEP_CRON,
  HOLD_SWEEP_JOB,
  PAYMENT_EVENT_JOB,
  PAYMENT_MAIL_JOB,
  PAYMENT_RECHECK_CRON,
  PAYMENT_RECHECK_JOB,
  UNFINISHED_PAYMENTS_MAIL_JOB,
} from './job-definitions.ts'
import { applyProviderEvent } from './receive-event.ts'
import { recheckPaymentsWithoutResponse } from './recheck-payments.ts'
import { runRefundJob } from './refund-payment.ts'
import { type PaymentMailDeps, sendPaymentMail } from './send-payment-mail.ts'

export const CHECKOUT_JOBS: readonly JobDefinition<object>[] = [
  HOLD_SWEEP_JOB,
  PAYMENT_EVENT_JOB,
  PAYMENT_REFUND_JOB,
  PAYMENT_MAIL_JOB,
  PAYMENT_RECHECK_JOB,
  UNFINISHED_PAYMENTS_MAIL_JOB,
]

/** Starts the workers of the payment jobs. */
export async function registerCheckoutJobs(
  queue: JobQueue,
  deps: CheckoutsDeps & PaymentMailDeps,
): Promise<void> {
  await queue.work(PAYMENT_EVENT_JOB, (job) => applyProviderEvent(deps, job))
  await queue.work(PAYMENT_REFUND_JOB, (job) => runRefundJob(deps, job))
  await queue.work(PAYMENT_MAIL_JOB, (job) => sendPaymentMail(deps, job))
  await queue.work(UNFINISHED_PAYMENTS_MAIL_JOB, async (left) => {
    await deps.mailer.send(buildUnfinishedPayments(left, deps.origin))
  })
  await queue.work(PAYMENT_RECHECK_JOB, () => recheckPaymentsWithoutResponse(deps))
  await queue.schedule(PAYMENT_RECHECK_JOB, PAYMENT_RECHECK_CRON, {})
  await queue.work(HOLD_SWEEP_JOB, () => releaseExpiredHolds(deps))
  await queue.schedule(HOLD_SWEEP_JOB, HOLD_SWEEP_CRON, {})
  // Run at once, to release holds that expired while no worker ran.
  await queue.send(HOLD_SWEEP_JOB, {})
}
