import type { MoveDeps } from '#server/features/appointment-moves/deps.ts'
import type { AccessDeps } from '#server/features/external-calendars/deps.ts'
import type { MailOrigin } from '#server/features/mail/mail-origin.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'

/** What it takes to write the events of appointments, and to follow changes of them. */
export type AppointmentEventsDeps = MoveDeps &
  AccessDeps & {
    readonly jobs: Pick<JobQueue, 'take'>
    /** Its host is a part of the UIDs of events, as it is in emails. */
    readonly origin: Pick<MailOrigin, 'host'>
  }
