import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import { sweepHolds } from './end-checkouts.ts'
import {
  HOLD_SWEEP,
  HOLD_SWEEP_CRON,
  PAYMENT_EVENT,
  PAYMENT_MAIL,
  PAYMENT_REFUND,
} from './job-definitions.ts'
import type { CheckoutsDeps } from './payee.ts'
import { type PaymentMailDeps, sendPaymentMail } from './payment-messages.ts'
import { actOnEvent } from './receive-event.ts'
import { returnPayment } from './refund.ts'

export const CHECKOUT_JOBS: readonly JobDefinition<object>[] = [
  HOLD_SWEEP,
  PAYMENT_EVENT,
  PAYMENT_REFUND,
  PAYMENT_MAIL,
]

/** Starts working on everything about payments. */
export async function workOnCheckouts(queue: JobQueue, deps: CheckoutsDeps & PaymentMailDeps): Promise<void> {
  await queue.work(PAYMENT_EVENT, (job) => actOnEvent(deps, job))
  await queue.work(PAYMENT_REFUND, (job) => returnPayment(deps, job))
  await queue.work(PAYMENT_MAIL, (job) => sendPaymentMail(deps, job))
  await queue.work(HOLD_SWEEP, () => sweepHolds(deps))
  await queue.schedule(HOLD_SWEEP, HOLD_SWEEP_CRON, {})
  // Holds that ended while nobody worked need not wait for the minute.
  await queue.send(HOLD_SWEEP, {})
}
