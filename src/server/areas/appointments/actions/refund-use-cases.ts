import type { SettleRefundBody } from '#contract/appointments/appointment-actions.ts'
import { decideAction } from '#core/appointments/appointment-actions.ts'
import type { BookingsDeps } from '#server/areas/appointments/bookings/deps.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import {
  type AppointmentKey,
  lockAppointmentForAction,
} from '#server/records/appointments/state-repository.ts'
import { lockOwnCalendar } from '#server/records/calendars/use-cases.ts'
import {
  clearRefundFailure,
  findOutstandingRefund,
  recordManualRefund,
} from '#server/records/ledger/ledger-repository.ts'
import { PAYMENT_REFUND_JOB } from '#server/records/ledger/refund-job.ts'
import { applyOwnerAction } from './apply-action.ts'

/**
 * Settles a refund that is still outstanding after a cancellation, because the provider refused it or the customer did
 * not pay through a provider. The owner either has the provider try again, or confirms having paid the money back.
 * Source: rule Q10.
 * @throws ProblemError `calendar.*`, `appointment.not_found`, `appointment.nothing_owed`
 */
export async function resolveOutstandingRefund(
  deps: BookingsDeps,
  ownerId: OwnerId,
  key: AppointmentKey,
  { way }: SettleRefundBody,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const { bufferMinutes } = await lockOwnCalendar(trx, ownerId, key.calendarId)
    const appointment = await lockAppointmentForAction(trx, key)
    if (appointment === null) throw new ProblemError('appointment.not_found')
    const owed = await findOutstandingRefund(trx, key)
    if (owed === null || (way === 'retry' && owed.isByHand))
      throw new ProblemError('appointment.nothing_owed')
    const at = new Date(deps.now())
    if (way === 'retry') {
      await clearRefundFailure(trx, owed, at)
      await deps.jobs.insert(trx, PAYMENT_REFUND_JOB, [{ calendarId: key.calendarId, paymentId: owed.id }])
      return
    }
    await recordManualRefund(trx, key, at)
    const decision = decideAction('refund', appointment.state)
    if (!owed.isWhole || !decision.ok) return
    // The whole payment is refunded, so the appointment is marked as refunded too.
    const nothing = { givesBack: null, refund: null } as const
    await applyOwnerAction(deps, trx, {
      key,
      action: 'refund',
      appointment,
      decision,
      bufferMinutes,
      ...nothing,
    })
  })
}
