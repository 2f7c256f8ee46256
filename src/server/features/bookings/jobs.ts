import {
  type AppointmentMailFacts,
  buildBookingConfirmation,
  buildCalendarClosedCancellation,
  buildCancellation,
  buildCancellationDenied,
  buildOwnerBookingNotice,
  buildOwnerCancellationNotice,
  buildOwnerCancellationRequest,
  buildOwnerConfirmedNotice,
  buildOwnerRestoredNotice,
  buildRestoredConfirmation,
  type MailOrigin,
} from '#server/features/mail/appointment-mail.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { AppointmentStatus } from '#server/platform/db/schema.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import type { Log } from '#server/platform/log.ts'
import type { Mailer, OutgoingMail } from '#server/ports/mailer.ts'
import { toMailFacts } from './mail-facts.ts'
import { type AppointmentDetails, findAppointmentDetails } from './repository.ts'

/**
 * Which state of an appointment a message is about. It travels with the job: by the time of sending the row may be
 * further on, and each try has to be the same message.
 */
export type MailRevision = {
  readonly sequence: number
  /** When it came to be so; an RFC 3339 instant. */
  readonly changedAt: string
}

/** One message about one appointment. Read when it is sent, unless the rows will be gone by then. */
export type AppointmentMailJob =
  | {
      readonly kind: AppointmentMailKind
      readonly appointmentId: string
      /** Absent for a booking: its first revision. */
      readonly revision?: MailRevision
    }
  | { readonly kind: 'calendar_closed'; readonly facts: AppointmentMailFacts }

/** Tried for about a day with growing pauses: 30 s, 1 min, 2 min … 2 h. */
export const APPOINTMENT_MAIL: JobDefinition<AppointmentMailJob> = {
  name: 'appointment-mail',
  retryLimit: 18,
  retryDelaySeconds: 30,
  retryDelayMaxSeconds: 2 * 60 * 60,
  expireSeconds: 120,
  keepSeconds: 7 * 24 * 60 * 60,
}

export type AppointmentMailDeps = {
  readonly db: Db
  readonly now: Clock
  readonly mailer: Mailer
  readonly origin: MailOrigin
  readonly baseUrl: string
  readonly log: Pick<Log, 'warn' | 'info'>
}

type Details = NonNullable<AppointmentDetails>

type Message = {
  readonly build: (facts: AppointmentMailFacts, origin: MailOrigin) => Promise<OutgoingMail>
  readonly to: 'customer' | 'owner'
  /** What it says must still be so when it is sent: nobody is told of a cancelled appointment that it is booked. */
  readonly isTrue: (status: AppointmentStatus) => boolean
  /** The owner's own switch. */
  readonly wanted?: keyof Details & `notify_${string}`
}

const stands = (status: AppointmentStatus) => status !== 'cancelled'
const isCancelled = (status: AppointmentStatus) => status === 'cancelled'

const MESSAGES = {
  booking_confirmation: { build: buildBookingConfirmation, to: 'customer', isTrue: stands },
  restored: { build: buildRestoredConfirmation, to: 'customer', isTrue: stands },
  cancelled: { build: buildCancellation, to: 'customer', isTrue: isCancelled },
  cancellation_denied: {
    build: buildCancellationDenied,
    to: 'customer',
    isTrue: (status) => status === 'confirmed',
  },
  owner_booking_notice: {
    build: buildOwnerBookingNotice,
    to: 'owner',
    isTrue: stands,
    wanted: 'notify_bookings',
  },
  owner_confirmed: {
    build: buildOwnerConfirmedNotice,
    to: 'owner',
    isTrue: stands,
    wanted: 'notify_bookings',
  },
  owner_restored: { build: buildOwnerRestoredNotice, to: 'owner', isTrue: stands, wanted: 'notify_bookings' },
  owner_cancelled: {
    build: buildOwnerCancellationNotice,
    to: 'owner',
    isTrue: isCancelled,
    wanted: 'notify_cancellations',
  },
  owner_cancellation_request: {
    build: buildOwnerCancellationRequest,
    to: 'owner',
    isTrue: (status) => status === 'pending_cancellation',
    wanted: 'notify_cancellation_requests',
  },
} as const satisfies Record<string, Message>

export type AppointmentMailKind = keyof typeof MESSAGES

/** Sends one message; throws when it could not be handed over, so that the job is tried again. */
export async function sendAppointmentMail(deps: AppointmentMailDeps, job: AppointmentMailJob): Promise<void> {
  if ('facts' in job) {
    if (job.facts.customer.email === null) return
    await deps.mailer.send(await buildCalendarClosedCancellation(job.facts, deps.origin))
    return
  }
  const details = await findAppointmentDetails(deps.db, job.appointmentId)
  if (details === null) {
    deps.log.warn({ kind: job.kind }, 'no mail: the appointment is gone')
    return
  }
  const message: Message = MESSAGES[job.kind]
  const revision = job.revision ?? { sequence: 0, changedAt: details.created_at.toISOString() }
  if (!isDue(details, message, revision, deps.now())) {
    deps.log.info({ kind: job.kind }, 'no mail: it is not wanted any more')
    return
  }
  const facts = {
    ...toMailFacts(details, deps.baseUrl),
    sequence: revision.sequence,
    updatedAt: revision.changedAt,
  }
  await deps.mailer.send(await message.build(facts, deps.origin))
}

/** Whether a message still says something true to somebody who wants it and can be reached. */
function isDue(details: Details, message: Message, revision: MailRevision, nowMs: number): boolean {
  // A later revision has messages of its own.
  if (details.sequence !== revision.sequence || !message.isTrue(details.status)) return false
  if (message.to === 'owner') return message.wanted === undefined || details[message.wanted] === true
  return details.customer_email !== null && details.ends_at.getTime() > nowMs
}
