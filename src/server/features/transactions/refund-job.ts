import { KEPT_DAYS } from '#contract/retention.ts'
import { DAY_SECONDS } from '#core/shared/duration.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'

/** More than eight days, longer than a refund waits for its provider: as with the mails of appointments. */
export const PATIENT = {
  retryLimit: 120,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 2 * 60 * 60,
  expireSeconds: 120,
  keepSeconds: KEPT_DAYS.endedJob * DAY_SECONDS,
} as const

export type PaymentRefundJob = { readonly calendarId: string; readonly paymentId: string }

/** Returns a payment that came too late or twice, or the part of one that a cancellation gives back. */
export const PAYMENT_REFUND: JobDefinition<PaymentRefundJob> = { name: 'payment-refund', ...PATIENT }
