import type { UnfinishedPayments } from '#server/messages/emails/unfinished-payments-mail.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import { MONEY_JOB_RETRIES, SCHEDULED_JOB_RETRIES } from '#server/platform/jobs/retry-policies.ts'
import type { PaymentProviderEvent, PaymentProviderName } from '#server/ports/payment-provider.ts'
import type { PaymentRefundJob } from '#server/records/ledger/refund-job.ts'

/**
 * Job that closes expired holds. Runs every minute, and when a worker starts. It is not retried, because the next run
 * does the same work.
 */
export const HOLD_SWEEP_JOB: JobDefinition<Record<string, never>> = {
  name: 'hold-sweep',
  ...SCHEDULED_JOB_RETRIES,
  // In seconds; the longest run takes 1050 s.
  expireSeconds: 1_200,
}

export const HOLD_SWEEP_CRON = '* * * * *'

/**
 * Job that asks providers again about unanswered payments. Runs every minute. It is not retried, because the next run
 * does the same work.
 */
export const PAYMENT_RECHECK_JOB: JobDefinition<Record<string, never>> = {
  name: 'payment-inquiry',
  ...SCHEDULED_JOB_RETRIES,
  // In seconds; the longest run takes 525 s.
  expireSeconds: 600,
}

export const PAYMENT_RECHECK_CRON = '* * * * *'

export type PaymentEventJob = {
  readonly provider: PaymentProviderName
  readonly about: Exclude<PaymentProviderEvent['about'], { kind: 'nothing' }>
}

/** Job that handles a provider event by asking the provider for the state of the payment. */
export const PAYMENT_EVENT_JOB: JobDefinition<PaymentEventJob> = {
  name: 'payment-event',
  ...MONEY_JOB_RETRIES,
}

export type PaymentMailJob = PaymentRefundJob & {
  /**
   * `returned` tells the customer about a refund. The others go to the owner: the payment differs from the agreed
   * amount or account (`mismatch`), a full or partial refund failed, or the provider never responded.
   */
  readonly about: 'returned' | 'mismatch' | 'refund_failed' | 'part_failed' | 'unanswered'
}

/**
 * Job that sends an email about a payment. It is separate from the appointment's own messages, because the appointment
 * may be an expired hold. Source: rule P11.
 */
export const PAYMENT_MAIL_JOB: JobDefinition<PaymentMailJob> = {
  name: 'payment-mail',
  ...MONEY_JOB_RETRIES,
  workersPerProcess: 1,
}

/** Job that tells the owner of a deleted calendar about payments and refunds that were still pending. */
export const UNFINISHED_PAYMENTS_MAIL_JOB: JobDefinition<UnfinishedPayments> = {
  name: 'money-left-mail',
  ...MONEY_JOB_RETRIES,
  workersPerProcess: 1,
}
