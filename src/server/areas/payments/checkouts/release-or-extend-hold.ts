import { decideHold, type PaymentProgress } from '#core/appointments/hold.ts'
import { deleteResponsesOfBooking } from '#server/areas/appointments/bookings/response-repository.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { releaseHold, updateHoldExpiry } from '#server/records/appointments/hold-repository.ts'
import {
  type AppointmentKey,
  type AppointmentWithHold,
  lockAppointmentWithHold,
} from '#server/records/appointments/state-repository.ts'
import {
  announceVacatedTime,
  type FreedTimesDeps,
  type VacatedTime,
} from '#server/records/freed-times/use-cases.ts'
import {
  type CheckoutOutcome,
  failOpenPayments,
  findPaymentOfAppointment,
  type Payment,
} from '#server/records/ledger/ledger-repository.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'

/** The result of closing a hold. `none` means that the appointment is not an open hold. */
export type HoldOutcome = 'released' | 'kept' | 'none'

/**
 * The state of the payment that the caller last saw. `given_up` means that it is not paid yet, but the hold must end
 * anyway.
 */
type LastSeen = PaymentProgress | 'given_up'

/**
 * Releases the hold of an appointment, or extends it while its payment may still arrive. A release also ends the open
 * checkout and frees the booking's idempotency key. The appointment's row stays, in case the payment arrives late.
 */
export async function releaseOrExtendHold(
  deps: Pick<CheckoutsDeps, 'db' | 'now' | 'jobs'>,
  { calendar_id: calendarId, appointment_id: appointmentId }: Pick<Payment, 'calendar_id' | 'appointment_id'>,
  { progress, ...ending }: { progress: LastSeen } & Omit<CheckoutOutcome, 'unknown'>,
): Promise<HoldOutcome> {
  const key = { calendarId, id: appointmentId }
  return inTransaction(deps.db, async (trx) => {
    const appointment = await lockAppointmentWithHold(trx, key)
    if (appointment === null || !isOpenHold(appointment)) return 'none'
    const nowMs = deps.now()
    const hold = { beganAtMs: appointment.createdAtMs, expiresAtMs: appointment.holdExpiresAtMs }
    const present = await bringUpToDate(trx, key, progress)
    const decision = decideHold(hold, present, nowMs)
    if (decision.kind === 'extend') await updateHoldExpiry(trx, key, new Date(decision.expiresAtMs))
    if (decision.kind !== 'release') return 'kept'
    const unknown = present === 'unknown' || present === 'under_way' ? 'all' : 'none'
    const { occupied: during, conflictLocationId } = appointment
    const left = { ...key, during, conflictLocationId }
    await releaseHoldAndCloseCheckouts(deps, trx, left, {
      releasedAt: new Date(nowMs),
      ending: { ...ending, unknown },
    })
    return 'released'
  })
}

/**
 * Updates the progress that the caller saw. A capture may have begun since the provider was asked; it moves money, so
 * the payment is then `under_way`. Captures begin under the same lock of the appointment.
 */
async function bringUpToDate(trx: Trx, key: AppointmentKey, progress: LastSeen): Promise<PaymentProgress> {
  if (progress !== 'open' && progress !== 'given_up') return progress
  if ((await findPaymentOfAppointment(trx, key, ['capturing'])) !== null) return 'under_way'
  return progress === 'given_up' ? 'ended' : progress
}

/** Releases a locked hold, ends its payments and announces the free time. */
export async function releaseHoldAndCloseCheckouts(
  deps: FreedTimesDeps,
  trx: Trx,
  left: AppointmentKey & VacatedTime,
  { releasedAt, ending }: { readonly releasedAt: Date; readonly ending: CheckoutOutcome },
): Promise<void> {
  await releaseHold(trx, left, releasedAt)
  await failOpenPayments(trx, left, releasedAt, ending)
  await deleteResponsesOfBooking(trx, left.calendarId, left.id)
  await announceVacatedTime(deps, trx, left)
}

/** True while an unpaid appointment occupies its time. */
export function isOpenHold(
  appointment: AppointmentWithHold,
): appointment is AppointmentWithHold & { readonly holdExpiresAtMs: number } {
  const { state, isReleased, holdExpiresAtMs } = appointment
  return state.status === 'pending_payment' && !isReleased && holdExpiresAtMs !== null
}
