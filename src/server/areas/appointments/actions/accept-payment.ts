import { decideAction } from '#core/appointments/appointment-actions.ts'
import type { BookingsDeps } from '#server/areas/appointments/bookings/deps.ts'
import { tryToQueueMails } from '#server/areas/appointments/bookings/queue-mails.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { queueEventWrite } from '#server/records/appointments/event-job.ts'
import {
  type AppointmentKey,
  type AppointmentWithHold,
  type ReoccupiedTime,
  storeActionResult,
} from '#server/records/appointments/state-repository.ts'
import { announceReoccupiedTime } from '#server/records/freed-times/use-cases.ts'
import { applyAction, tryToReoccupyTime } from './apply-action.ts'

type Paid = {
  readonly key: AppointmentKey
  /** The appointment with its hold. The caller has locked the calendar and then this row. */
  readonly appointment: AppointmentWithHold
  readonly bufferMinutes: number
  /** Stripe's id of the payment, shown to the owner beside the appointment. */
  readonly paymentIntentId: string | null
  /** True when the payment was made in the provider's test mode, so that no real money moved. */
  readonly isSandbox: boolean
}

/**
 * Records a payment that a provider has received for an appointment: marks the appointment as paid, and confirms it if
 * it was waiting for the payment. If its hold has expired, the appointment occupies its time again.
 * @returns false, and changes nothing, when the appointment would already have started, or when its time is taken
 */
export async function applyReceivedPayment(deps: BookingsDeps, trx: Trx, paid: Paid): Promise<boolean> {
  const { key, appointment, paymentIntentId, isSandbox } = paid
  const nowMs = deps.now()
  let taken: ReoccupiedTime | null = null
  if (appointment.isReleased) {
    taken = appointment.startsAtMs <= nowMs ? null : await tryToReoccupyTime(trx, { ...paid, nowMs })
    if (taken === null) return false
  }
  const decision = decideAction('mark_paid', appointment.state)
  if (!decision.ok) throw new Error(`the appointment ${key.id} is paid already`)
  const updatedAt = new Date(nowMs)
  const { sequence } = appointment
  const isNeeded = await storeActionResult(trx, key, {
    state: decision.to,
    sequence,
    updatedAt,
    taken,
    paymentIntentId,
    paidInSandbox: isSandbox,
  })
  await queueEventWrite(deps, trx, { ...key, isNeeded })
  if (decision.announces !== null) {
    await tryToQueueMails(deps, trx, ['booking_confirmation', 'owner_booking_notice'], {
      calendarId: key.calendarId,
      appointmentId: key.id,
      causedBy: 'customer',
      revision: { sequence, changedAt: updatedAt },
    })
  }
  if (appointment.isReleased) await announceReoccupiedTime(deps, trx, key)
  return true
}

/** Records that the provider has refunded the whole payment. This has the same effect as a refund by the owner. */
export async function recordFullRefund(
  deps: BookingsDeps,
  trx: Trx,
  refunded: Pick<Paid, 'key' | 'appointment' | 'bufferMinutes'>,
): Promise<void> {
  const decision = decideAction('refund', refunded.appointment.state)
  if (decision.ok) {
    const nothing = { refund: null, givesBack: null, causedBy: 'owner' } as const
    await applyAction(deps, trx, { ...refunded, ...nothing, action: 'refund', decision })
  }
}

/**
 * Records that a refund failed after we had recorded it as made. The cancelled appointment counts as paid again, because its
 * owner still has the money.
 */
export async function markPaidAfterFailedRefund(
  deps: BookingsDeps,
  trx: Trx,
  { key, appointment }: Pick<Paid, 'key' | 'appointment'>,
): Promise<void> {
  const isNeeded = await storeActionResult(trx, key, {
    state: { status: appointment.state.status, paymentStatus: 'paid' },
    sequence: appointment.sequence,
    updatedAt: new Date(deps.now()),
    taken: null,
    paidInSandbox: null,
  })
  await queueEventWrite(deps, trx, { ...key, isNeeded })
}
