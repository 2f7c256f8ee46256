import { randomUUID } from 'node:crypto'
import type { AppointmentMailContent } from '#server/features/mail/appointment-mail.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Query } from '#server/platform/db/prepared-statement.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import { APPOINTMENT_MAIL } from './message-job.ts'
import { compileInsertMessages, type NewMessage } from './repository.ts'
import type { Sender } from './sender-repository.ts'

export { toEmailCode } from './email-code.ts'
export { type RecipientsDeps, recordEmailAnswer } from './recipients.ts'
export type { NewMessage } from './repository.ts'
export { findSender, type Sender } from './sender-repository.ts'
export { type MailBudgetsDeps, takeMailBudgets } from './take-mail-budgets.ts'

/**
 * The queries that write messages into the ledger and queue them, for the transaction that causes them. The job of a
 * message that was there already finds none of its name, and does nothing.
 */
export async function compileMessages(
  { jobs }: { readonly jobs: Pick<JobQueue, 'compileInsert'> },
  db: Db,
  messages: readonly NewMessage[],
): Promise<readonly Query<unknown>[]> {
  if (messages.length === 0) return []
  const named = messages.map((message) => ({ ...message, id: randomUUID() }))
  const payloads = named.map(({ calendarId, id }) => ({ calendarId, messageId: id, repeat: 0 }))
  return [compileInsertMessages(db, named), await jobs.compileInsert(APPOINTMENT_MAIL, payloads)]
}

/**
 * Tells customers that their calendar was closed. The jobs have everything that the mails say, because the rows will be
 * gone.
 */
export async function queueClosedCalendarMails(
  { jobs }: { readonly jobs: Pick<JobQueue, 'insert'> },
  trx: Trx,
  closed: {
    readonly appointments: readonly AppointmentMailContent[]
    readonly closedAt: Date
    readonly calendarId: string
    readonly sender: Sender
  },
): Promise<void> {
  const { appointments, closedAt, calendarId, sender } = closed
  await jobs.insert(
    trx,
    APPOINTMENT_MAIL,
    appointments.map((facts) => ({
      kind: 'calendar_closed' as const,
      facts,
      closedAt: closedAt.toISOString(),
      counted: { calendarId, sender },
    })),
  )
}
