import type { MoveAppointmentResponse } from '#contract/appointments/moves.ts'
import type { MessageKind } from '#contract/messages/messages.ts'
import type { MoveCause } from '#core/appointments/appointment-move.ts'
import { toRefundReferenceTimeMs } from '#core/appointments/decide-refund.ts'
import { type RefundShareLimits, refundLimitsAfterMove } from '#core/appointments/refund-shares.ts'
import { type Interval, isSameInterval } from '#core/shared/interval.ts'
import type { MoveDeps } from '#server/areas/appointments/bookings/deps.ts'
import { tryToQueueMails } from '#server/areas/appointments/bookings/queue-mails.ts'
import {
  findAnnouncedStart,
  lockHeldMessages,
  type TimeBeforeMove,
  withdrawMessages,
} from '#server/messages/queue/held-message-repository.ts'
import {
  queueMessagesAfterSilentMove,
  queueMessagesAfterUndoneMove,
} from '#server/messages/queue/use-cases.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import {
  type AppointmentForAction,
  type AppointmentKey,
  hasCustomerEmail,
} from '#server/records/appointments/state-repository.ts'

/** A move of a locked appointment. */
export type LockedMove = {
  readonly key: AppointmentKey
  readonly causedBy: MoveCause
  readonly notifyCustomer: boolean
  readonly appointment: AppointmentForAction
  readonly time: Interval
  readonly at: Date
}

/**
 * The time that the recipients of emails about a move were last told. `isBack` is true when the move returns to that
 * time.
 */
export type LastAnnouncedTime = {
  readonly before: TimeBeforeMove
  readonly isBack: boolean
  /** Unsent messages about earlier moves, which this move cancels. */
  readonly heldIds: readonly string[]
}

/**
 * Finds the time that the recipients of emails about a move were last told. While no email about an earlier move has
 * been sent, that is the time before the earlier move. A move undoes only earlier moves by the same person: a move by
 * somebody else is already known to that person. Source: rule A18.
 */
export async function findLastAnnouncedTime(
  trx: Trx,
  { key, causedBy, appointment, time }: Pick<LockedMove, 'key' | 'causedBy' | 'appointment' | 'time'>,
): Promise<LastAnnouncedTime> {
  const { calendarId, id: appointmentId } = key
  const held =
    causedBy === 'external_calendar'
      ? null
      : await lockHeldMessages(trx, { calendarId, appointmentId, causedBy, sequence: appointment.sequence })
  if (held === null) return { before: toStateBefore(appointment), isBack: false, heldIds: [] }
  const { starts_at, ends_at } = held.before
  const isBack = isSameInterval(time, { startMs: Date.parse(starts_at), endMs: Date.parse(ends_at) })
  return { before: held.before, isBack, heldIds: held.ids }
}

/** Returns the `moved` columns after this move. A move back restores their values from before the undone move. */
export function toMovedColumns(
  { before, isBack }: LastAnnouncedTime,
  at: Date,
): AppointmentForAction['moved'] {
  if (!isBack) return { at, from: new Date(before.starts_at) }
  const { moved_at, moved_from } = before
  return moved_at === null || moved_from === null
    ? null
    : { at: new Date(moved_at), from: new Date(moved_from) }
}

/**
 * Returns the limits on the refund share after this move. While no email about an earlier move by the same person has
 * been sent, both moves count as one move from the time before them. A move back restores the earlier limits. If the
 * owner asked the customer to choose another time, the move counts as the owner's. Source: rule Q8.
 */
export function toRefundShareLimits(
  { appointment, causedBy, time, at }: Pick<LockedMove, 'appointment' | 'causedBy' | 'time' | 'at'>,
  { before, isBack }: LastAnnouncedTime,
  /** True when the owner asked the customer to move away from the time that the customer was last told. */
  isAsked: boolean,
): RefundShareLimits {
  const refundShares = { most: before.most_refund_share, least: before.least_refund_share }
  if (isBack) return refundShares
  const { policy, cancellationAskedAtMs } = appointment
  return refundLimitsAfterMove(
    { policy, startsAtMs: Date.parse(before.starts_at), refundShares },
    { causedBy: causedBy === 'customer' && !isAsked ? 'customer' : 'owner', toMs: time.startMs },
    toRefundReferenceTimeMs(cancellationAskedAtMs, at.getTime()),
  )
}

