import type { WaitingClosedContent } from '#server/messages/emails/waiting-mail.ts'
import type { Sender } from '#server/messages/queue/sender-repository.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'

export type WaitingMailJob = {
  readonly calendarId: string
  readonly entryId: string
  /** Null for the email that asks to confirm the address. */
  readonly offerId: string | null
  /** How often the links had been replaced: what was queued for an earlier address is not sent. Source: rule Z14. */
  readonly rotation: number
}

/** Sends an email about the waiting list. An offer is worth nothing after its end, so it is not tried for long. */
export const WAITING_MAIL: JobDefinition<WaitingMailJob> = {
  name: 'waiting-list-mail',
  retryLimit: 20,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 30 * 60,
  expireSeconds: 120,
  keepSeconds: 60 * 60,
}

/** Tells one address that the list is gone. The job has everything that the message says. Source: rule Z15. */
export type ClosedListJob = {
  readonly calendarId: string
  readonly sender: Sender
  readonly content: WaitingClosedContent
  /** The last day that somebody named at this address, yyyy-MM-dd, and the zone in which it was meant. */
  readonly lastDate: string
  readonly timeZone: string
}

/** Sends it. Tried for more than six days. */
export const CLOSED_LIST_MAIL: JobDefinition<ClosedListJob> = {
  name: 'waiting-list-closed-mail',
  retryLimit: 90,
  retryDelaySeconds: 10,
  retryDelayMaxSeconds: 2 * 60 * 60,
  expireSeconds: 120,
  keepSeconds: 60 * 60,
  workersPerProcess: 1,
}

export type OfferEndJob = { readonly calendarId: string; readonly offerId: string }

/** Ends an offer when its time is over, so that the next one gets it. */
export const OFFER_END: JobDefinition<OfferEndJob> = {
  name: 'waiting-list-offer-end',
  retryLimit: 10,
  retryDelaySeconds: 2,
  retryDelayMaxSeconds: 60,
  expireSeconds: 60,
  keepSeconds: 60 * 60,
  workersPerProcess: 1,
}

/** Looks through the list of a calendar when a budget of offers has room again. Source: rule Z16. */
export const WAITING_BUDGET_SCAN: JobDefinition<{ readonly calendarId: string }> = {
  name: 'waiting-list-budget-look',
  retryLimit: 5,
  retryDelaySeconds: 2,
  retryDelayMaxSeconds: 60,
  expireSeconds: 600,
  keepSeconds: 60 * 60,
  workersPerProcess: 1,
}

/** Every minute: looks for what jobs that were lost should have done, and ends requests whose last day is over. */
export const WAITING_SWEEP: JobDefinition<Record<string, never>> = {
  name: 'waiting-list-sweep',
  retryLimit: 0,
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 1,
  expireSeconds: 60,
  keepSeconds: 60 * 60,
  workersPerProcess: 1,
}

export const WAITING_SWEEP_CRON = '* * * * *'
