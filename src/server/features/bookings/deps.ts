import type { PlanSettings } from '#server/features/subscription/use-cases.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Log } from '#server/platform/log.ts'

export type BookingsDeps = PlanSettings & {
  readonly db: Db
  readonly now: Clock
  readonly jobs: Pick<JobQueue, 'insert'>
  readonly log: Pick<Log, 'error'>
  /** The product's own address, without a trailing slash. */
  readonly baseUrl: string
}

/** A time that is about to be taken. */
export type TimeToCheck = {
  readonly calendar: { readonly slug: string } | { readonly id: string }
  readonly startsAtMs: number
}

export type ExternalCheckDeps = {
  /**
   * Brings the copy of the external calendars up to date around a time, where it is not fresh. A provider may be asked, so it comes
   * before the transaction. It never throws: what could not be checked is decided inside. Source: rule G7.
   */
  readonly checkExternalCalendars: (time: TimeToCheck) => Promise<void>
}
