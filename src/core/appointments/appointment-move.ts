import { DAY_MS } from '#core/shared/duration.ts'
import { type Interval, isSameInterval } from '#core/shared/interval.ts'
import {
  decideOwnerStartTime,
  type FinalReason,
  type StartReason,
  type StartWarning,
} from '#core/slots/explain-start.ts'
import type { AppointmentStatus } from './cancellation-request.ts'

/**
 * The side that moves an appointment: the owner in Meridian, the owner by moving the event in an external calendar, or the
 * customer.
 */
export type MoveCause = 'owner' | 'external_calendar' | 'customer'

type MovedAppointment = { readonly status: AppointmentStatus; readonly time: Interval }

export type RequestedMove = {
  readonly time: Interval
  /** The start that the person saw before moving; used to detect concurrent moves. */
  readonly expectedStartMs: number
  readonly causedBy: Exclude<MoveCause, 'customer'>
  /** True when the owner has confirmed a time that customers are not offered. */
  readonly anyway: boolean
}

export type MoveRefusal =
  | 'state'
  | 'changed_meanwhile'
  | 'longer_than_day'
  | 'past'
  | FinalReason
  | StartWarning

/** `done`: the appointment already has this time, so no message is sent. */
export type MoveDecision =
  | { readonly kind: 'move' | 'done' }
  | { readonly kind: 'refused'; readonly reason: MoveRefusal }

/** Maximum length of an appointment after a move. Constraints of lists and slots look back this far (rule C12). */
const LONGEST_MS = DAY_MS

/**
 * Decides whether an appointment can be moved. Holds cannot be moved, because the customer is paying for that exact
 * time. `reasons` are those against the new time, computed without the appointment itself. An owner in Meridian must
 * confirm a time that customers are not offered; an owner who moved the event in an external calendar has already
 * decided. Source: rules A16 and G12.
 */
export function decideMove(
  appointment: MovedAppointment,
  wanted: RequestedMove,
  { reasons, nowMs }: { readonly reasons: readonly StartReason[]; readonly nowMs: number },
): MoveDecision {
  const { status, time: present } = appointment
  const { time, expectedStartMs, causedBy, anyway } = wanted
  const isFollowed = causedBy === 'external_calendar'
  const canMove = status === 'confirmed' || status === 'pending_cancellation'
  if (!canMove || present.startMs <= nowMs) return refused('state')
  if (isSameInterval(time, present)) return { kind: 'done' }
  if (present.startMs !== expectedStartMs) return refused('changed_meanwhile')
  if (time.endMs - time.startMs > LONGEST_MS) return refused('longer_than_day')
  if (isFollowed && time.startMs <= nowMs) return refused('past')
  const decision = decideOwnerStartTime(reasons, anyway || isFollowed)
  return decision.ok ? { kind: 'move' } : refused(decision.reason)
}

/**
 * Whether the policy stored with the booking lets the customer move it. `absent`: the owner is away on these days and
 * asked the customer to choose another time (rule A23).
 */
export type MoveTerms =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'not_allowed' | 'too_late' | 'too_often' | 'absent' }

export type CustomerMoveRefusal =
  | Extract<MoveRefusal, 'state' | 'changed_meanwhile'>
  | Extract<MoveTerms, { ok: false }>['reason']
  | 'unavailable'
  | 'location_taken'
  | 'full'
  | 'limit'

export type CustomerMoveDecision =
  | { readonly kind: 'move' | 'done' }
  | { readonly kind: 'refused'; readonly reason: CustomerMoveRefusal }

/**
 * Decides whether a customer may move their appointment: the policy must allow it, and the new time must be one that
 * customers are offered when the appointment itself is ignored. Source: rule A19.
 */
export function decideMoveByCustomer(
  { status, time: present }: MovedAppointment,
  { time, expectedStartMs }: Pick<RequestedMove, 'time' | 'expectedStartMs'>,
  around: {
    readonly terms: MoveTerms
    readonly verdict: 'open' | 'unavailable' | 'location_taken' | 'limit' | 'full'
    readonly nowMs: number
  },
): CustomerMoveDecision {
  const { terms, verdict, nowMs } = around
  if (status !== 'confirmed' || present.startMs <= nowMs) return refused('state')
  if (isSameInterval(time, present)) return { kind: 'done' }
  if (present.startMs !== expectedStartMs) return refused('changed_meanwhile')
  if (!terms.ok) return refused(terms.reason)
  return verdict === 'open' ? { kind: 'move' } : refused(verdict)
}

function refused<Reason>(reason: Reason): { readonly kind: 'refused'; readonly reason: Reason } {
  return { kind: 'refused', reason }
}
