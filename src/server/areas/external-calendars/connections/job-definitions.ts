import { KEPT_HOURS } from '#contract/retention.ts'
import { HOUR_SECONDS } from '#core/shared/duration.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import type { CalendarProviderName } from '#server/ports/external-calendar.ts'

/** `queuedAt`: an instant; a sync that ended since did it already, unless another one is due. */
export type CalendarSyncJob = { readonly connectionId: string; readonly queuedAt: string }

/** One sync of a connection. The poll makes up for a failed one. */
export const CALENDAR_SYNC: JobDefinition<CalendarSyncJob> = {
  name: 'calendar-sync',
  retryLimit: 0,
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 1,
  // Longer than the longest sync may take, with what follows from it.
  expireSeconds: 1_800,
  keepSeconds: HOUR_SECONDS,
  workersPerProcess: 4,
}

/**
 * Syncs a connection whose last sync failed or took long. It may take much longer, so these syncs have workers of their own: slow servers
 * then keep nobody else waiting. Source: rule G15.
 */
export const CALENDAR_SLOW_SYNC: JobDefinition<CalendarSyncJob> = {
  ...CALENDAR_SYNC,
  name: 'calendar-slow-sync',
  workersPerProcess: 2,
}

/** Every minute: queues the syncs that are due. */
export const CALENDAR_POLL: JobDefinition<Record<string, never>> = {
  name: 'calendar-poll',
  retryLimit: 0,
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 1,
  expireSeconds: 60,
  keepSeconds: HOUR_SECONDS,
  workersPerProcess: 1,
}

export const CALENDAR_POLL_CRON = '* * * * *'

/** Every five minutes, and after calendars were chosen: opens, renews and closes the channels for notifications. */
export const CALENDAR_CHANNELS: JobDefinition<Record<string, never>> = {
  name: 'calendar-channels',
  retryLimit: 0,
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 1,
  expireSeconds: 600,
  keepSeconds: HOUR_SECONDS,
  workersPerProcess: 1,
}

export const CALENDAR_CHANNELS_CRON = '*/5 * * * *'

/** Tried for a day: afterwards the owner can withdraw the access at the provider. */
const TRIED_FOR_A_DAY = {
  retryLimit: 24,
  retryDelaySeconds: 10,
  retryDelayMaxSeconds: 2 * HOUR_SECONDS,
  expireSeconds: 600,
  keepSeconds: KEPT_HOURS.calendarAccess * HOUR_SECONDS,
  workersPerProcess: 1,
} as const

/** Removes the events that we wrote through a connection, and then the connection. Source: rule G20. */
export const CALENDAR_REMOVAL: JobDefinition<{ readonly connectionId: string }> = {
  name: 'calendar-removal',
  ...TRIED_FOR_A_DAY,
}

/** An event of ours, as the provider names it and its calendar. */
export type EventToRemove = { readonly externalId: string; readonly eventRef: string }

/** Events that go before the access does. Source: rule D4. */
export type AccountRemoval = {
  readonly events: readonly EventToRemove[]
  /** An instant; what is left by then stays there. */
  readonly until: string
}

/** An account whose connection is gone from our records. The credentials are sealed for its id. */
export type WithdrawnAccess = {
  readonly connectionId: string
  readonly provider: CalendarProviderName
  /** Base64. */
  readonly sealedCredentials: string
  readonly accountId: string
  readonly channels: readonly { readonly id: string; readonly resourceId: string | null }[]
  /** Only where there is something to remove. */
  readonly removal?: AccountRemoval
}

/** Removes events, then ends the channels and the access at the provider. Source: rules D4 and G20. */
export const CALENDAR_WITHDRAWAL: JobDefinition<WithdrawnAccess> = {
  name: 'calendar-withdrawal',
  ...TRIED_FOR_A_DAY,
}

/** `toldAt`: an instant, by which it is known whether it is still so. */
export type CalendarMailJob = { readonly connectionId: string; readonly toldAt: string }

const MAIL = {
  retryLimit: 24,
  retryDelaySeconds: 30,
  retryDelayMaxSeconds: 2 * HOUR_SECONDS,
  expireSeconds: 120,
  keepSeconds: HOUR_SECONDS,
  workersPerProcess: 1,
} as const

/** Tells an owner that a connection has expired. Source: rule G17. */
export const CALENDAR_EXPIRED_MAIL: JobDefinition<CalendarMailJob> = {
  name: 'calendar-expired-mail',
  ...MAIL,
}

/** Tells an owner that an account cannot be read. Source: rule G17. */
export const CALENDAR_TROUBLE_MAIL: JobDefinition<CalendarMailJob> = {
  name: 'calendar-trouble-mail',
  ...MAIL,
}

/** An account that is gone from our records, with events of ours left in it. */
export type EventsLeftJob = {
  readonly connectionId: string
  readonly ownerId: string
  readonly provider: CalendarProviderName
  readonly accountName: string
}

/** Tells an owner that events of a disconnected account could not be removed. Source: rule G20. */
export const EVENTS_LEFT_MAIL: JobDefinition<EventsLeftJob> = {
  name: 'events-left-mail',
  ...MAIL,
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
