import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'

/**
 * Job that processes the remaining appointments of one change. It is retried until none remain; appointments that are
 * done are not processed again. Source: rule A22.
 */
export const MANY_CHANGE_JOB: JobDefinition<{ readonly calendarId: string; readonly changeId: string }> = {
  name: 'many-change',
  retryLimit: 120,
  retryDelaySeconds: 2,
  retryDelayMaxSeconds: 10 * 60,
  expireSeconds: 600,
  keepSeconds: 24 * 60 * 60,
  workersPerProcess: 1,
}
