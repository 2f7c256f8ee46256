import { HOUR_SECONDS } from '#core/shared/duration.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import { SCHEDULED_JOB_RETRIES } from '#server/platform/jobs/retry-policies.ts'

/** Daily job that books further dates of standing appointments. Source: rule B44. */
export const STANDING_SERIES_JOB: JobDefinition<Record<string, never>> = {
  name: 'standing-series',
  ...SCHEDULED_JOB_RETRIES,
  expireSeconds: HOUR_SECONDS,
}

export const STANDING_SERIES_CRON = '37 4 * * *'
