import {
  type AppointmentMailFacts,
  buildBookingConfirmation,
  buildCalendarClosedCancellation,
  buildOwnerBookingNotice,
  buildOwnerCancellationRequest,
  type MailOrigin,
} from '#server/features/mail/appointment-mail.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import type { Log } from '#server/platform/log.ts'
import type { Mailer } from '#server/ports/mailer.ts'
import { toMailFacts } from './mail-facts.ts'
import { findAppointmentDetails } from './repository.ts'

/** One message about one appointment. Read when it is sent, unless the rows will be gone by then. */
export type AppointmentMailJob =
  | {
      kind: 'booking_confirmation' | 'owner_booking_notice' | 'owner_cancellation_request'
      appointmentId: string
    }
  | { kind: 'calendar_closed'; facts: AppointmentMailFacts }

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
  readonly mailer: Mailer
  readonly origin: MailOrigin
  readonly baseUrl: string
  readonly log: Log
}

const BUILDERS = {
  booking_confirmation: buildBookingConfirmation,
  owner_booking_notice: buildOwnerBookingNotice,
  owner_cancellation_request: buildOwnerCancellationRequest,
  calendar_closed: buildCalendarClosedCancellation,
} as const

/** Messages to the customer. Who phoned and gave no address gets none. */
const FOR_CUSTOMERS: ReadonlySet<AppointmentMailJob['kind']> = new Set([
  'booking_confirmation',
  'calendar_closed',
])

/** Sends one message; throws when it could not be handed over, so that the job is tried again. */
export async function sendAppointmentMail(deps: AppointmentMailDeps, job: AppointmentMailJob): Promise<void> {
  const facts = 'facts' in job ? job.facts : await findFacts(deps, job.appointmentId)
  if (facts === null) {
    deps.log.warn({ kind: job.kind }, 'no mail: the appointment is gone')
    return
  }
  if (FOR_CUSTOMERS.has(job.kind) && facts.customer.email === null) return
  await deps.mailer.send(await BUILDERS[job.kind](facts, deps.origin))
}

async function findFacts(
  deps: AppointmentMailDeps,
  appointmentId: string,
): Promise<AppointmentMailFacts | null> {
  const details = await findAppointmentDetails(deps.db, appointmentId)
  return details === null ? null : toMailFacts(details, deps.baseUrl)
}
