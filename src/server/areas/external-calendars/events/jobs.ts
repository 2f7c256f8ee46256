import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import { APPOINTMENT_EVENT_JOB } from '#server/records/appointments/event-job.ts'
import type { AppointmentEventsDeps } from './deps.ts'
import {
  EVENT_REMOVAL_JOB,
  PENDING_EVENTS_CRON,
  PENDING_EVENTS_JOB,
  RESTORED_EVENT_MAIL_JOB,
} from './job-definitions.ts'
import { removeLeftoverEvent } from './remove-leftover-events.ts'
import { type RestoredEventMailDeps, sendRestoredEventMail } from './restore-event.ts'
import { writePendingEvents } from './write-pending-events.ts'
import { writeEventUnderLease } from './write-under-lease.ts'

export const APPOINTMENT_EVENT_JOBS = [
  APPOINTMENT_EVENT_JOB,
  PENDING_EVENTS_JOB,
  EVENT_REMOVAL_JOB,
  RESTORED_EVENT_MAIL_JOB,
]

/** Registers the job handlers for the events of appointments. */
export async function registerAppointmentEventJobs(
  queue: JobQueue,
  deps: AppointmentEventsDeps & RestoredEventMailDeps,
): Promise<void> {
  await queue.work(APPOINTMENT_EVENT_JOB, (key) => writeEventUnderLease(deps, key))
  await queue.work(EVENT_REMOVAL_JOB, (job) => removeLeftoverEvent(deps, job))
  await queue.work(RESTORED_EVENT_MAIL_JOB, (job) => sendRestoredEventMail(deps, job))
  await queue.work(PENDING_EVENTS_JOB, () => writePendingEvents(deps))
  await queue.schedule(PENDING_EVENTS_JOB, PENDING_EVENTS_CRON, {})
  // Run at once, to write events that were not written while no worker ran.
  await queue.send(PENDING_EVENTS_JOB, {})
}
