import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import { LONG_RETRIES } from '#server/platform/jobs/long-retries.ts'

export type PaymentRefundJob = { readonly calendarId: string; readonly paymentId: string }

/** Returns a payment that came too late or twice, or the part of one that a cancellation gives back. */
export const PAYMENT_REFUND: JobDefinition<PaymentRefundJob> = { name: 'payment-refund', ...LONG_RETRIES }
