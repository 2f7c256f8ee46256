import { decideAction, isCancellable } from '#core/appointments/appointment-actions.ts'
import {
  type RefundAmount,
  toPolicyRefund,
  toRefundReferenceTimeMs,
} from '#core/appointments/decide-refund.ts'
import type { BookingsDeps } from '#server/areas/appointments/bookings/deps.ts'
import { lockBookableCalendar } from '#server/areas/appointments/bookings/repository.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import {
  type AppointmentForAction,
  type AppointmentKey,
  lockAppointmentForAction,
} from '#server/records/appointments/state-repository.ts'
import { recordHistory } from '#server/records/history/use-cases.ts'
import { listSeats } from '#server/records/slots/sessions-repository.ts'
import { type ActionToApply, applyAction } from './apply-action.ts'

/**
 * Cancels an appointment because its owner deleted its event in the external calendar. We email both sides, as for the action
 * Cancel, and refund the customer by the booking's policy. Does nothing if the appointment is already cancelled. The event of a
 * group session stands for everybody in it: only the customers are emailed, and seats that wait for their payment stay. Source:
 * rules G12, G35 and Q8.
 * @throws ProblemError `appointment.action_not_offered` when the owner could not cancel the appointment in Meridian either
 */
export async function cancelForDeletedEvent(deps: BookingsDeps, key: AppointmentKey): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const found = await lockCancellableAppointment(trx, key)
    if (found === null || found.appointment.state.status === 'cancelled') return
    const { session } = found.appointment
    const cancel = (id: string, appointment: AppointmentForAction) =>
      cancelLockedAppointment(deps, trx, {
        ...found,
        appointment,
        key: { ...key, id },
        causedBy: 'external_calendar',
        givesBack: toOwnerCancellationRefund(appointment, deps.now()),
        ...(session === null ? {} : { ofMany: { countedFor: appointment.bookedBy, note: '' } }),
      })
    if (session === null) return cancel(key.id, found.appointment)
    const seats = new Map<string, AppointmentForAction>()
    for (const id of await listSeats(trx, { ...key, sessionId: session.id })) {
      const seat = await lockAppointmentForAction(trx, { ...key, id })
      if (seat !== null && isCancellable(seat.state)) seats.set(id, seat)
    }
    if (seats.size === 0) throw new ProblemError('appointment.action_not_offered')
    for (const [id, seat] of seats) await cancel(id, seat)
  })
}

/** Returns the refund that the policy grants when the owner decides to cancel at `decidedAtMs`. Source: rule Q8. */
export function toOwnerCancellationRefund(
  appointment: AppointmentForAction,
  decidedAtMs: number,
): RefundAmount | null {
  const { state, priceCents, cancellationAskedAtMs } = appointment
  const paidCents = state.paymentStatus === 'paid' ? priceCents : null
  return toPolicyRefund(
    { ...appointment, paidCents },
    toRefundReferenceTimeMs(cancellationAskedAtMs, decidedAtMs),
  )
}

export type CancellableAppointment = {
  readonly appointment: AppointmentForAction
  readonly bufferMinutes: number
}

/** Locks the calendar, then the appointment. Returns null when the appointment does not exist. */
export async function lockCancellableAppointment(
  trx: Trx,
  key: AppointmentKey,
): Promise<CancellableAppointment | null> {
  const calendar = await lockBookableCalendar(trx, key.calendarId)
  const appointment = calendar && (await lockAppointmentForAction(trx, key))
  return appointment && { appointment, bufferMinutes: calendar.rules.bufferMinutes }
}

/**
 * Cancels a locked appointment, emails both sides and adds an entry to its history. A job makes the refund after the
 * transaction. Source: rules Q4 and Q9.
 * @throws ProblemError `appointment.action_not_offered`
 */
export async function cancelLockedAppointment(
  deps: BookingsDeps,
  trx: Trx,
  cancellation: CancellableAppointment & {
    readonly key: AppointmentKey
    readonly causedBy: 'customer' | 'owner' | 'external_calendar'
    readonly givesBack: RefundAmount | null
    readonly ofMany?: NonNullable<ActionToApply['ofMany']>
    readonly ofSeries?: NonNullable<ActionToApply['ofSeries']>
  },
): Promise<void> {
  const { key, appointment, causedBy } = cancellation
  const action = appointment.state.status === 'pending_cancellation' ? 'approve_cancellation' : 'cancel'
  const decision = decideAction(action, appointment.state)
  if (!decision.ok) throw new ProblemError('appointment.action_not_offered')
  const by = causedBy === 'customer' ? 'customer' : 'owner'
  await applyAction(deps, trx, { ...cancellation, action, decision, causedBy: by, refund: null })
  const at = new Date(deps.now())
  await recordHistory(trx, key, { kind: 'cancelled', causedBy, details: {}, at })
}

/** Returns which date of a series has the one email about all dates that are cancelled together, by its place. Source: rule B45. */
export function inOneEmail(
  dates: readonly { readonly key: AppointmentKey }[],
  place: number,
): { readonly ofSeries?: NonNullable<ActionToApply['ofSeries']> } {
  const [, ...others] = dates.map(({ key }) => key.id)
  if (others.length === 0) return {}
  return { ofSeries: place === 0 ? { others } : 'named' }
}
