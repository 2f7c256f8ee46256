import { HOUR_SECONDS } from '#core/shared/duration.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import { OWNER_MAIL_RETRIES, SCHEDULED_JOB_RETRIES } from '#server/platform/jobs/retry-policies.ts'

/** Daily job that checks the pages of all calendars. */
export const PAGE_CHECKS_JOB: JobDefinition<Record<string, never>> = {
  name: 'page-checks',
  ...SCHEDULED_JOB_RETRIES,
  expireSeconds: HOUR_SECONDS,
}

export const PAGE_CHECKS_CRON = '7 5 * * *'

/** An email about the problems of a page that were new at `foundAt`, an instant. */
export type PageProblemMailJob = { readonly calendarId: string; readonly foundAt: string }

/** Job that emails an owner about new problems of a page. */
export const PAGE_PROBLEM_MAIL_JOB: JobDefinition<PageProblemMailJob> = {
  name: 'page-problem-mail',
  ...OWNER_MAIL_RETRIES,
}

export const PAGE_PROBLEM_JOBS: readonly JobDefinition<object>[] = [PAGE_CHECKS_JOB, PAGE_PROBLEM_MAIL_JOB]
