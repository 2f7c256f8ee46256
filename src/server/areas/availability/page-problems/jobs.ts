import { type MailOrigin, toMessageIdPart } from '#server/messages/emails/mail-origin.ts'
import { buildPageProblemMail } from '#server/messages/emails/page-problem-mail.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Mailer } from '#server/ports/mailer.ts'
import { findOwnerOfCalendar } from '#server/records/calendars/repository.ts'
import {
  PAGE_CHECKS_CRON,
  PAGE_CHECKS_JOB,
  PAGE_PROBLEM_MAIL_JOB,
  type PageProblemMailJob,
} from './job-definitions.ts'
import { listStoredProblems } from './repository.ts'
import { checkPages, type PageCheckDeps, toMissedDate } from './use-cases.ts'

export type PageProblemJobDeps = PageCheckDeps & {
  readonly mailer: Mailer
  readonly origin: MailOrigin
  readonly baseUrl: string
}

export async function registerPageProblemJobs(queue: JobQueue, deps: PageProblemJobDeps): Promise<void> {
  await queue.work(PAGE_CHECKS_JOB, () => checkPages({ ...deps, jobs: queue }))
  await queue.work(PAGE_PROBLEM_MAIL_JOB, (job) => sendPageProblemMail(deps, job))
  await queue.schedule(PAGE_CHECKS_JOB, PAGE_CHECKS_CRON, {})
}

/** Sends the email, unless the calendar was deleted or the problems are solved. */
export async function sendPageProblemMail(
  { db, mailer, origin, baseUrl }: PageProblemJobDeps,
  { calendarId, foundAt }: PageProblemMailJob,
): Promise<void> {
  const found = await findOwnerOfCalendar(db, calendarId)
  const stored = await listStoredProblems(db, [calendarId])
  const problems = stored
    .filter(({ found_at }) => found_at.toISOString() === foundAt)
    .map((problem) => ({ ...problem, missed_date: toMissedDate(problem) }))
  if (found === null || problems.length === 0) return
  const { calendar_name: calendarName, ...owner } = found
  const deliveryId = `${calendarId}.${toMessageIdPart(foundAt)}`
  const settingsUrl = `${baseUrl}/calendar/${calendarId}/settings`
  await mailer.send(buildPageProblemMail({ deliveryId, owner, calendarName, problems, settingsUrl }, origin))
}
