import { randomUUID } from 'node:crypto'
import type { AppointmentMailContent } from '#server/messages/emails/appointment-facts.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { CustomerKey } from '#server/records/appointments/customer-record-repository.ts'
import { dropMessagesToEarlierAddress, queueWaitingMessagesToCustomer } from './customer-repository.ts'
import {
  moveMessagesToRevision,
  type RevisionChange,
  releaseHeldMessages,
} from './held-message-repository.ts'
import { APPOINTMENT_MAIL_JOB } from './message-job.ts'
import { dropEarlierMessages, insertMessages, type NewMessage } from './repository.ts'
import type { SendingOwner } from './sender-repository.ts'

/**
 * Queues messages and inserts them into the ledger, in the caller's transaction. If the ledger already has a message,
 * no row is inserted; the job then finds no row with its id and does nothing.
 */
export async function queueMessages(
  { jobs }: { readonly jobs: Pick<JobQueue, 'insert'> },
  trx: Trx,
  messages: readonly NewMessage[],
  { afterSeconds = 0 }: { readonly afterSeconds?: number } = {},
): Promise<void> {
  const named = messages.map((message) => ({ ...message, id: randomUUID() }))
  const payloads = named.map(({ calendarId, id }) => ({ calendarId, messageId: id, repeat: 0 }))
  // Queue the jobs first, so that a missing queue fails before anything is written.
  await jobs.insert(trx, APPOINTMENT_MAIL_JOB, payloads, { afterSeconds })
  await insertMessages(trx, named)
}

/**
 * Queues a message that replaces unsent messages of the same kind about the appointment, because only the latest is
 * true. Source: rule A23.
 */
export async function queueLatestMessage(
  deps: { readonly jobs: Pick<JobQueue, 'insert'> },
  trx: Trx,
  message: NewMessage,
): Promise<void> {
  await dropEarlierMessages(trx, message)
  await queueMessages(deps, trx, [message])
}

/**
 * Revives the messages that were unsent before a move, because the move was undone and they are true again. Source:
 * rule A18.
 */
export async function queueMessagesAfterUndoneMove(
  { jobs }: { readonly jobs: Pick<JobQueue, 'insert'> },
  trx: Trx,
  key: { readonly calendarId: string; readonly appointmentId: string },
  revision: RevisionChange,
): Promise<void> {
  const revived = await moveMessagesToRevision(trx, key, revision)
  if (revived.length > 0) await jobs.insert(trx, APPOINTMENT_MAIL_JOB, revived)
}

/**
 * Queues the messages that were unsent before a move that is not announced to the customer. A message takes the time
 * from the appointment when it is sent, so it contains the new time. Source: rule A18.
 */
export async function queueMessagesAfterSilentMove(
  deps: { readonly jobs: Pick<JobQueue, 'insert'> },
  trx: Trx,
  key: { readonly calendarId: string; readonly appointmentId: string },
  revision: RevisionChange,
): Promise<void> {
  const released = await releaseHeldMessages(trx, key, revision.from)
  if (released.length > 0) await deps.jobs.insert(trx, APPOINTMENT_MAIL_JOB, released)
  await queueMessagesAfterUndoneMove(deps, trx, key, revision)
}

/**
 * Sends unsent messages to a customer's corrected address. A message takes the address from the customer's record when
 * it is sent, so only messages that waited because of the earlier address have to be queued again. Source: rule D13.
 */
export async function queueMessagesToCorrectedAddress(
  { jobs }: { readonly jobs: Pick<JobQueue, 'insert'> },
  trx: Trx,
  key: CustomerKey,
  now: Date,
): Promise<void> {
  await dropMessagesToEarlierAddress(trx, key, now)
  const taken = await queueWaitingMessagesToCustomer(trx, key, now)
  if (taken.length > 0) await jobs.insert(trx, APPOINTMENT_MAIL_JOB, taken)
}

/**
 * Queues emails to customers whose calendar is being deleted. The jobs contain everything that the emails say, because
 * the rows will be deleted.
 */
export async function queueClosedCalendarMails(
  { jobs }: { readonly jobs: Pick<JobQueue, 'insert'> },
  trx: Trx,
  closed: {
    readonly appointments: readonly AppointmentMailContent[]
    readonly closedAt: Date
    readonly calendarId: string
    readonly sender: SendingOwner
  },
): Promise<void> {
  const { appointments, closedAt, calendarId, sender } = closed
  await jobs.insert(
    trx,
    APPOINTMENT_MAIL_JOB,
    appointments.map((facts) => ({
      kind: 'calendar_closed' as const,
      facts,
      closedAt: closedAt.toISOString(),
      counted: { calendarId, sender },
    })),
  )
}
