import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import { deleteExpiredRecords, vacuumEmbeddedDatabase } from './repository.ts'

/** Job that deletes old data every hour. The next run makes up for a failed one. */
export const HOUSEKEEPING_JOB: JobDefinition<Record<string, never>> = {
  name: 'housekeeping',
  retryLimit: 2,
  retryDelaySeconds: 60,
  retryDelayMaxSeconds: 600,
  expireSeconds: 300,
  keepSeconds: 24 * 60 * 60,
  workersPerProcess: 1,
}

export const HOUSEKEEPING_CRON = '17 * * * *'

export async function runHousekeeping(deps: { readonly db: Db; readonly now: Clock }): Promise<void> {
  await deleteExpiredRecords(deps.db, deps.now())
  await vacuumEmbeddedDatabase(deps.db)
}
