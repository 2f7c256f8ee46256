import { MINUTE_MS } from '#core/shared/duration.ts'
import { type Interval, isSameTime } from '#core/shared/interval.ts'

/** What an external calendar says about the event of an appointment. */
export type ChangedEvent = {
  /** The appointment takes place and is still to come. */
  readonly isStanding: boolean
  readonly here: Interval
  /** That was written or followed last. */
  readonly written: Interval
  /**
   * `deleted`; `foreign` when an event that somebody else organises has its id now; or its time there, null when it is not a single
   * time any more.
   */
  readonly there: 'deleted' | 'foreign' | Interval | null
}

/**
 * - `none`: our own write, or a change that belongs to the owner (title, notes, guests).
 * - `stale`: the appointment was moved here after the event was written. The event is written again: it gets the new time, or is
 *   created again when it was deleted.
 * - `replaced`: an event of somebody else has taken its id. The appointment does not follow it, and gets an event of its own again.
 */
export type ChangeKind = 'none' | 'stale' | 'moved' | 'deleted' | 'replaced'

/** Tells our own writes from changes of the owner, by content and not by time. Source: rules G12 and G14. */
export function toChangeKind({ isStanding, here, written, there }: ChangedEvent): ChangeKind {
  if (!isStanding) return 'none'
  if (there === 'foreign') return 'replaced'
  if (there !== 'deleted' && there !== null && (isSameTime(there, written) || isSameTime(there, here)))
    return 'none'
  if (!isSameTime(here, written)) return 'stale'
  return there === 'deleted' ? 'deleted' : 'moved'
}

/** Why nothing is followed by itself. */
export type GuardReason = 'many_deletions' | 'many_moves' | 'calendar_gone' | 'reconnected'

/** Events that may be deleted at once and are still followed one by one. */
const MOST_DELETIONS = 3
/** The same of moves. An owner moves a day's appointments by hand; an import with a wrong zone moves them all. */
const MOST_MOVES = 5
/** Changes within this time count as one: notifications cut the deletion of a hundred events into several syncs. */
export const AT_ONCE_MS = 5 * MINUTE_MS

/**
 * Why the owner is asked before anything is followed; null when each change is followed by itself. Source: rule G13.
 */
export function findGuardReason(sync: {
  readonly isCalendarGone: boolean
  readonly isFirstAfterReconnect: boolean
  readonly deletions: number
  /** Cancelled by deletions in the last minutes (`AT_ONCE_MS`). */
  readonly recentDeletions: number
  readonly moves: number
  /** Moved by moves there in the last minutes (`AT_ONCE_MS`). */
  readonly recentMoves: number
  /** Nothing is left in the calendar. */
  readonly isEmpty: boolean
}): GuardReason | null {
  const { isCalendarGone, isFirstAfterReconnect, deletions, recentDeletions, moves, recentMoves, isEmpty } =
    sync
  if (isCalendarGone) return 'calendar_gone'
  if (isFirstAfterReconnect) return 'reconnected'
  if (deletions > 0 && deletions + recentDeletions > MOST_DELETIONS) return 'many_deletions'
  if (moves > 0 && moves + recentMoves > MOST_MOVES) return 'many_moves'
  // When one deletion empties the calendar, the owner deleted its only event. When several do, the owner emptied the calendar.
  return isEmpty && deletions > 1 ? 'calendar_gone' : null
}
