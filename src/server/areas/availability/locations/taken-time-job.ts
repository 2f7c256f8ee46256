import { setImmediate } from 'node:timers/promises'
import { DAY_SECONDS } from '#core/shared/duration.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import { lockAndUpdateConstraint, toFirstBatch, updateLocationConstraint } from './taken-time-repository.ts'
import type { LocationFuture } from './usage-repository.ts'

type TakenTimeJob = { readonly locationId: string }

/**
 * Tried for some hours. Until it is done, the check under the locks keeps bookings apart; afterwards the constraint
 * does, too.
 */
export const LOCATION_CONSTRAINT: JobDefinition<TakenTimeJob> = {
  name: 'taken-time',
  retryLimit: 20,
  retryDelaySeconds: 2,
  retryDelayMaxSeconds: 60 * 60,
  expireSeconds: 600,
  keepSeconds: DAY_SECONDS,
  workersPerProcess: 1,
}

/**
 * After a location began or ceased to take time: adjusts the next appointments there at once and queues the rest,
 * however many there are. The calendars and the location are locked. Source: rule L8.
 */
export async function updateConstraintAtLocation(
  { jobs }: { readonly jobs: Pick<JobQueue, 'insert'> },
  trx: Trx,
  place: LocationFuture,
): Promise<void> {
  const rest = await updateLocationConstraint(trx, toFirstBatch(place))
  if (rest !== null) await jobs.insert(trx, LOCATION_CONSTRAINT, [{ locationId: place.locationId }])
}

/**
 * Adjusts all future appointments at a location to its present state. Each stretch is a transaction of its own, so that
 * bookings come in between. A repetition leaves finished ones as they are.
 */
export async function updateWholeConstraint(
  { db, now }: { readonly db: Db; readonly now: Clock },
  { locationId }: TakenTimeJob,
): Promise<void> {
  let stretch = toFirstBatch({ locationId, now: new Date(now()) })
  for (;;) {
    const after = await inTransaction(db, (trx) => lockAndUpdateConstraint(trx, stretch))
    if (after === null) return
    stretch = { ...stretch, after }
    await setImmediate()
  }
}
