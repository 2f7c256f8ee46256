import { KEPT_HOURS } from '#contract/shared/retention.ts'
import { HOUR_SECONDS } from '#core/shared/duration.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import { OWNER_MAIL, SCHEDULED } from '#server/platform/jobs/retry-policies.ts'
import type { CalendarProviderName } from '#server/ports/external-calendar.ts'

/** `queuedAt` is an instant: if a sync has ended since then, this job does nothing unless another sync is due. */
export type CalendarSyncJob = { readonly connectionId: string; readonly queuedAt: string }

/** Syncs a connection once. It is not retried: the poll makes up for a failed sync. */
export const CALENDAR_SYNC: JobDefinition<CalendarSyncJob> = {
  name: 'calendar-sync',
  ...SCHEDULED,
  // Longer than the longest sync and its follow-up work.
  expireSeconds: 1_800,
  workersPerProcess: 4,
}

/**
 * Syncs a connection whose last sync failed or was slow. Such syncs have separate workers, so that slow servers do not
 * delay others. Source: rule G15.
 */
export const CALENDAR_SLOW_SYNC: JobDefinition<CalendarSyncJob> = {
  ...CALENDAR_SYNC,
  name: 'calendar-slow-sync',
  workersPerProcess: 2,
}

/** Runs every minute: queues the syncs that are due. */
export const CALENDAR_POLL: JobDefinition<Record<string, never>> = {
  name: 'calendar-poll',
  ...SCHEDULED,
  expireSeconds: 60,
}

export const CALENDAR_POLL_CRON = '* * * * *'

/** Runs every five minutes, and after calendars were chosen: opens, renews and closes notification channels. */
export const CALENDAR_CHANNELS: JobDefinition<Record<string, never>> = {
  name: 'calendar-channels',
  ...SCHEDULED,
  expireSeconds: 600,
}

export const CALENDAR_CHANNELS_CRON = '*/5 * * * *'

/** Retried for a day. After that, the owner can withdraw the access at the provider. */
const TRIED_FOR_A_DAY = {
  retryLimit: 24,
  retryDelaySeconds: 10,
  retryDelayMaxSeconds: 2 * HOUR_SECONDS,
  expireSeconds: 600,
  keepSeconds: KEPT_HOURS.calendarAccess * HOUR_SECONDS,
  workersPerProcess: 1,
} as const

/** Removes the events that we wrote through a connection, then deletes the connection. Source: rule G20. */
export const CALENDAR_REMOVAL: JobDefinition<{ readonly connectionId: string }> = {
  name: 'calendar-removal',
  ...TRIED_FOR_A_DAY,
}

/** One of our events, by the provider's ids of its calendar and the event. */
export type EventToRemove = { readonly externalId: string; readonly eventRef: string }

/** Events to remove before the access is withdrawn. Source: rule D4. */
export type AccountRemoval = {
  readonly events: readonly EventToRemove[]
  /** An instant. Events not removed by then stay. */
  readonly until: string
}

/** An account whose connection we have deleted. The credentials are still encrypted for the connection's id. */
export type WithdrawnAccess = {
  readonly connectionId: string
  readonly provider: CalendarProviderName
  /** Base64. */
  readonly sealedCredentials: string
  readonly accountId: string
  readonly channels: readonly { readonly id: string; readonly resourceId: string | null }[]
  /** Present only if there are events to remove. */
  readonly removal?: AccountRemoval
}

/** Removes events, then closes the channels and withdraws the access at the provider. Source: rules D4 and G20. */
export const CALENDAR_WITHDRAWAL: JobDefinition<WithdrawnAccess> = {
  name: 'calendar-withdrawal',
  ...TRIED_FOR_A_DAY,
}

/** `toldAt` is an instant. The email is sent only if the connection was not renewed or read since. */
export type CalendarMailJob = { readonly connectionId: string; readonly toldAt: string }

/** Sends an email to the owner of an expired connection. Source: rule G17. */
export const CALENDAR_EXPIRED_MAIL: JobDefinition<CalendarMailJob> = {
  name: 'calendar-expired-mail',
  ...OWNER_MAIL,
}

/** Sends an email to the owner of an account that cannot be read. Source: rule G17. */
export const CALENDAR_TROUBLE_MAIL: JobDefinition<CalendarMailJob> = {
  name: 'calendar-trouble-mail',
  ...OWNER_MAIL,
}

/** A deleted connection whose account still contains our events. */
export type EventsLeftJob = {
  readonly connectionId: string
  readonly ownerId: string
  readonly provider: CalendarProviderName
  readonly accountName: string
}

/** Sends an email to an owner when events of a disconnected account could not be removed. Source: rule G20. */
export const EVENTS_LEFT_MAIL: JobDefinition<EventsLeftJob> = {
  name: 'events-left-mail',
  ...OWNER_MAIL,
}

export const EXTERNAL_CALENDAR_JOBS: readonly JobDefinition<object>[] = [
  CALENDAR_SYNC,
  CALENDAR_SLOW_SYNC,
  CALENDAR_POLL,
  CALENDAR_CHANNELS,
  CALENDAR_REMOVAL,
  CALENDAR_WITHDRAWAL,
  CALENDAR_EXPIRED_MAIL,
  CALENDAR_TROUBLE_MAIL,
  EVENTS_LEFT_MAIL,
]
