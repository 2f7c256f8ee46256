import { isDatabaseError } from '#server/platform/db/pg-errors.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Log } from '#server/platform/log.ts'
import { requestSessionEventWrite, type SessionKey } from './outbox-repository.ts'
import type { AppointmentKey } from './state-repository.ts'

/**
 * Writes the event of one appointment to the external calendar within seconds. The job only speeds this up: the
 * appointment row records that its event is out of date, so the periodic sweep writes the event if this job fails.
 * Source: rules G9 and G11.
 */
export const APPOINTMENT_EVENT_JOB: JobDefinition<AppointmentKey> = {
  name: 'appointment-event',
  retryLimit: 2,
  retryDelaySeconds: 10,
  retryDelayMaxSeconds: 60,
  // Longer than a slow server needs to write all pending events of one account, in seconds.
  expireSeconds: 300,
  keepSeconds: 60 * 60,
}

type EventWriteDeps = {
  readonly jobs: Pick<JobQueue, 'insert'>
  readonly log: Pick<Log, 'error'>
}

/**
 * Queues a calendar-event write in the caller's transaction if `isNeeded`. If queueing fails, the periodic sweep writes
 * the event later; the caller is not interrupted.
 */
export async function queueEventWrite(
  { jobs, log }: EventWriteDeps,
  trx: Trx,
  { calendarId, id, isNeeded }: AppointmentKey & { readonly isNeeded: boolean },
): Promise<void> {
  if (!isNeeded) return
  try {
    await jobs.insert(trx, APPOINTMENT_EVENT_JOB, [{ calendarId, id }])
  } catch (error) {
    if (isDatabaseError(error)) throw error
    log.error({ err: error }, 'the write of an event could not be queued')
  }
}

/** Marks and queues the event of a session, because the people in it have changed. Source: rule G34. */
export async function queueSessionEventWrite(
  deps: EventWriteDeps,
  trx: Trx,
  session: SessionKey,
): Promise<void> {
  const id = await requestSessionEventWrite(trx, session)
  if (id !== null) await queueEventWrite(deps, trx, { calendarId: session.calendarId, id, isNeeded: true })
}
