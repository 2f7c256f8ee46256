import type { MoveDeps } from '#server/areas/appointments/moves/deps.ts'
import type { AccessDeps } from '#server/areas/external-calendars/connections/deps.ts'
import type { MailOrigin } from '#server/messages/emails/mail-origin.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'

/** What it takes to write the events of appointments, and to follow changes of them. */
export type AppointmentEventsDeps = MoveDeps &
  AccessDeps & {
    readonly jobs: Pick<JobQueue, 'take'>
    /** Its host is a part of the UIDs of events, as it is in emails. */
    readonly origin: Pick<MailOrigin, 'host'>
  }
