import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'

export type WaitingMailJob = {
  readonly calendarId: string
  readonly entryId: string
  /** Null for the email that asks to confirm the address. */
  readonly offerId: string | null
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

/** Every minute: looks for what jobs that were lost should have done. */
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
