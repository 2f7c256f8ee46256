import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import { APPOINTMENT_MAIL } from './message-job.ts'
import { insertDueReminders } from './reminder-repository.ts'

/** Runs every minute, and when a worker starts. The next run makes up for a failed one. */
export const REMINDERS: JobDefinition<Record<string, never>> = {
  name: 'reminders',
  retryLimit: 0,
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 1,
  expireSeconds: 300,
  keepSeconds: 60 * 60,
  workersPerProcess: 1,
}

export const REMINDERS_CRON = '* * * * *'

/** Reminders per transaction, to keep transactions short. */
const BATCH = 200

/**
 * Queues the reminders that are due. Nothing is scheduled ahead: the stored data decides every minute, so changed
 * hours, cancellations and restores need no extra work. Source: rule M15.
 */
export async function queueDueReminders(deps: {
  readonly db: Db
  readonly now: Clock
  readonly jobs: Pick<JobQueue, 'insert'>
}): Promise<void> {
  for (let queued = BATCH; queued === BATCH; ) {
    queued = await inTransaction(deps.db, async (trx) => {
      const messages = await insertDueReminders(trx, new Date(deps.now()), BATCH)
      // Reminders are less urgent than the confirmation of a new booking.
      await deps.jobs.insert(trx, APPOINTMENT_MAIL, messages, { isPatient: true })
      return messages.length
    })
  }
}
