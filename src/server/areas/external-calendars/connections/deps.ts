import type { Budgets } from '#server/platform/budgets/budgets.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Log } from '#server/platform/log.ts'
import type { SecretBox } from '#server/platform/secrets/secret-box.ts'
import type { CalendarProviders, ExternalChange } from '#server/ports/external-calendar.ts'
import type { DefaultPlanSettings } from '#server/records/subscription/use-cases.ts'
import type { RemovableEvent } from './job-definitions.ts'

/** The result of a sync of one external calendar, for the events that we wrote there. */
export type SyncedOwnEvents = {
  readonly externalCalendarId: string
  /**
   * Changes to events that we wrote: events that name an appointment, and events whose id is in `appointment_events`. A
   * null event was deleted. After a full sync, upcoming events that it did not find are included as deleted. Such an
   * event may have been moved out of the window, so ask the provider for it before cancelling an appointment.
   */
  readonly changes: readonly ExternalChange[]
  readonly isFullSync: boolean
  /**
   * True also for the first sync since the calendar was chosen, or since the owner turned the handling of changes on
   * again.
   */
  readonly isFirstAfterReconnect: boolean
  /** True when the provider no longer lists the calendar; `changes` is then empty. */
  readonly isCalendarGone: boolean
}

/** The functions of `events` that `connections` needs, injected to avoid a circular import. */
export type EventHooks = {
  /**
   * Handles changes made in the external calendar to events that we wrote. Called before the cursor is stored, so the
   * changes are delivered again if the process is killed or this throws.
   */
  readonly applyExternalChanges: (sync: SyncedOwnEvents) => Promise<void>
  /** Removes the events that we wrote through a connection that is about to end. If it throws, it is retried later. */
  readonly removeWrittenEvents: (connectionId: string) => Promise<void>
  /**
   * Takes over the queued event-removal jobs of connections that are about to be deleted. The caller must then remove
   * the events, because those jobs no longer run. Source: rule D4.
   */
  readonly claimQueuedRemovals: (
    trx: Trx,
    connectionIds: readonly string[],
  ) => Promise<readonly (RemovableEvent & { readonly connectionId: string })[]>
  /**
   * Writes all upcoming appointments. Called when a calendar gets another external calendar to write to, or when
   * writing is turned on.
   */
  readonly writeUpcomingEvents: (trx: Trx, calendarId: string) => Promise<void>
  /** Writes the events that are still to be written, after a connection works again. */
  readonly writePendingEventsOfConnection: (trx: Trx, connectionId: string) => Promise<void>
}

/** The dependencies for calling a provider with a connected account. */
export type AccessDeps = {
  readonly db: Db
  readonly now: Clock
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly jobs: Pick<JobQueue, 'insert' | 'send'>
  readonly secrets: SecretBox
  readonly calendarProviders: CalendarProviders
}

export type ExternalCalendarsDeps = AccessDeps &
  DefaultPlanSettings &
  EventHooks & {
    /** The product's own URL, without a trailing slash. */
    readonly baseUrl: string
    readonly budgets: Budgets
  }

/** The dependencies of a sync. */
export type SyncDeps = AccessDeps & EventHooks
