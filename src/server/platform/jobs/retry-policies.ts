import { KEPT_DAYS } from '#contract/shared/retention.ts'
import { DAY_SECONDS } from '#core/shared/duration.ts'

/**
 * Retry policy for jobs about money: more than eight days, to survive an outage of a payment provider. Failed jobs are
 * kept for the maximum time.
 */
export const LONG_RETRIES = {
  retryLimit: 120,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 2 * 60 * 60,
  expireSeconds: 120,
  keepSeconds: KEPT_DAYS.endedJob * DAY_SECONDS,
} as const
