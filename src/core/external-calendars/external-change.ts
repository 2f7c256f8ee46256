import { MINUTE_MS } from '#core/shared/duration.ts'
import { type Interval, isSameInterval } from '#core/shared/interval.ts'

/** What an external calendar reports about an appointment's event. */
export type ChangedEvent = {
  /** True when the appointment is not cancelled and has not ended. */
  readonly isUpcoming: boolean
  readonly appointmentTime: Interval
  /** The time last written to, or adopted from, the provider. */
  readonly written: Interval
  /**
   * `deleted`; `foreign` when another organizer's event now has this id; otherwise the event's time, or null when it is
   * no longer a single time.
   */
  readonly eventTime: 'deleted' | 'foreign' | Interval | null
}

/**
 * - `none`: our own write, or a change that belongs to the owner (title, notes, guests).
 * - `stale`: the appointment was moved in Meridian after the event was written. The event is rewritten with the new
 * time, or recreated when it was deleted.
 * - `replaced`: another organizer's event has taken the id. The appointment ignores it and gets a new event.
 */
export type EventChangeKind = 'none' | 'stale' | 'moved' | 'deleted' | 'replaced'

/**
 * Distinguishes our own writes from the owner's changes by comparing content, not timestamps. Source: rules G12 and
 * G14.
 */
export function classifyEventChange({
  isUpcoming,
  appointmentTime,
  written,
  eventTime,
}: ChangedEvent): EventChangeKind {
  if (!isUpcoming) return 'none'
  if (eventTime === 'foreign') return 'replaced'
  if (
    eventTime !== 'deleted' &&
    eventTime !== null &&
    (isSameInterval(eventTime, written) || isSameInterval(eventTime, appointmentTime))
  )
    return 'none'
  if (!isSameInterval(appointmentTime, written)) return 'stale'
  return eventTime === 'deleted' ? 'deleted' : 'moved'
}

/** Why a sync asks the owner before it applies changes. */
export type SyncConfirmationReason =
  | 'many_deletions'
  | 'many_moves'
  | 'calendar_gone'
  | 'reconnected'
  | 'group_session'

/** Up to this many simultaneous deletions are applied without asking. */
const MOST_DELETIONS = 3
/**
 * Up to this many simultaneous moves are applied without asking. Owners move a day's appointments by hand; an import
 * with a wrong time zone moves all of them.
 */
const MOST_MOVES = 5
/**
 * Changes within this period count as simultaneous: notifications can split the deletion of a hundred events into
 * several syncs.
 */
export const SIMULTANEOUS_CHANGES_MS = 5 * MINUTE_MS

/**
 * Returns why the owner must be asked before changes are applied; null when they can be applied directly. Source: rule
 * G13.
 */
export function findSyncConfirmationReason(sync: {
  readonly isCalendarGone: boolean
  readonly isFirstAfterReconnect: boolean
  readonly deletions: number
  /** Appointments cancelled by event deletions within the last `SIMULTANEOUS_CHANGES_MS`. */
  readonly recentDeletions: number
  readonly moves: number
  /** Appointments moved by event moves within the last `SIMULTANEOUS_CHANGES_MS`. */
  readonly recentMoves: number
  /** True when the external calendar is empty. */
  readonly isEmpty: boolean
}): SyncConfirmationReason | null {
  const { isCalendarGone, isFirstAfterReconnect, deletions, recentDeletions, moves, recentMoves, isEmpty } =
    sync
  if (isCalendarGone) return 'calendar_gone'
  if (isFirstAfterReconnect) return 'reconnected'
  if (deletions > 0 && deletions + recentDeletions > MOST_DELETIONS) return 'many_deletions'
  if (moves > 0 && moves + recentMoves > MOST_MOVES) return 'many_moves'
  // One deletion that empties the calendar removed its only event. Several mean that the owner cleared the calendar.
  return isEmpty && deletions > 1 ? 'calendar_gone' : null
}
