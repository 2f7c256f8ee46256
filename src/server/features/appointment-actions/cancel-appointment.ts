import { decideAction } from '#core/booking/appointment-actions.ts'
import { recordHistory } from '#server/features/appointment-history/use-cases.ts'
import { type AppointmentKey, lockActedAppointment } from '#server/features/appointments/state-repository.ts'
import type { BookingsDeps } from '#server/features/bookings/deps.ts'
import { lockBookableCalendar } from '#server/features/bookings/repository.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { carryOut } from './carry-out-action.ts'

/**
 * Cancels an appointment because its owner deleted its event in the external calendar. It does the same as the action Cancel: both
 * sides are told, and no money is returned. An appointment that is cancelled already stays cancelled. Source: rule G12.
 * @throws ProblemError `appointment.action_not_offered` when the owner could not cancel it here either
 */
export async function cancelByEvent(deps: BookingsDeps, key: AppointmentKey): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const calendar = await lockBookableCalendar(trx, key.calendarId)
    const appointment = calendar && (await lockActedAppointment(trx, key))
    if (calendar === null || appointment === null || appointment.state.status === 'cancelled') return
    const action = appointment.state.status === 'pending_cancellation' ? 'approve_cancellation' : 'cancel'
    const decision = decideAction(action, appointment.state)
    if (!decision.ok) throw new ProblemError('appointment.action_not_offered')
    const { bufferMinutes } = calendar.rules
    await carryOut(deps, trx, { key, action, appointment, decision, bufferMinutes, refund: null })
    const at = new Date(deps.now())
    await recordHistory(trx, key, { kind: 'cancelled', causedBy: 'external_calendar', details: {}, at })
  })
}
