import { isDatabaseError } from '#server/platform/db/pg-errors.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Log } from '#server/platform/log.ts'
import type { AppointmentKey } from './state-repository.ts'

/**
 * Writes the event of one appointment to the external calendar within seconds. It only hurries: the appointment itself says that
 * its event does not match, and the sweep finds it when this job has failed. Source: rules G9 and G11.
 */
export const APPOINTMENT_EVENT: JobDefinition<AppointmentKey> = {
  name: 'appointment-event',
  retryLimit: 2,
  retryDelaySeconds: 10,
  retryDelayMaxSeconds: 60,
  // Longer than a turn of its account takes at a slow server.
  expireSeconds: 300,
  keepSeconds: 60 * 60,
}

/**
 * Queues the write in the transaction that changes the appointment, when the statement that changed it says that it is needed.
 * What cannot be queued is written by the sweep, so nothing is refused for it.
 */
export async function queueEventWrite(
  { jobs, log }: { readonly jobs: Pick<JobQueue, 'insert'>; readonly log: Pick<Log, 'error'> },
  trx: Trx,
  { calendarId, id, isNeeded }: AppointmentKey & { readonly isNeeded: boolean },
): Promise<void> {
  if (!isNeeded) return
  try {
    await jobs.insert(trx, APPOINTMENT_EVENT, [{ calendarId, id }])
  } catch (error) {
    if (isDatabaseError(error)) throw error
    log.error({ err: error }, 'the write of an event could not be queued')
  }
}
