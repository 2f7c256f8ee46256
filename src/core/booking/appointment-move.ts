import { decideOwnerStart, type StartCheck, type StartWarning } from '#core/scheduling/judge-start.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { type Interval, isSameTime } from '#core/shared/interval.ts'
import type { AppointmentStatus } from './cancellation-request.ts'

/** Who moves an appointment: its owner here, its owner by moving its event in an external calendar, or its customer. */
export type MoveCause = 'owner' | 'external_calendar' | 'customer'

type MovedAppointment = { readonly status: AppointmentStatus; readonly time: Interval }

export type WantedMove = {
  readonly time: Interval
  /** The start that whoever moves it saw before. */
  readonly expectedStartMs: number
  readonly causedBy: Exclude<MoveCause, 'customer'>
  /** The owner has read that customers are not offered this time. */
  readonly anyway: boolean
}

export type MoveRefusal =
  | 'state'
  | 'changed_meanwhile'
  | 'longer_than_day'
  | 'past'
  | Exclude<StartCheck['kind'], 'free'>
  | StartWarning

/** `done`: it is there already, so nobody is told again. */
export type MoveDecision =
  | { readonly kind: 'move' | 'done' }
  | { readonly kind: 'refused'; readonly reason: MoveRefusal }

/** The longest appointment that a move makes. The constraints of lists and slots look back as far (rule C12). */
const LONGEST_MS = DAY_MS

/**
 * Decides whether an appointment gets another time. A hold is not moved: its customer is paying for the time that it has.
 * `verdict` says what stands against the new time while the appointment itself does not take any. An owner here is asked first
 * about a time that customers are not offered; an owner who moved the event there has decided already.
 *
 * Source: rules A16 and G12.
 */
export function decideMove(
  appointment: MovedAppointment,
  wanted: WantedMove,
  { verdict, nowMs }: { readonly verdict: StartCheck; readonly nowMs: number },
): MoveDecision {
  const { status, time: present } = appointment
  const { time, expectedStartMs, causedBy, anyway } = wanted
  const isFollowed = causedBy === 'external_calendar'
  const canMove = status === 'confirmed' || status === 'pending_cancellation'
  if (!canMove || present.startMs <= nowMs) return refused('state')
  if (isSameTime(time, present)) return { kind: 'done' }
  if (present.startMs !== expectedStartMs) return refused('changed_meanwhile')
  if (time.endMs - time.startMs > LONGEST_MS) return refused('longer_than_day')
  if (isFollowed && time.startMs <= nowMs) return refused('past')
  const decision = decideOwnerStart(verdict, anyway || isFollowed)
  return decision.ok ? { kind: 'move' } : refused(decision.reason)
}

/**
 * What the policy, as it was frozen at the booking, says about a move by the customer. `absent`: the owner has asked them not to come
 * on these days (rule A23).
 */
export type MoveTerms =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'not_allowed' | 'too_late' | 'too_often' | 'absent' }

export type CustomerMoveRefusal =
  | Extract<MoveRefusal, 'state' | 'changed_meanwhile'>
  | Extract<MoveTerms, { ok: false }>['reason']
  | 'unavailable'
  | 'location_taken'

export type CustomerMoveDecision =
  | { readonly kind: 'move' | 'done' }
  | { readonly kind: 'refused'; readonly reason: CustomerMoveRefusal }

/**
 * Decides whether a customer gives their appointment another time: one that they are offered while the appointment itself does not
 * take any, as far as the policy allows it. Source: rule A19.
 */
export function decideMoveByCustomer(
  { status, time: present }: MovedAppointment,
  { time, expectedStartMs }: Pick<WantedMove, 'time' | 'expectedStartMs'>,
  around: {
    readonly terms: MoveTerms
    readonly verdict: 'open' | 'unavailable' | 'location_taken'
    readonly nowMs: number
  },
): CustomerMoveDecision {
  const { terms, verdict, nowMs } = around
  if (status !== 'confirmed' || present.startMs <= nowMs) return refused('state')
  if (isSameTime(time, present)) return { kind: 'done' }
  if (present.startMs !== expectedStartMs) return refused('changed_meanwhile')
  if (!terms.ok) return refused(terms.reason)
  return verdict === 'open' ? { kind: 'move' } : refused(verdict)
}

function refused<Reason>(reason: Reason): { readonly kind: 'refused'; readonly reason: Reason } {
  return { kind: 'refused', reason }
}
