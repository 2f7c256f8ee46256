import type { Budgets } from '#server/platform/budgets/budgets.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Log } from '#server/platform/log.ts'
import type { SecretBox } from '#server/platform/secrets/secret-box.ts'
import type { CalendarProviders, ExternalChange } from '#server/ports/external-calendar.ts'
import type { PlanSettings } from '#server/records/subscription/use-cases.ts'
import type { EventToRemove } from './job-definitions.ts'

/** What a finished sync of one external calendar says about the events that we wrote there. */
export type OwnEventsSync = {
  readonly externalCalendarId: string
  /**
   * Changes of our own events: those with an appointment, and those whose id is in `appointment_events`. A null event is
   * deleted. After a full sync, events of appointments still to come that it did not see are among them as deleted: such an
   * event may also have been moved out of the window, so ask for it before anything is cancelled.
   */
  readonly changes: readonly ExternalChange[]
  readonly isFullSync: boolean
  /** Or the first since the calendar is in use, or since changes there are followed again. */
  readonly isFirstAfterReconnect: boolean
  /** The provider does not list the calendar any more; then there are no changes. */
  readonly isCalendarGone: boolean
}

/** What the features that write events offer, so that nobody needs each other in a circle. */
export type EventHooks = {
  /**
   * Follows changes of our own events. It is called before the cursor is stored, so the same changes come again when the
   * process is killed, or when it throws.
   */
  readonly followChanges: (sync: OwnEventsSync) => Promise<void>
  /** Removes the events that we wrote through a connection that is to end. When it throws, it is called again later. */
  readonly removeWrittenEvents: (connectionId: string) => Promise<void>
  /**
   * Takes over the removals of events that are queued for connections. Whoever takes them has to remove the events: their own jobs do
   * not run any more. It is called before the connections are deleted. Source: rule D4.
   */
  readonly takeRemovals: (
    trx: Trx,
    connectionIds: readonly string[],
  ) => Promise<readonly (EventToRemove & { readonly connectionId: string })[]>
  /** A calendar has another external calendar to write to, or writing was switched on: what is still to come is written. */
  readonly writeUpcoming: (trx: Trx, calendarId: string) => Promise<void>
  /** A connection works again: what waits is written. */
  readonly writeWaiting: (trx: Trx, connectionId: string) => Promise<void>
}

/** What it takes to use an account at a provider. */
export type AccessDeps = {
  readonly db: Db
  readonly now: Clock
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly jobs: Pick<JobQueue, 'insert' | 'send'>
  readonly secrets: SecretBox
  readonly calendarProviders: CalendarProviders
}

export type ExternalCalendarsDeps = AccessDeps &
  PlanSettings &
  EventHooks & {
    /** The product's own address, without a trailing slash. */
    readonly baseUrl: string
    readonly budgets: Budgets
  }

/** What it takes to sync. */
export type SyncDeps = AccessDeps & EventHooks