/**
 * Queues the emails about a move, with a delay during which the move can be undone. A move back sends no email about
 * itself. Instead, and also when the owner chose not to notify the customer, the emails that were pending before the
 * move are queued again. Source: rule A18.
 */
export async function queueMoveMessages(
  deps: MoveDeps,
  trx: Trx,
  move: LockedMove,
  { before, isBack, heldIds }: LastAnnouncedTime,
): Promise<MoveAppointmentResponse['email']> {
  const { key, causedBy, appointment, at } = move
  const sequence = appointment.sequence + 1
  const { calendarId, id: appointmentId } = key
  await withdrawMessages(trx, calendarId, { ids: heldIds, at })
  const revision = { from: before.sequence, to: sequence, at }
  if (isBack) {
    await queueMessagesAfterUndoneMove(deps, trx, { calendarId, appointmentId }, revision)
    return 'none'
  }
  // An unsent message about an earlier move is cancelled, so this message must quote the time before that move.
  const earlier = await findAnnouncedStart(trx, key, appointment.sequence)
  const known = earlier === null || Date.parse(earlier) === move.time.startMs ? before.starts_at : earlier
  if (!isCustomerNotified(move))
    await queueMessagesAfterSilentMove(deps, trx, { calendarId, appointmentId }, revision)
  const afterSeconds = toMoveUndoSeconds(deps, causedBy)
  const areQueued = await tryToQueueMails(
    deps,
    trx,
    listMails(move),
    {
      calendarId,
      appointmentId,
      causedBy: causedBy === 'customer' ? 'customer' : 'owner',
      revision: { sequence, changedAt: at },
      details: { known },
      ...(afterSeconds > 0 ? { undo: before } : {}),
    },
    { afterSeconds },
  )
  if (!isCustomerNotified(move) || !(await hasCustomerEmail(trx, key))) return 'none'
  return areQueued ? 'queued' : 'failed'
}

/**
 * Returns how long a move can be undone, in seconds. A move made in an external calendar cannot be undone here, because
 * the owner can move the event back there. Source: rule A18.
 */
export function toMoveUndoSeconds(
  { undoSeconds }: Pick<MoveDeps, 'undoSeconds'>,
  causedBy: MoveCause,
): number {
  return causedBy === 'external_calendar' ? 0 : undoSeconds
}

function toStateBefore(appointment: AppointmentForAction): TimeBeforeMove {
  const { startsAtMs, endsAtMs, sequence, moved, refundShares } = appointment
  return {
    starts_at: new Date(startsAtMs).toISOString(),
    ends_at: new Date(endsAtMs).toISOString(),
    sequence,
    moved_at: moved?.at.toISOString() ?? null,
    moved_from: moved?.from.toISOString() ?? null,
    most_refund_share: refundShares.most,
    least_refund_share: refundShares.least,
  }
}

const TO_OWNER = {
  // The owner made the move, so the owner gets no email.
  owner: [],
  // This email confirms to the owner that the appointment was moved along with its event.
  external_calendar: ['owner_moved'],
  customer: ['owner_moved_by_customer'],
} as const satisfies Record<MoveCause, readonly MessageKind[]>

function listMails(move: LockedMove): MessageKind[] {
  return [...(isCustomerNotified(move) ? (['moved'] as const) : []), ...TO_OWNER[move.causedBy]]
}

/**
 * True when the customer gets an email: none is sent about an appointment that has already begun, because the customer
 * is present. Source: rule O8.
 */
function isCustomerNotified({ notifyCustomer, time, at }: LockedMove): boolean {
  return notifyCustomer && time.startMs > at.getTime()
}
