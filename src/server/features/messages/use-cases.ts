import type { AppointmentMailFacts } from '#server/features/mail/appointment-mail.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import { APPOINTMENT_MAIL } from './message-job.ts'
import { insertMessages, type NewMessage } from './repository.ts'

export type { NewMessage } from './repository.ts'

type QueueDeps = { readonly jobs: Pick<JobQueue, 'insert'> }

/** Writes messages into the ledger and queues them, in the transaction that causes them. */
export async function queueMessages(
  { jobs }: QueueDeps,
  trx: Trx,
  messages: readonly NewMessage[],
): Promise<void> {
  const inserted = await insertMessages(trx, messages)
  await jobs.insert(
    trx,
    APPOINTMENT_MAIL,
    inserted.map(({ calendar_id, id }) => ({ calendarId: calendar_id, messageId: id, repeat: 0 })),
  )
}

/** Tells customers that their calendar was closed. With all facts in the jobs: the rows will be gone. */
export async function queueClosedCalendarMails(
  { jobs }: QueueDeps,
  trx: Trx,
  { appointments, closedAt }: { appointments: readonly AppointmentMailFacts[]; closedAt: Date },
): Promise<void> {
  await jobs.insert(
    trx,
    APPOINTMENT_MAIL,
    appointments.map((facts) => ({
      kind: 'calendar_closed' as const,
      facts,
      closedAt: closedAt.toISOString(),
    })),
  )
}
