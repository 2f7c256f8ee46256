import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Log } from '#server/platform/log.ts'

export type BookingsDeps = {
  readonly db: Db
  readonly now: Clock
  readonly jobs: Pick<JobQueue, 'insert'>
  readonly log: Pick<Log, 'error'>
  /** The product's own address, without a trailing slash. */
  readonly baseUrl: string
}
