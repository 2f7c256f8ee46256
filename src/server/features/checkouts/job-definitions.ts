import { KEPT_DAYS } from '#contract/retention.ts'
import { DAY_SECONDS } from '#core/shared/duration.ts'
import type { MoneyLeft } from '#server/features/mail/money-left-mail.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import type { ProviderEvent, ProviderName } from '#server/ports/payment-provider.ts'

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

/** At least five days, longer than a refund waits for its provider: as with the mails of appointments. */
const PATIENT = {
  retryLimit: 120,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 2 * 60 * 60,
  expireSeconds: 120,
  keepSeconds: KEPT_DAYS.endedJob * DAY_SECONDS,
} as const

export type PaymentEventJob = {
  readonly provider: ProviderName
  readonly about: Exclude<ProviderEvent['about'], { kind: 'nothing' }>
}

/** Something happened at a provider: the job asks how the payment stands. */
export const PAYMENT_EVENT: JobDefinition<PaymentEventJob> = { name: 'payment-event', ...PATIENT }

export type PaymentRefundJob = { readonly calendarId: string; readonly paymentId: string }

/** Returns a payment that came too late or twice. */
export const PAYMENT_REFUND: JobDefinition<PaymentRefundJob> = { name: 'payment-refund', ...PATIENT }

export type PaymentMailJob = PaymentRefundJob & {
  /**
   * To the customer: the money goes back. To the owner: the payment is not what was agreed, could not be returned, or
   * the provider never answered.
   */
  readonly about: 'returned' | 'mismatch' | 'refund_failed' | 'unanswered'
}

/**
 * A message about a payment, beside the appointment's own messages: its row may be an ended hold's. Source: rule P11.
 */
export const PAYMENT_MAIL: JobDefinition<PaymentMailJob> = {
  name: 'payment-mail',
  ...PATIENT,
  workersPerProcess: 1,
}

/** Tells the owner of a calendar that is gone about money for it that was still on its way. */
export const MONEY_LEFT_MAIL: JobDefinition<MoneyLeft> = {
  name: 'money-left-mail',
  ...PATIENT,
  workersPerProcess: 1,
}
