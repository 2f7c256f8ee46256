import type { AppointmentStatus } from '#core/appointments/cancellation-request.ts'
import { HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { type Interval, isSameInterval } from '#core/shared/interval.ts'

/** The facts that decide whether an appointment has an event in an external calendar. */
export type EventSyncState = {
  readonly status: AppointmentStatus
  /** True while the appointment is a hold that waits for payment or an email code, and after that hold expired. */
  readonly isHeld: boolean
  readonly isReleased: boolean
  /** True when the event of the appointment's session belongs to another seat. Source: rule G34. */
  readonly isInOthersEvent: boolean
}

/** Open holds and cancelled appointments have no event. Source: rule G9. */
function hasEvent({ status, isHeld, isReleased, isInOthersEvent }: EventSyncState): boolean {
  return (
    status !== 'cancelled' && !isReleased && !(status === 'pending_payment' && isHeld) && !isInOthersEvent
  )
}

export type EventWrite = 'create' | 'update' | 'remove' | 'nothing'

/**
 * Decides what to write to the external calendar. Compares content hashes, so nothing is written twice. An existing
 * event stays in its external calendar even when the Meridian calendar now writes to another one or to none. Source:
 * rules G10 and G11.
 */
export function decideEventWrite(
  standing: EventSyncState,
  event: {
    /** Hash of the content that the event should have. */
    readonly contentHash: string
    /** Hash of the content last written; null when there is no event. */
    readonly writtenHash: string | null
    /** True when the Meridian calendar writes to an external calendar. */
    readonly isWanted: boolean
  },
): EventWrite {
  const { contentHash, writtenHash, isWanted } = event
  if (!hasEvent(standing)) return writtenHash === null ? 'nothing' : 'remove'
  if (writtenHash === null) return isWanted ? 'create' : 'nothing'
  return writtenHash === contentHash ? 'nothing' : 'update'
}

/**
 * Resolves a conflict: the event changed at the provider since our last write, and the appointment changed in Meridian
 * too. A new time in Meridian wins, because the customer already knows it. A new time at the provider is left to the
 * sync, which adopts or reverts it. Source: rule G12.
 */
export function resolveEventConflict(times: {
  readonly here: Interval
  /** The time last written to, or adopted from, the provider. */
  readonly written: Interval
  /** The time at the provider; null when the event is not a single time. */
  readonly there: Interval | null
  readonly isFollowed: boolean
}): 'overwrite' | 'leave_to_sync' {
  const { here, written, there, isFollowed } = times
  if (there !== null && (isSameInterval(there, written) || isSameInterval(there, here))) return 'overwrite'
  if (!isSameInterval(here, written) || !isFollowed) return 'overwrite'
  return 'leave_to_sync'
}

/** First and longest pause after a failed write, in milliseconds. The pause doubles each time. */
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 5 * 60_000

/**
 * How long to pause writes to an account after a failure: the provider's Retry-After or exponential backoff, whichever
 * is longer.
 */
export function toAccountPauseMs(failedAttempts: number, retryAfterMs: number | null): number {
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (failedAttempts - 1), LONGEST_PAUSE_MS)
  return Math.max(pauseMs, retryAfterMs ?? 0)
}

/** How long to pause a single failing event while other events of the account are still written. */
export function toEventPauseMs(failedAttempts: number): number {
  return Math.min(MINUTE_MS * 2 ** (failedAttempts - 1), HOUR_MS)
}
