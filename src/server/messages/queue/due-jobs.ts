import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import { SCHEDULED_JOB_RETRIES } from '#server/platform/jobs/retry-policies.ts'
import { insertDueReminders, queueMessagesAfterWait } from './due-repository.ts'
import { APPOINTMENT_MAIL_JOB, type LedgerMessageJob } from './message-job.ts'

/** Job that queues due reminders. Runs every minute, and when a worker starts. */
export const REMINDERS_JOB: JobDefinition<Record<string, never>> = {
  name: 'reminders',
  ...SCHEDULED_JOB_RETRIES,
  expireSeconds: 300,
}

export const REMINDERS_CRON = '* * * * *'

/** Job that queues messages whose wait is over. Runs every minute. */
export const WAITING_MESSAGES_JOB: JobDefinition<Record<string, never>> = {
  name: 'waiting-messages',
  ...SCHEDULED_JOB_RETRIES,
  expireSeconds: 300,
}

export const WAITING_MESSAGES_CRON = '* * * * *'

/** Number of messages per transaction; a small number keeps transactions short. */
const BATCH = 200

type Deps = { readonly db: Db; readonly now: Clock; readonly jobs: Pick<JobQueue, 'insert'> }

/**
 * Queues the reminders that are due. Reminders are not scheduled ahead: each run decides by the stored data, so changed
 * reminder hours, cancellations and restores need no extra work. Source: rule M15.
 */
export function queueDueReminders(deps: Deps): Promise<void> {
  return queueInBatches(deps, (trx) => insertDueReminders(trx, new Date(deps.now()), BATCH))
}

/** Queues the messages whose wait is over. Email limits are checked again when each message is sent. */
export function queueWaitingMessages(deps: Deps): Promise<void> {
  const now = new Date(deps.now())
  return queueInBatches(deps, (trx) => queueMessagesAfterWait(trx, now, BATCH))
}

async function queueInBatches(
  { db, jobs }: Deps,
  claimBatch: (trx: Trx) => Promise<LedgerMessageJob[]>,
): Promise<void> {
  for (let queued = BATCH; queued === BATCH; ) {
    queued = await inTransaction(db, async (trx) => {
      const messages = await claimBatch(trx)
      // Run these jobs last: they are less urgent than the confirmation of a new booking.
      await jobs.insert(trx, APPOINTMENT_MAIL_JOB, messages, { isPatient: true })
      return messages.length
    })
  }
}
