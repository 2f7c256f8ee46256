import {
  MESSAGE_KIND_LABELS,
  RECIPIENT_OF_MESSAGE_KIND,
  WAIT_REASON_SENTENCES,
} from '#contract/messages/messages.ts'
import { RETENTION_DAYS } from '#contract/shared/retention.ts'
import { DAY_SECONDS } from '#core/shared/duration.ts'
import type { AppointmentMailContent } from '#server/messages/emails/appointment-facts.ts'
import { buildUndeliveredMessages, type UndeliveredMessage } from '#server/messages/emails/delivery-mail.ts'
import { toMessageIdPart } from '#server/messages/emails/mail-origin.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import { OWNER_MAIL_RETRIES, SCHEDULED_JOB_RETRIES } from '#server/platform/jobs/retry-policies.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { listReportedProblems, markProblemsReported } from './delivery-repository.ts'
import type { AppointmentMailDeps } from './jobs.ts'

/** Hourly job that looks for messages that failed for good or are waiting. */
export const DELIVERY_PROBLEMS_JOB: JobDefinition<Record<string, never>> = {
  name: 'delivery-problems',
  ...SCHEDULED_JOB_RETRIES,
  expireSeconds: 300,
  keepSeconds: 24 * 60 * 60,
}

export const DELIVERY_PROBLEMS_CRON = '41 * * * *'

/** A report on a calendar's messages, or on one failed message of a deleted calendar. */
type DeliveryMailJob =
  | { readonly calendarId: string; readonly toldAt: string }
  | { readonly facts: AppointmentMailContent; readonly reason: string }

/** Job that notifies one owner; retried for about a day. */
export const DELIVERY_MAIL_JOB: JobDefinition<DeliveryMailJob> = {
  name: 'delivery-problem-mail',
  ...OWNER_MAIL_RETRIES,
  keepSeconds: RETENTION_DAYS.endedJob * DAY_SECONDS,
}

/**
 * Queues an email to the owner of each calendar with messages that failed for good or are waiting; at most one per day
 * and calendar. The email goes to the owner's own address and counts towards no email limit. Source: rule M8.
 */
export async function queueDeliveryMails(deps: {
  readonly db: Db
  readonly now: Clock
  readonly jobs: Pick<JobQueue, 'insert'>
}): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const toldAt = new Date(deps.now())
    const calendars = await markProblemsReported(trx, toldAt)
    const jobs = calendars.map((calendarId) => ({ calendarId, toldAt: toldAt.toISOString() }))
    await deps.jobs.insert(trx, DELIVERY_MAIL_JOB, jobs)
  })
}

export async function sendDeliveryMail(
  deps: Pick<AppointmentMailDeps, 'db' | 'mailer' | 'origin' | 'baseUrl'>,
  job: DeliveryMailJob,
): Promise<void> {
  const mail = 'facts' in job ? buildClosedCalendarProblem(deps, job) : await buildLedgerProblem(deps, job)
  if (mail !== null) await deps.mailer.send(mail)
}

/**
 * Builds the report on a calendar's messages. Returns null when every failed message has been requeued, or when the
 * calendar was deleted.
 */
async function buildLedgerProblem(
  deps: Pick<AppointmentMailDeps, 'db' | 'origin' | 'baseUrl'>,
  { calendarId, toldAt }: { readonly calendarId: string; readonly toldAt: string },
): Promise<OutgoingMail | null> {
  const rows = await listReportedProblems(deps.db, calendarId, new Date(toldAt))
  const [first] = rows
  if (first === undefined) return null
  return buildUndeliveredMessages(
    {
      deliveryId: `${calendarId}.${toMessageIdPart(toldAt)}`,
      owner: { name: first.full_name, email: first.email },
      calendar: {
        name: first.name,
        color: first.color,
        timeZone: first.timezone,
        hourCycle: first.hour_cycle,
      },
      problems: rows.filter(({ state }) => state === 'given_up').map(toProblem),
      waiting: rows.filter(({ state }) => state === 'waiting').map(toProblem),
      ownerUrl: `${deps.baseUrl}/calendar/${calendarId}/settings?tab=appointments`,
    },
    deps.origin,
  )
}

function toProblem(row: Awaited<ReturnType<typeof listReportedProblems>>[number]): UndeliveredMessage {
  return {
    what:
      RECIPIENT_OF_MESSAGE_KIND[row.kind] === 'owner'
        ? `${MESSAGE_KIND_LABELS[row.kind]} (to you)`
        : MESSAGE_KIND_LABELS[row.kind],
    bookingReference: row.booking_reference,
    customerName: row.customer_name,
    startsAt: row.starts_at.toISOString(),
    endsAt: row.ends_at.toISOString(),
    reason:
      row.state === 'waiting' && row.waits_for !== null
        ? WAIT_REASON_SENTENCES[row.waits_for]
        : (row.last_error ?? ''),
  }
}

/**
 * Describes a failed message of a deleted calendar. It contains the customer's email address and phone number, because
 * the owner can no longer look them up.
 */
export function buildClosedCalendarProblem(
  { origin }: Pick<AppointmentMailDeps, 'origin'>,
  { facts, reason }: { readonly facts: AppointmentMailContent; readonly reason: string },
): OutgoingMail {
  const { bookingReference, startsAt, endsAt, timeZone } = facts
  const { name, email, phone } = facts.customer
  const calendar = { ...facts.calendar, timeZone }
  const problem = {
    what: 'Cancellation',
    bookingReference,
    startsAt,
    endsAt,
    customerName: [name, email, phone].filter((part) => part !== null).join(', '),
    reason,
  }
  return buildUndeliveredMessages(
    {
      deliveryId: `${facts.appointmentId}.calendar-closed`,
      owner: facts.owner,
      calendar,
      problems: [problem],
      waiting: [],
      ownerUrl: null,
    },
    origin,
  )
}
