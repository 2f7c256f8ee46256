import type { WaitingClosedContent } from '#server/messages/emails/waiting-mail.ts'
import type { SendingOwner } from '#server/messages/queue/sender-repository.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import { SCHEDULED_JOB_RETRIES } from '#server/platform/jobs/retry-policies.ts'

export type WaitingMailJob = {
  readonly calendarId: string
  readonly entryId: string
  /** The offer; null for the email that asks the customer to confirm their address. */
  readonly offerId: string | null
  /**
   * How many times the entry's link had been replaced when the job was queued. If it has been replaced since, the email
   * would go to an old address, so it is not sent. Source: rule Z14.
   */
  readonly rotation: number
}

/** Job that sends an email about the waiting list. Offers expire soon, so it is not retried for long. */
export const WAITING_MAIL_JOB: JobDefinition<WaitingMailJob> = {
  name: 'waiting-list-mail',
  retryLimit: 20,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 30 * 60,
  expireSeconds: 120,
  keepSeconds: 60 * 60,
}

/** The "list closed" email to one address. The job contains all data that the email needs. Source: rule Z15. */
export type ClosedListJob = {
  readonly calendarId: string
  readonly sender: SendingOwner
  readonly content: WaitingClosedContent
  /** The latest date that this address requested (yyyy-MM-dd), and the time zone of that date. */
  readonly lastDate: string
  readonly timeZone: string
}

/** Job that sends the "list closed" email. It is retried for more than six days. */
export const CLOSED_LIST_MAIL_JOB: JobDefinition<ClosedListJob> = {
  name: 'waiting-list-closed-mail',
  retryLimit: 90,
  retryDelaySeconds: 10,
  retryDelayMaxSeconds: 2 * 60 * 60,
  expireSeconds: 120,
  keepSeconds: 60 * 60,
  workersPerProcess: 1,
}

type OfferEndJob = { readonly calendarId: string; readonly offerId: string }

/** Job that ends an offer when it expires, so that the next customer gets the time. */
export const OFFER_EXPIRY_JOB: JobDefinition<OfferEndJob> = {
  name: 'waiting-list-offer-end',
  retryLimit: 10,
  retryDelaySeconds: 2,
  retryDelayMaxSeconds: 60,
  expireSeconds: 60,
  keepSeconds: 60 * 60,
  workersPerProcess: 1,
}

/**
 * Job that scans the waiting list of a calendar when an exceeded limit of offers allows some again. Source: rule Z16.
 */
export const WAITING_BUDGET_SCAN_JOB: JobDefinition<{ readonly calendarId: string }> = {
  name: 'waiting-list-budget-look',
  retryLimit: 5,
  retryDelaySeconds: 2,
  retryDelayMaxSeconds: 60,
  expireSeconds: 600,
  keepSeconds: 60 * 60,
  workersPerProcess: 1,
}

/** Job that does the work of lost jobs, and expires requests whose last day has passed. Runs every minute. */
export const WAITING_SWEEP_JOB: JobDefinition<Record<string, never>> = {
  name: 'waiting-list-sweep',
  ...SCHEDULED_JOB_RETRIES,
  expireSeconds: 60,
}

export const WAITING_SWEEP_CRON = '* * * * *'
