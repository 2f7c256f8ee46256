import {
  APPOINTMENT_MAIL,
  type AppointmentMailDeps,
  sendAppointmentMail,
} from '#server/features/bookings/jobs.ts'
import { HOUSEKEEPING, HOUSEKEEPING_CRON, keepHouse } from '#server/features/housekeeping/jobs.ts'
import { ACCOUNT_MAIL, type AccountMailDeps, sendAccountMail } from '#server/features/sessions/jobs.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'

/** Every kind of job there is. */
export const JOBS: readonly JobDefinition<object>[] = [APPOINTMENT_MAIL, ACCOUNT_MAIL, HOUSEKEEPING]

/** Starts working on all of them. */
export async function workOnJobs(
  queue: JobQueue,
  deps: AppointmentMailDeps & AccountMailDeps & { readonly now: Clock },
): Promise<void> {
  await queue.work(APPOINTMENT_MAIL, (job) => sendAppointmentMail(deps, job))
  await queue.work(ACCOUNT_MAIL, (mail, { id }) => sendAccountMail(deps, mail, id))
  await queue.work(HOUSEKEEPING, () => keepHouse(deps))
  await queue.schedule(HOUSEKEEPING, HOUSEKEEPING_CRON, {})
}
