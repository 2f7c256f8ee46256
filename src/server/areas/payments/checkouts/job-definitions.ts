import type { UnfinishedPayments } from '#server/messages/emails/unfinished-payments-mail.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import { LONG_RETRIES } from '#server/platform/jobs/long-retries.ts'
import type { ProviderEvent, ProviderName } from '#server/ports/payment-provider.ts'
import type { PaymentRefundJob } from '#server/records/ledger/refund-job.ts'

/** Every minute, and when a worker starts. The next round makes up for a failed one. */
export const HOLD_SWEEP: JobDefinition<Record<string, never>> = {
  name: 'hold-sweep',
  retryLimit: 0,
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 1,
  // Its longest round takes 1050 s.
  expireSeconds: 1_200,
  keepSeconds: 60 * 60,
  workersPerProcess: 1,
}

export const HOLD_SWEEP_CRON = '* * * * *'

/** Every minute. The next round makes up for a failed one. */
export const PAYMENT_INQUIRY: JobDefinition<Record<string, never>> = {
  name: 'payment-inquiry',
  retryLimit: 0,
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 1,
  // Its longest round takes 525 s.
  expireSeconds: 600,
  keepSeconds: 60 * 60,
  workersPerProcess: 1,
}

export const PAYMENT_INQUIRY_CRON = '* * * * *'

export type PaymentEventJob = {
  readonly provider: ProviderName
  readonly about: Exclude<ProviderEvent['about'], { kind: 'nothing' }>
}

/** Something happened at a provider: the job asks how the payment stands. */
export const PAYMENT_EVENT: JobDefinition<PaymentEventJob> = { name: 'payment-event', ...LONG_RETRIES }

export type PaymentMailJob = PaymentRefundJob & {
  /**
   * To the customer: the money goes back. To the owner: the payment is not what was agreed, could not be returned, all of it or in part, or
   * the provider never answered.
   */
  readonly about: 'returned' | 'mismatch' | 'refund_failed' | 'part_failed' | 'unanswered'
}

/**
 * A message about a payment, beside the appointment's own messages: its row may be an ended hold's. Source: rule P11.
 */
export const PAYMENT_MAIL: JobDefinition<PaymentMailJob> = {
  name: 'payment-mail',
  ...LONG_RETRIES,
  workersPerProcess: 1,
}

/** Tells the owner of a calendar that is gone about money for it that was still on its way. */
export const MONEY_LEFT_MAIL: JobDefinition<UnfinishedPayments> = {
  name: 'money-left-mail',
  ...LONG_RETRIES,
  workersPerProcess: 1,
}
