import { HOUR_SECONDS } from '#core/shared/duration.ts'
import type { DomainMailReason } from '#server/messages/emails/domain-mail.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import { OWNER_MAIL_RETRIES, SCHEDULED_JOB_RETRIES } from '#server/platform/jobs/retry-policies.ts'
import { CERTIFICATE_JOB } from './certificate-job.ts'

/**
 * Hourly job that queues checks of domains which have not been checked for a day, and requests missing certificates
 * again.
 */
export const DUE_DOMAIN_CHECKS_JOB: JobDefinition<Record<string, never>> = {
  name: 'domain-checks',
  ...SCHEDULED_JOB_RETRIES,
  expireSeconds: 120,
}

export const DOMAIN_CHECKS_CRON = '23 * * * *'

/** Job that checks a domain in use. The next hourly run makes up for a failed check. Source: rule I10. */
export const DOMAIN_CHECK_JOB: JobDefinition<{ readonly hostId: string }> = {
  name: 'domain-check',
  retryLimit: 2,
  retryDelaySeconds: 60,
  retryDelayMaxSeconds: 600,
  expireSeconds: 120,
  keepSeconds: HOUR_SECONDS,
  workersPerProcess: 1,
}

/** An email about a domain. `toldAt` is an instant. */
export type DomainMailJob = {
  readonly hostId: string
  readonly calendarId: string
  readonly domain: string
  readonly occasion: DomainMailReason
  readonly toldAt: string
}

/** Job that notifies an owner of a change in the state of a domain. */
export const DOMAIN_MAIL_JOB: JobDefinition<DomainMailJob> = {
  name: 'domain-mail',
  ...OWNER_MAIL_RETRIES,
}

export const ADDRESS_JOBS: readonly JobDefinition<object>[] = [
  DUE_DOMAIN_CHECKS_JOB,
  DOMAIN_CHECK_JOB,
  DOMAIN_MAIL_JOB,
  CERTIFICATE_JOB,
]
