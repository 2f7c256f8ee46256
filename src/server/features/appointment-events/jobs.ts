import { MINUTE_MS } from '#core/shared/duration.ts'
import { APPOINTMENT_EVENT } from '#server/features/appointments/event-job.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { AppointmentEventsDeps } from './deps.ts'
import { EVENT_REMOVAL, PUT_BACK_MAIL, WAITING_EVENTS, WAITING_EVENTS_CRON } from './job-definitions.ts'
import { type PutBackMailDeps, sendPutBackMail } from './put-back-event.ts'
import { removeLeftEvent } from './remove-left-events.ts'
import { listWaiting } from './waiting-repository.ts'
import { writeEvent } from './write-event.ts'

export const APPOINTMENT_EVENT_JOBS = [APPOINTMENT_EVENT, WAITING_EVENTS, EVENT_REMOVAL, PUT_BACK_MAIL]

/** Starts working on the events of appointments. */
export async function workOnAppointmentEvents(
  queue: JobQueue,
  deps: AppointmentEventsDeps & PutBackMailDeps,
): Promise<void> {
  await queue.work(APPOINTMENT_EVENT, (key) => writeEvent(deps, key))
  await queue.work(EVENT_REMOVAL, (job) => removeLeftEvent(deps, job))
  await queue.work(PUT_BACK_MAIL, (job) => sendPutBackMail(deps, job))
  await queue.work(WAITING_EVENTS, () => writeWaitingEvents(deps))
  await queue.schedule(WAITING_EVENTS, WAITING_EVENTS_CRON, {})
  // What waited while no worker ran need not wait for the minute.
  await queue.send(WAITING_EVENTS, {})
}

/** Appointments that are listed at a time, and that one round writes at most; the next round goes on. */
const LISTED_AT_ONCE = 50
const WRITTEN_AT_ONCE = 1_000
/** Longest round, in milliseconds, below the time after which the job counts as lost. */
const LONGEST_ROUND_MS = 5 * MINUTE_MS

/** Writes what waits, in order, one after the other: a provider that is back is not met by everything at once. Source: rule G11. */
export async function writeWaitingEvents(deps: AppointmentEventsDeps): Promise<void> {
  const tried: string[] = []
  const endMs = performance.now() + LONGEST_ROUND_MS
  while (tried.length < WRITTEN_AT_ONCE && performance.now() < endMs) {
    const now = new Date(deps.now())
    const [next, ...more] = await listWaiting(deps.db, { now, except: tried, limit: LISTED_AT_ONCE })
    if (next === undefined) return
    for (const key of [next, ...more]) {
      tried.push(key.id)
      await writeEvent(deps, key)
    }
  }
}
