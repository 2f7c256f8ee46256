import { RETENTION_DAYS } from '#contract/shared/retention.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '#core/shared/duration.ts'

/**
 * Retry policy for jobs about money: retries go on for more than eight days, to survive an outage of a payment
 * provider. Failed jobs are kept for the maximum time.
 */
export const MONEY_JOB_RETRIES = {
  retryLimit: 120,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 2 * HOUR_SECONDS,
  expireSeconds: 120,
  keepSeconds: RETENTION_DAYS.endedJob * DAY_SECONDS,
} as const

/**
 * Retry policy for jobs that run on a schedule: they are not retried, because the next run makes up for a failed one.
 */
export const SCHEDULED_JOB_RETRIES = {
  retryLimit: 0,
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 1,
  keepSeconds: HOUR_SECONDS,
  workersPerProcess: 1,
} as const

/** Retry policy for emails to owners: they are retried for about a day. */
export const OWNER_MAIL_RETRIES = {
  retryLimit: 24,
  retryDelaySeconds: 30,
  retryDelayMaxSeconds: 2 * HOUR_SECONDS,
  expireSeconds: 120,
  keepSeconds: HOUR_SECONDS,
  workersPerProcess: 1,
} as const
