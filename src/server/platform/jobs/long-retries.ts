import { KEPT_DAYS } from '#contract/retention.ts'
import { DAY_SECONDS } from '#core/shared/duration.ts'

/**
 * How often a job about money is tried: for more than eight days, so that it outlasts an outage of a payment provider. A failed one
 * is kept as long as any job.
 */
export const LONG_RETRIES = {
  retryLimit: 120,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 2 * 60 * 60,
  expireSeconds: 120,
  keepSeconds: KEPT_DAYS.endedJob * DAY_SECONDS,
} as const
