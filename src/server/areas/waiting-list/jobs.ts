import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import { listCalendarsWithMissedScans, WAITING_LIST_SCAN_JOB } from '#server/records/freed-times/use-cases.ts'
import { sendClosedListMail } from './closed-list-mail.ts'
import type { WaitingListDeps } from './deps.ts'
import { expireOffer } from './end-offer.ts'
import {
  CLOSED_LIST_MAIL_JOB,
  OFFER_EXPIRY_JOB,
  WAITING_BUDGET_SCAN_JOB,
  WAITING_MAIL_JOB,
  WAITING_SWEEP_CRON,
  WAITING_SWEEP_JOB,
} from './job-definitions.ts'
import { expireAllEntries, listCalendarsWithEndedOffers } from './repository.ts'
import { scanWaitingList } from './scan-waiting-list.ts'
import { sendWaitingMail, type WaitingMailDeps } from './send-waiting-mail.ts'

export const WAITING_JOBS: readonly JobDefinition<object>[] = [
  WAITING_LIST_SCAN_JOB,
  WAITING_MAIL_JOB,
  CLOSED_LIST_MAIL_JOB,
  OFFER_EXPIRY_JOB,
  WAITING_BUDGET_SCAN_JOB,
  WAITING_SWEEP_JOB,
]

/** Starts the workers of the waiting-list jobs. */
export async function registerWaitingListJobs(
  queue: JobQueue,
  deps: WaitingListDeps & WaitingMailDeps & { readonly jobs: JobQueue },
): Promise<void> {
  await queue.work(WAITING_LIST_SCAN_JOB, ({ calendarId }) => scanWaitingList(deps, calendarId))
  await queue.work(WAITING_BUDGET_SCAN_JOB, ({ calendarId }) => scanWaitingList(deps, calendarId))
  await queue.work(WAITING_MAIL_JOB, (job) => sendWaitingMail(deps, job))
  await queue.work(CLOSED_LIST_MAIL_JOB, (job) => sendClosedListMail(deps, job))
  await queue.work(OFFER_EXPIRY_JOB, (job) => expireOffer(deps, job))
  await queue.work(WAITING_SWEEP_JOB, () => recoverLostWaitingListJobs(deps))
  await queue.schedule(WAITING_SWEEP_JOB, WAITING_SWEEP_CRON, {})
}

/** Maximum number of requests that one run expires. The next run, a minute later, expires as many. */
const MOST_EXPIRED = 1_000

/** Queues scans for calendars whose jobs were lost, and expires requests whose last day has passed. Source: rules Z1 and Z3. */
export async function recoverLostWaitingListJobs(
  deps: Pick<WaitingListDeps, 'db' | 'now'> & { readonly jobs: Pick<JobQueue, 'send'> },
): Promise<void> {
  const now = new Date(deps.now())
  await expireAllEntries(deps.db, now, MOST_EXPIRED)
  const ended = await listCalendarsWithEndedOffers(deps.db, now)
  for (const calendarId of new Set([...ended, ...(await listCalendarsWithMissedScans(deps))])) {
    await deps.jobs.send(WAITING_LIST_SCAN_JOB, { calendarId })
  }
}
