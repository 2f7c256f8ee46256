import { DAY_SECONDS } from '#core/shared/duration.ts'
import type { PlanMailFacts } from '#server/messages/emails/plan-mail.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import { MONEY_JOB_RETRIES, SCHEDULED_JOB_RETRIES } from '#server/platform/jobs/retry-policies.ts'

/** Job that loads the subscriptions of a customer from the provider. */
export const PLAN_SYNC_JOB: JobDefinition<{ readonly customerId: string }> = {
  name: 'plan-sync',
  ...MONEY_JOB_RETRIES,
  workersPerProcess: 2,
}

/** Job that ends a second subscription of an owner who already has one. */
export const SECOND_SUBSCRIPTION_END_JOB: JobDefinition<{
  readonly subscriptionId: string
  readonly refund: boolean
}> = {
  name: 'plan-second',
  ...MONEY_JOB_RETRIES,
  workersPerProcess: 1,
}

/** Job that sends a changed email address to the provider. */
export const BILLING_EMAIL_CHANGE_JOB: JobDefinition<{ readonly ownerId: string }> = {
  name: 'plan-email',
  ...MONEY_JOB_RETRIES,
  workersPerProcess: 1,
}

export type PlanMailJob = { readonly ownerId: string; readonly about: string; readonly facts: PlanMailFacts }

/** Job that sends an email about the plan to an owner. */
export const PLAN_MAIL_JOB: JobDefinition<PlanMailJob> = {
  name: 'plan-mail',
  ...MONEY_JOB_RETRIES,
  workersPerProcess: 1,
}

/** Job that ends expired plans and sends payment reminders. The next run makes up for a failed one. */
export const PLAN_SETTLEMENT_JOB: JobDefinition<Record<string, never>> = {
  name: 'plan-settlement',
  ...SCHEDULED_JOB_RETRIES,
  expireSeconds: 600,
}

/** Schedule of that job: every 5 minutes. It also runs when a worker starts. */
export const PLAN_SETTLEMENT_CRON = '*/5 * * * *'

/** Job that compares all plans with the provider. The next night's run makes up for a failed one. */
export const PLAN_COMPARISON_JOB: JobDefinition<Record<string, never>> = {
  name: 'plan-comparison',
  retryLimit: 3,
  retryDelaySeconds: 10 * 60,
  retryDelayMaxSeconds: 60 * 60,
  expireSeconds: 3 * 60 * 60,
  keepSeconds: 2 * DAY_SECONDS,
  workersPerProcess: 1,
}

/** Schedule of that job: at 2:23 UTC, which is night in Europe. */
export const PLAN_COMPARISON_CRON = '23 2 * * *'
