import type { MoveDeps } from '#server/areas/appointments/bookings/deps.ts'
import type { AccessDeps } from '#server/areas/external-calendars/connections/deps.ts'
import type { MailOrigin } from '#server/messages/emails/mail-origin.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'

/** The dependencies for writing the events of appointments and for handling changes to them. */
export type AppointmentEventsDeps = MoveDeps &
  AccessDeps & {
    readonly jobs: Pick<JobQueue, 'withdraw'>
    /** The origin of our emails; its host is part of the UIDs of events, as in emails. */
    readonly origin: Pick<MailOrigin, 'host'>
  }
