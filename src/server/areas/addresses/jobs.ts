import { DAY_MS, HOUR_MS } from '#core/shared/duration.ts'
import { buildDomainMail } from '#server/messages/emails/domain-mail.ts'
import { type MailOrigin, toMessageIdPart } from '#server/messages/emails/mail-origin.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Mailer } from '#server/ports/mailer.ts'
import { findOwnerOfCalendar } from '#server/records/calendars/repository.ts'
import { CERTIFICATE_JOB, requestAndStoreCertificate } from './certificate-job.ts'
import { checkDomain } from './check-domain.ts'
import type { AddressesDeps } from './deps.ts'
import {
  isDomainDueForCheck,
  listDomainsDueForCheck,
  listHostsWithoutCertificate,
} from './host-repository.ts'
import {
  DOMAIN_CHECK_JOB,
  DOMAIN_CHECKS_CRON,
  DOMAIN_MAIL_JOB,
  type DomainMailJob,
  DUE_DOMAIN_CHECKS_JOB,
} from './job-definitions.ts'

/** Maximum number of domains checked per hour; the rest waits for the next run. */
const CHECKED_AT_ONCE = 2_000
/**
 * Interval between checks of a domain. It is a little less than a day, so that the check does not move by an hour every
 * day.
 */
const CHECK_EVERY_MS = DAY_MS - HOUR_MS / 2
/**
 * Interval between requests for a missing certificate. Certificate authorities refuse a name for some time after
 * repeated failures. Source: rule I16.
 */
const CERTIFICATE_RETRY_MS = 6 * HOUR_MS

export type AddressJobDeps = Pick<AddressesDeps, 'db' | 'now' | 'domains' | 'baseUrl'> & {
  readonly mailer: Mailer
  readonly origin: MailOrigin
}

/** Registers the job handlers for domains. */
export async function registerAddressJobs(queue: JobQueue, deps: AddressJobDeps): Promise<void> {
  await queue.work(DOMAIN_CHECK_JOB, async ({ hostId }) => {
    // Skip a domain that was checked in the meantime: while DNS servers are slow, the next hourly run queues it again.
    if (!(await isDomainDueForCheck(deps.db, hostId, new Date(deps.now() - CHECK_EVERY_MS)))) return
    await checkDomain({ ...deps, jobs: queue }, hostId)
  })
  await queue.work(CERTIFICATE_JOB, (job) => requestAndStoreCertificate(deps, job))
  await queue.work(DOMAIN_MAIL_JOB, (job) => sendDomainMail(deps, job))
  await queue.work(DUE_DOMAIN_CHECKS_JOB, () => queueChecks(queue, deps))
  await queue.schedule(DUE_DOMAIN_CHECKS_JOB, DOMAIN_CHECKS_CRON, {})
}

async function queueChecks(queue: JobQueue, { db, now }: Pick<AddressJobDeps, 'db' | 'now'>): Promise<void> {
  const due = await listDomainsDueForCheck(db, new Date(now() - CHECK_EVERY_MS), CHECKED_AT_ONCE)
  for (const hostId of due) await queue.send(DOMAIN_CHECK_JOB, { hostId })
  const bare = await listHostsWithoutCertificate(db, new Date(now() - CERTIFICATE_RETRY_MS), CHECKED_AT_ONCE)
  for (const host of bare) await queue.send(CERTIFICATE_JOB, { host })
}

/** Sends an email about a domain, unless the calendar was deleted. */
async function sendDomainMail(deps: AddressJobDeps, job: DomainMailJob): Promise<void> {
  const found = await findOwnerOfCalendar(deps.db, job.calendarId)
  if (found === null) return
  const { calendar_name: calendarName, ...owner } = found
  const { domain, occasion, toldAt } = job
  await deps.mailer.send(
    buildDomainMail(
      {
        deliveryId: `${job.hostId}.${toMessageIdPart(toldAt)}`,
        owner,
        calendarName,
        domain,
        occasion,
        settingsUrl: `${deps.baseUrl}/calendar/${job.calendarId}/settings?tab=domains`,
      },
      deps.origin,
    ),
  )
}
