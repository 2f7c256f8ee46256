import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import { APPOINTMENT_MAIL } from './message-job.ts'
import { claimWaitedMessages } from './waiting-repository.ts'

/** Runs every minute. The next run makes up for a failed one. */
export const WAITING_MESSAGES: JobDefinition<Record<string, never>> = {
  name: 'waiting-messages',
  retryLimit: 0,
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 1,
  expireSeconds: 300,
  keepSeconds: 60 * 60,
  workersPerProcess: 1,
}

export const WAITING_MESSAGES_CRON = '* * * * *'

/** Messages per transaction, to keep transactions short. */
const BATCH = 200

/** Queues the messages whose wait is over. Budgets are checked again when each is sent. */
export async function queueWaitingMessages(deps: {
  readonly db: Db
  readonly now: Clock
  readonly jobs: Pick<JobQueue, 'insert'>
}): Promise<void> {
  const now = new Date(deps.now())
  for (let queued = BATCH; queued === BATCH; ) {
    queued = await inTransaction(deps.db, async (trx) => {
      const messages = await claimWaitedMessages(trx, now, BATCH)
      await deps.jobs.insert(trx, APPOINTMENT_MAIL, messages, { isPatient: true })
      return messages.length
    })
  }
}
