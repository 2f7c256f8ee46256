import { setImmediate } from 'node:timers/promises'
import { DAY_SECONDS } from '#core/shared/duration.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import {
  lockAndUpdateLocationConstraint,
  toFirstAppointmentBatch,
  updateLocationConstraint,
} from './taken-time-repository.ts'
import type { LocationAtTime } from './usage-repository.ts'

type TakenTimeJob = { readonly locationId: string }

/**
 * Job that updates the exclusion constraint; it is retried for some hours. Until it is done, only the checks under the
 * locks prevent conflicts; afterwards the constraint prevents them too.
 */
export const LOCATION_CONSTRAINT_JOB: JobDefinition<TakenTimeJob> = {
  name: 'taken-time',
  retryLimit: 20,
  retryDelaySeconds: 2,
  retryDelayMaxSeconds: 60 * 60,
  expireSeconds: 600,
  keepSeconds: DAY_SECONDS,
  workersPerProcess: 1,
}

/**
 * After a location has become exclusive, or has stopped being exclusive, updates the exclusion constraint for the next
 * appointments at once, and queues the rest. The caller has locked the calendars and the location. Source: rule L8.
 */
export async function updateConstraintAtLocation(
  { jobs }: { readonly jobs: Pick<JobQueue, 'insert'> },
  trx: Trx,
  place: LocationAtTime,
): Promise<void> {
  const rest = await updateLocationConstraint(trx, toFirstAppointmentBatch(place))
  if (rest !== null) await jobs.insert(trx, LOCATION_CONSTRAINT_JOB, [{ locationId: place.locationId }])
}

/**
 * Updates the exclusion constraint for all upcoming appointments at a location. Each batch is a separate transaction,
 * so that bookings can run in between. Idempotent.
 */
export async function updateConstraintForAllAppointments(
  { db, now }: { readonly db: Db; readonly now: Clock },
  { locationId }: TakenTimeJob,
): Promise<void> {
  let stretch = toFirstAppointmentBatch({ locationId, now: new Date(now()) })
  for (;;) {
    const after = await inTransaction(db, (trx) => lockAndUpdateLocationConstraint(trx, stretch))
    if (after === null) return
    stretch = { ...stretch, after }
    await setImmediate()
  }
}
