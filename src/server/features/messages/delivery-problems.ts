import type { MessageKind } from '#contract/messages.ts'
import { buildDeliveryProblem } from '#server/features/mail/appointment-mail.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import { listToldProblems, takeUntoldCalendars } from './delivery-repository.ts'
import type { AppointmentMailDeps } from './jobs.ts'

/** Every hour: looks for messages that were given up. */
export const DELIVERY_PROBLEMS: JobDefinition<Record<string, never>> = {
  name: 'delivery-problems',
  retryLimit: 0,
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 1,
  expireSeconds: 300,
  keepSeconds: 24 * 60 * 60,
}

export const DELIVERY_PROBLEMS_CRON = '41 * * * *'

type DeliveryMailJob = { readonly calendarId: string; readonly toldAt: string }

/** Tells one owner about one calendar; tried for about a day. */
export const DELIVERY_MAIL: JobDefinition<DeliveryMailJob> = {
  name: 'delivery-problem-mail',
  retryLimit: 24,
  retryDelaySeconds: 30,
  retryDelayMaxSeconds: 2 * 60 * 60,
  expireSeconds: 120,
  keepSeconds: 7 * 24 * 60 * 60,
}

/** Queues a mail to the owner of each calendar with messages that were given up; at most one a day and calendar. */
export async function queueDeliveryMails(deps: {
  readonly db: Db
  readonly now: Clock
  readonly jobs: Pick<JobQueue, 'insert'>
}): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const toldAt = new Date(deps.now())
    const calendars = await takeUntoldCalendars(trx, toldAt)
    const jobs = calendars.map((calendarId) => ({ calendarId, toldAt: toldAt.toISOString() }))
    await deps.jobs.insert(trx, DELIVERY_MAIL, jobs)
  })
}

const NAMES: Record<MessageKind, string> = {
  booking_confirmation: 'Booking confirmation',
  reminder: 'Reminder',
  restored: 'Restored',
  cancelled: 'Cancellation',
  cancellation_denied: 'Cancellation denied',
  owner_booking_notice: 'New booking (to you)',
  owner_confirmed: 'Confirmed (to you)',
  owner_restored: 'Restored (to you)',
  owner_cancelled: 'Cancelled (to you)',
  owner_cancellation_request: 'Cancellation requested (to you)',
}

export async function sendDeliveryMail(
  deps: Pick<AppointmentMailDeps, 'db' | 'mailer' | 'origin' | 'baseUrl'>,
  { calendarId, toldAt }: DeliveryMailJob,
): Promise<void> {
  const rows = await listToldProblems(deps.db, calendarId, new Date(toldAt))
  const [first] = rows
  // The owner has had all of them sent again meanwhile, or the calendar is gone.
  if (first === undefined) return
  const mail = buildDeliveryProblem(
    {
      deliveryId: `${calendarId}.${toldAt.replace(/\D/g, '')}`,
      owner: { name: first.full_name, email: first.email },
      calendar: { name: first.name, color: first.color, timeZone: first.timezone },
      problems: rows.map((row) => ({
        what: NAMES[row.kind],
        bookingReference: row.booking_reference,
        customerName: row.customer_name,
        startsAt: row.starts_at.toISOString(),
        endsAt: row.ends_at.toISOString(),
        reason: row.last_error ?? '',
      })),
      ownerUrl: `${deps.baseUrl}/calendar/${calendarId}/settings?tab=appointments`,
    },
    deps.origin,
  )
  await deps.mailer.send(mail)
}
