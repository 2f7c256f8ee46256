import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'

export type WaitingListScan = { readonly calendarId: string }

/** Scans the waiting list of a calendar on which a time became free. */
export const WAITING_LIST_SCAN: JobDefinition<WaitingListScan> = {
  name: 'waiting-list-look',
  retryLimit: 5,
  retryDelaySeconds: 2,
  retryDelayMaxSeconds: 60,
  expireSeconds: 600,
  keepSeconds: 60 * 60,
  workersPerProcess: 1,
}
