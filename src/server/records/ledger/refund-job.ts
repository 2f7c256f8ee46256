import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import { MONEY_JOB_RETRIES } from '#server/platform/jobs/retry-policies.ts'

export type PaymentRefundJob = { readonly calendarId: string; readonly paymentId: string }

/** Job that refunds a late or duplicate payment, or the part that a cancellation refunds. */
export const PAYMENT_REFUND_JOB: JobDefinition<PaymentRefundJob> = {
  name: 'payment-refund',
  ...MONEY_JOB_RETRIES,
}
