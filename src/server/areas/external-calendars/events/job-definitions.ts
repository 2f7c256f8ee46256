import { RETENTION_DAYS } from '#contract/shared/retention.ts'
import { DAY_SECONDS } from '#core/shared/duration.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import { OWNER_MAIL_RETRIES, SCHEDULED_JOB_RETRIES } from '#server/platform/jobs/retry-policies.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'

/**
 * Job that writes the events which are still to be written. Runs every minute, and when an account works again. The
 * next run makes up for a failed one. If a slow server delays one run, the next may start meanwhile and writes to other
 * accounts.
 */
export const PENDING_EVENTS_JOB: JobDefinition<Record<string, never>> = {
  name: 'waiting-events',
  ...SCHEDULED_JOB_RETRIES,
  expireSeconds: 600,
  workersPerProcess: 4,
}

export const PENDING_EVENTS_CRON = '* * * * *'

/** An event whose appointment was deleted with its calendar. */
export type EventRemovalJob = {
  readonly connectionId: string
  /** The provider's ids of the calendar and the event. */
  readonly externalId: string
  readonly eventRef: string
}

/** Job that removes such an event; retried for about four days. */
export const EVENT_REMOVAL_JOB: JobDefinition<EventRemovalJob> = {
  name: 'event-removal',
  retryLimit: 100,
  retryDelaySeconds: 30,
  retryDelayMaxSeconds: 60 * 60,
  expireSeconds: 120,
  keepSeconds: 60 * 60,
  workersPerProcess: 1,
}

/** A change to an event that could not be applied to its appointment. */
export type RestoredEventMailJob = AppointmentKey & {
  readonly changeId: string
  /** The event's new start and end, as instants in RFC 3339; null when the event had no single time. */
  readonly wanted: { readonly startsAt: string; readonly endsAt: string } | null
  readonly reason: string
  /** False while 'Auto Sync' is off: the event is then not rewritten. */
  readonly isWritten: boolean
}

/** Job that notifies the owner; retried for about a day. */
export const RESTORED_EVENT_MAIL_JOB: JobDefinition<RestoredEventMailJob> = {
  name: 'event-put-back-mail',
  ...OWNER_MAIL_RETRIES,
  keepSeconds: RETENTION_DAYS.endedJob * DAY_SECONDS,
}
