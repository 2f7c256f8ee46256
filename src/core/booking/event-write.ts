import { HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { type Interval, isSameTime } from '#core/shared/interval.ts'
import type { AppointmentStatus } from './cancellation-request.ts'

/** What decides whether an appointment has an event in an external calendar. */
export type EventSyncState = {
  readonly status: AppointmentStatus
  /** It waits for its payment or for the code of an email, or waited in vain. */
  readonly isHeld: boolean
  readonly isReleased: boolean
}

/** A hold has no event before it counts, and what is cancelled has none any more. Source: rule G9. */
function hasEvent({ status, isHeld, isReleased }: EventSyncState): boolean {
  return status !== 'cancelled' && !isReleased && !(status === 'pending_payment' && isHeld)
}

export type EventWrite = 'create' | 'update' | 'remove' | 'nothing'

/**
 * What has to be done in the external calendar. Contents are compared, so that nothing is written twice. An event stays in the
 * calendar that it was written to, also when its calendar writes elsewhere or nowhere by now. Source: rules G10 and G11.
 */
export function decideEventWrite(
  standing: EventSyncState,
  event: {
    /** Of the content that it should have. */
    readonly contentHash: string
    /** Of the content that was written; null when there is no event. */
    readonly writtenHash: string | null
    /** The calendar writes to an external calendar. */
    readonly isWanted: boolean
  },
): EventWrite {
  const { contentHash, writtenHash, isWanted } = event
  if (!hasEvent(standing)) return writtenHash === null ? 'nothing' : 'remove'
  if (writtenHash === null) return isWanted ? 'create' : 'nothing'
  return writtenHash === contentHash ? 'nothing' : 'update'
}

/**
 * What to do with an event that changed there since our last write, while the appointment changed here, too. A new time that was
 * given here wins: its customer has been told. A new time that was given there is for the sync, which follows it or puts the event
 * back. Source: rule G12.
 */
export function decideConflict(times: {
  readonly here: Interval
  /** That was written or followed last. */
  readonly written: Interval
  /** Null when it is not a single time. */
  readonly there: Interval | null
  readonly isFollowed: boolean
}): 'overwrite' | 'leave_to_sync' {
  const { here, written, there, isFollowed } = times
  if (there !== null && (isSameTime(there, written) || isSameTime(there, here))) return 'overwrite'
  if (!isSameTime(here, written) || !isFollowed) return 'overwrite'
  return 'leave_to_sync'
}

/** The first pause after a provider did not answer, and the longest, in milliseconds. The pauses double. */
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 5 * 60_000

/** How long nothing is written to an account after a failure: as long as the provider asks for, else longer each time. */
export function toPauseMs(failedAttempts: number, retryAfterMs: number | null): number {
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (failedAttempts - 1), LONGEST_PAUSE_MS)
  return Math.max(pauseMs, retryAfterMs ?? 0)
}

/** How long one event is left alone that failed by itself, while the others of its account are written. */
export function toEventPauseMs(failedAttempts: number): number {
  return Math.min(MINUTE_MS * 2 ** (failedAttempts - 1), HOUR_MS)
}
