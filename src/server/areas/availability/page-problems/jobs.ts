import type { MailOrigin } from '#server/messages/emails/mail-origin.ts'
import { buildPageProblemMail } from '#server/messages/emails/page-problem-mail.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import { SCHEDULED_JOB_RETRIES } from '#server/platform/jobs/retry-policies.ts'
import type { Mailer } from '#server/ports/mailer.ts'
import { findOwnerOfCalendar } from '#server/records/calendars/repository.ts'
import { listStoredProblems } from './repository.ts'
import { checkPages, PAGE_PROBLEM_MAIL_JOB, type PageCheckDeps } from './use-cases.ts'

/** Daily job that checks the pages of all calendars. */
export const PAGE_CHECKS_JOB: JobDefinition<Record<string, never>> = {
  name: 'page-checks',
  ...SCHEDULED_JOB_RETRIES,
  expireSeconds: 3600,
}

export const PAGE_CHECKS_CRON = '7 5 * * *'

export const PAGE_PROBLEM_JOBS: readonly JobDefinition<object>[] = [PAGE_CHECKS_JOB, PAGE_PROBLEM_MAIL_JOB]

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
  { calendarId, foundAt }: { readonly calendarId: string; readonly foundAt: string },
): Promise<void> {
  const found = await findOwnerOfCalendar(db, calendarId)
  const problems = await listStoredProblems(db, { calendarIds: [calendarId], foundAt: new Date(foundAt) })
  if (found === null || problems.length === 0) return
  const { calendar_name: calendarName, ...owner } = found
  const deliveryId = `${calendarId}.${foundAt.replace(/\D/g, '')}`
  const settingsUrl = `${baseUrl}/calendar/${calendarId}/settings`
  await mailer.send(buildPageProblemMail({ deliveryId, owner, calendarName, problems, settingsUrl }, origin))
}
