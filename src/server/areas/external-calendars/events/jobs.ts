import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import { APPOINTMENT_EVENT } from '#server/records/appointments/event-job.ts'
import type { AppointmentEventsDeps } from './deps.ts'
import { EVENT_REMOVAL, PUT_BACK_MAIL, WAITING_EVENTS, WAITING_EVENTS_CRON } from './job-definitions.ts'
import { type PutBackMailDeps, sendPutBackMail } from './put-back-event.ts'
import { removeLeftEvent } from './remove-left-events.ts'
import { writeInTurn } from './write-in-turn.ts'
import { writeWaitingEvents } from './write-waiting-events.ts'

export const APPOINTMENT_EVENT_JOBS = [APPOINTMENT_EVENT, WAITING_EVENTS, EVENT_REMOVAL, PUT_BACK_MAIL]

/** Registers the job handlers for the events of appointments. */
export async function workOnAppointmentEvents(
  queue: JobQueue,
  deps: AppointmentEventsDeps & PutBackMailDeps,
): Promise<void> {
  await queue.work(APPOINTMENT_EVENT, (key) => writeInTurn(deps, key))
  await queue.work(EVENT_REMOVAL, (job) => removeLeftEvent(deps, job))
  await queue.work(PUT_BACK_MAIL, (job) => sendPutBackMail(deps, job))
  await queue.work(WAITING_EVENTS, () => writeWaitingEvents(deps))
  await queue.schedule(WAITING_EVENTS, WAITING_EVENTS_CRON, {})
  // Run at once, to write events that were not written while no worker ran.
  await queue.send(WAITING_EVENTS, {})
}
