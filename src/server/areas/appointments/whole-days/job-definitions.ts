import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'

/**
 * Works on what is left of one change. It is tried again until nothing is left: what was done already is not done again.
 * Source: rule A22.
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
