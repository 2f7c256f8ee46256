import { RETENTION_HOURS } from '#contract/shared/retention.ts'
import { HOUR_SECONDS } from '#core/shared/duration.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import { OWNER_MAIL_RETRIES, SCHEDULED_JOB_RETRIES } from '#server/platform/jobs/retry-policies.ts'
import type { CalendarProviderName } from '#server/ports/external-calendar.ts'

/**
 * A request to sync a connection. `queuedAt` is an instant: if a sync has ended since then, the job does nothing unless
 * another sync is due.
 */
export type CalendarSyncJob = { readonly connectionId: string; readonly queuedAt: string }

/** Job that syncs a connection once. It is not retried, because the next poll makes up for a failed sync. */
export const CALENDAR_SYNC_JOB: JobDefinition<CalendarSyncJob> = {
  name: 'calendar-sync',
  ...SCHEDULED_JOB_RETRIES,
  // Longer than the longest sync and its follow-up work, in seconds.
  expireSeconds: 1_800,
  workersPerProcess: 4,
}

/**
 * Job that syncs a connection whose last sync failed or was slow. Such syncs have separate workers, so that slow
 * servers do not delay others. Source: rule G15.
 */
export const CALENDAR_SLOW_SYNC_JOB: JobDefinition<CalendarSyncJob> = {
  ...CALENDAR_SYNC_JOB,
  name: 'calendar-slow-sync',
  workersPerProcess: 2,
}

/** Job that queues the syncs that are due, every minute. */
export const CALENDAR_POLL_JOB: JobDefinition<Record<string, never>> = {
  name: 'calendar-poll',
  ...SCHEDULED_JOB_RETRIES,
  expireSeconds: 60,
}

export const CALENDAR_POLL_CRON = '* * * * *'

/**
 * Job that opens, renews and closes notification channels. Runs every five minutes, and after calendars were chosen.
 */
export const CALENDAR_CHANNELS_JOB: JobDefinition<Record<string, never>> = {
  name: 'calendar-channels',
  ...SCHEDULED_JOB_RETRIES,
  expireSeconds: 600,
}

export const CALENDAR_CHANNELS_CRON = '*/5 * * * *'

/** Retry policy of a day. After that, the owner can revoke the access at the provider. */
const TRIED_FOR_A_DAY = {
  retryLimit: 24,
  retryDelaySeconds: 10,
  retryDelayMaxSeconds: 2 * HOUR_SECONDS,
  expireSeconds: 600,
  keepSeconds: RETENTION_HOURS.calendarAccess * HOUR_SECONDS,
  workersPerProcess: 1,
} as const

/**
 * Job that removes the events that we wrote through a connection, and then deletes the connection. Source: rule G20.
 */
export const CALENDAR_REMOVAL_JOB: JobDefinition<{ readonly connectionId: string }> = {
  name: 'calendar-removal',
  ...TRIED_FOR_A_DAY,
}

/** One of our events, identified by the provider's ids of its calendar and of the event. */
export type RemovableEvent = { readonly externalId: string; readonly eventRef: string }

/** Events to remove before the access is revoked. Source: rule D4. */
export type AccountRemoval = {
  readonly events: readonly RemovableEvent[]
  /** When to give up, as an instant. Events not removed by then stay. */
  readonly until: string
}

/** An account whose connection we have deleted. The credentials are still encrypted for the connection's id. */
export type WithdrawnAccess = {
  readonly connectionId: string
  readonly provider: CalendarProviderName
  /** The encrypted credentials, in Base64. */
  readonly sealedCredentials: string
  readonly accountId: string
  readonly channels: readonly { readonly id: string; readonly resourceId: string | null }[]
  /** The events to remove; absent if there are none. */
  readonly removal?: AccountRemoval
}

/**
 * Job that removes events, closes the channels and then revokes the access at the provider. Source: rules D4 and G20.
 */
export const CALENDAR_WITHDRAWAL_JOB: JobDefinition<WithdrawnAccess> = {
  name: 'calendar-withdrawal',
  ...TRIED_FOR_A_DAY,
}

/**
 * An email about a connection. `toldAt` is an instant; the email is sent only if the connection has not been renewed or
 * read since then.
 */
export type CalendarMailJob = { readonly connectionId: string; readonly toldAt: string }

/** Job that emails the owner of an expired connection. Source: rule G17. */
export const CALENDAR_EXPIRED_MAIL_JOB: JobDefinition<CalendarMailJob> = {
  name: 'calendar-expired-mail',
  ...OWNER_MAIL_RETRIES,
}

/** Job that emails the owner of an account that cannot be read. Source: rule G17. */
export const CALENDAR_TROUBLE_MAIL_JOB: JobDefinition<CalendarMailJob> = {
  name: 'calendar-trouble-mail',
  ...OWNER_MAIL_RETRIES,
}

/** A deleted connection whose account still contains our events. */
export type RemainingEventsMailJob = {
  readonly connectionId: string
  readonly ownerId: string
  readonly provider: CalendarProviderName
  readonly accountName: string
}

/** Job that emails an owner when events of a disconnected account could not be removed. Source: rule G20. */
export const REMAINING_EVENTS_MAIL_JOB: JobDefinition<RemainingEventsMailJob> = {
  name: 'events-left-mail',
  ...OWNER_MAIL_RETRIES,
}

export const EXTERNAL_CALENDAR_JOBS: readonly JobDefinition<object>[] = [
  CALENDAR_SYNC_JOB,
  CALENDAR_SLOW_SYNC_JOB,
  CALENDAR_POLL_JOB,
  CALENDAR_CHANNELS_JOB,
  CALENDAR_REMOVAL_JOB,
  CALENDAR_WITHDRAWAL_JOB,
  CALENDAR_EXPIRED_MAIL_JOB,
  CALENDAR_TROUBLE_MAIL_JOB,
  REMAINING_EVENTS_MAIL_JOB,
]
