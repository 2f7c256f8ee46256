import { type AppointmentAwaitingPayment, decidePaymentArrival } from '#core/booking/payment-arrival.ts'
import {
  acceptPayment,
  markPaidAfterFailedRefund,
  recordFullRefund,
} from '#server/areas/appointments/actions/accept-payment.ts'
import { lockBookableCalendar } from '#server/areas/appointments/bookings/repository.ts'
import { exclusionConstraintOf } from '#server/platform/db/pg-errors.ts'
import type { RefundReason } from '#server/platform/db/schema.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { formatMoneyWithCode } from '#server/platform/format-money.ts'
import type { CheckoutState } from '#server/ports/payment-provider.ts'
import {
  type AppointmentWithHold,
  lockAppointmentWithHold,
} from '#server/records/appointments/state-repository.ts'
import { lockPayment, type Payment, updatePayment } from '#server/records/ledger/ledger-repository.ts'
import { PAYMENT_REFUND } from '#server/records/ledger/refund-job.ts'
import { isOpenHold, releaseHoldWithPayments } from './close-hold.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'
import { PAYMENT_MAIL } from './job-definitions.ts'

export type PaidCheckout = Extract<CheckoutState, { status: 'paid' }>

/** The rows that money concerns, each locked in this order. */
type Found = {
  readonly payment: Payment
  readonly appointment: AppointmentWithHold | null
  readonly bufferMinutes: number
  readonly now: Date
}

const AWAITED = ['pending', 'capturing', 'failed'] as const

/**
 * Writes the result of money that has come in at a provider, once, whoever sees it first: in one transaction under the
 * lock of the calendar, with the messages and the job that returns it. Source: rule P1.
 * @returns false when it was written before
 */
export async function receivePayment(
  deps: CheckoutsDeps,
  payment: Payment,
  paid: PaidCheckout,
): Promise<boolean> {
  const receive = (mayTakeTime: boolean) =>
    inTransaction(deps.db, async (trx) => {
      const found = await lockFound(deps, trx, payment)
      if (found === null || !AWAITED.some((status) => status === found.payment.status)) return false
      if (paid.refundedCents >= paid.amountCents) await recordReturned(deps, trx, found, paid)
      else await writeArrival(deps, trx, { found, paid, mayTakeTime })
      return true
    })
  try {
    return await receive(true)
  } catch (error) {
    // The constraints decide last about a time that is taken again.
    if (exclusionConstraintOf(error) === null) throw error
    return receive(false)
  }
}

/**
 * Records a refund that was made at the provider. When all of the money went back, it has the effect of the owner's own
 * refund; when a part did, only the record changes. When the provider now reports the refund as failed, the owner has
 * to return the money. Source: rule P5.
 * @param payment the record as it was before the provider was asked
 * @returns false when the record has changed since, so that the answer says nothing about it
 */
export async function receiveRefund(
  deps: CheckoutsDeps,
  payment: Payment,
  paid: PaidCheckout,
): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    const found = await lockFound(deps, trx, payment)
    if (found === null) return true
    if (!isSameRecord(found.payment, payment)) return false
    await writeRefund(deps, trx, found, paid)
    return true
  })
}

const COMPARED = ['status', 'refundedCents', 'returnCents', 'failure', 'updatedAtMs'] as const

function isSameRecord(a: Payment, b: Payment): boolean {
  return COMPARED.every((field) => a[field] === b[field])
}

async function writeRefund(deps: CheckoutsDeps, trx: Trx, found: Found, paid: PaidCheckout): Promise<void> {
  const { payment, appointment, bufferMinutes, now } = found
  const { status, refundedCents } = payment
  // No refund of the provider includes what the owner returned by hand. Source: rule A12.
  const returnedCents = paid.refundedCents + payment.byHandCents
  const hasFailed = paid.hasFailedRefund && returnedCents < refundedCents
  if (status === 'refunded') {
    if (hasFailed) await recordFailedRefund(deps, trx, found, returnedCents)
    return
  }
  if (status === 'completed' && hasFailed) {
    await recordOwedAgain(deps, trx, payment, { refunded_cents: returnedCents, updated_at: now })
  }
  if (returnedCents <= refundedCents) return
  const isWhole = returnedCents >= paid.amountCents
  await updatePayment(trx, payment, [status], {
    refunded_cents: Math.min(returnedCents, payment.amountCents),
    refunded_at: now,
    updated_at: now,
    ...(isWhole ? { status: 'refunded', failure: null } : {}),
  })
  // A payment that came too late or twice has not paid for the appointment.
  if (!isWhole || status !== 'completed' || appointment === null) return
  await recordFullRefund(deps, trx, { key: keyOf(payment), appointment, bufferMinutes })
}

/** What was refunded because it paid for nothing. Every other refund followed from a cancellation. */
const PAID_FOR_NOTHING: readonly (RefundReason | null)[] = ['too_late', 'paid_already', 'mismatch']

/**
 * Money that was said to be on its way back is not. Where its appointment is cancelled, all of it is owed again, as after any
 * cancellation. Else the owner is told to return it. Source: rules P6 and Q10.
 */
async function recordFailedRefund(
  deps: CheckoutsDeps,
  trx: Trx,
  { payment, appointment, now }: Found,
  returnedCents: number,
): Promise<void> {
  const hasPaid = !PAID_FOR_NOTHING.includes(payment.refundReason)
  if (hasPaid && appointment?.state.status === 'cancelled') {
    await markPaidAfterFailedRefund(deps, trx, { key: keyOf(payment), appointment })
    await recordOwedAgain(deps, trx, payment, {
      status: 'completed',
      return_cents: payment.amountCents,
      return_decided_at: now,
      refunded_at: null,
      refunded_cents: returnedCents,
      updated_at: now,
    })
    return
  }
  await updatePayment(trx, payment, ['refunded'], {
    status: 'refund_pending',
    refunded_cents: returnedCents,
    refunded_at: null,
    failure: REFUND_FAILED,
    updated_at: now,
  })
  const { calendarId, id: paymentId } = payment
  await deps.jobs.insert(trx, PAYMENT_MAIL, [{ about: 'refund_failed', calendarId, paymentId }])
}

const REFUND_FAILED = 'The refund failed at the provider.'

/** A cancelled appointment's money is owed again: the owner has the refund tried once more, or returns it. Source: rule Q10. */
async function recordOwedAgain(
  deps: CheckoutsDeps,
  trx: Trx,
  payment: Payment,
  change: Parameters<typeof updatePayment>[3],
): Promise<void> {
  await updatePayment(trx, payment, [payment.status], { ...change, failure: REFUND_FAILED })
  const { calendarId, id: paymentId } = payment
  await deps.jobs.insert(trx, PAYMENT_MAIL, [{ about: 'part_failed', calendarId, paymentId }])
}

/**
 * Records that the provider has returned what a cancellation gives back. When that is all of the money, it has the effect of the
 * owner's own refund. Source: rule Q9.
 */
export async function recordCancellationRefund(
  deps: CheckoutsDeps,
  payment: Payment,
  returned: { readonly refundId: string | null; readonly cents: number },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const found = await lockFound(deps, trx, payment)
    if (found === null || found.payment.status !== 'completed') return
    const { appointment, bufferMinutes, now } = found
    const isWhole = returned.cents >= payment.amountCents
    await updatePayment(trx, payment, ['completed'], {
      refunded_cents: Math.max(returned.cents, found.payment.refundedCents),
      refund_id: returned.refundId,
      refund_reason: payment.returnPercent === null ? 'owner' : 'policy',
      refunded_at: now,
      updated_at: now,
      failure: null,
      ...(isWhole ? { status: 'refunded' } : {}),
    })
    if (isWhole && appointment !== null) {
      await recordFullRefund(deps, trx, { key: keyOf(payment), appointment, bufferMinutes })
    }
  })
}

async function lockFound(deps: CheckoutsDeps, trx: Trx, payment: Payment): Promise<Found | null> {
  const calendar = await lockBookableCalendar(trx, payment.calendarId)
  const appointment = calendar === null ? null : await lockAppointmentWithHold(trx, keyOf(payment))
  const locked = await lockPayment(trx, payment)
  if (locked === null) return null
  const bufferMinutes = calendar?.rules.bufferMinutes ?? 0
  return { payment: locked, appointment, bufferMinutes, now: new Date(deps.now()) }
}

async function writeArrival(
  deps: CheckoutsDeps,
  trx: Trx,
  { found, paid, mayTakeTime }: { found: Found; paid: PaidCheckout; mayTakeTime: boolean },
): Promise<void> {
  const { payment, appointment, bufferMinutes, now } = found
  const record = (change: Parameters<typeof updatePayment>[3]) => updatePayment(trx, payment, AWAITED, change)
  const came = {
    payment_id: paid.paymentId,
    // A part may have gone back before we heard that the payment had come.
    refunded_cents: Math.min(paid.refundedCents, payment.amountCents),
    completed_at: now,
    updated_at: now,
    failure: null,
    ask_again_at: null,
  }
  const tell = (about: 'returned' | 'mismatch') =>
    deps.jobs.insert(trx, PAYMENT_MAIL, [{ about, calendarId: payment.calendarId, paymentId: payment.id }])

  const arrival = decidePaymentArrival(appointment && toAwaited(appointment), payment, paid)
  if (arrival.kind === 'mismatch') {
    await record({
      ...came,
      status: 'mismatch',
      refund_reason: 'mismatch',
      failure: describeMismatch(payment, paid),
    })
    await tell('mismatch')
    return
  }
  if (arrival.kind !== 'refund' && appointment !== null && (mayTakeTime || !appointment.isReleased)) {
    const paymentIntentId = payment.provider === 'stripe' ? paid.paymentId : null
    const { isSandbox } = payment
    const accepted = { key: keyOf(payment), appointment, bufferMinutes, paymentIntentId, isSandbox }
    if (await acceptPayment(deps, trx, accepted)) {
      await record({ ...came, status: 'completed' })
      return
    }
  }
  const refund_reason = arrival.kind === 'refund' ? arrival.reason : 'too_late'
  await record({ ...came, status: 'refund_pending', refund_reason })
  await deps.jobs.insert(trx, PAYMENT_REFUND, [{ calendarId: payment.calendarId, paymentId: payment.id }])
  await tell('returned')
}

/** All of it went back before we heard that it had come: nothing is confirmed, and the time is free. */
async function recordReturned(
  deps: Pick<CheckoutsDeps, 'jobs'>,
  trx: Trx,
  { payment, appointment, now }: Found,
  paid: PaidCheckout,
): Promise<void> {
  await updatePayment(trx, payment, AWAITED, {
    status: 'refunded',
    payment_id: paid.paymentId,
    refunded_cents: payment.amountCents,
    completed_at: now,
    refunded_at: now,
    updated_at: now,
    failure: null,
    ask_again_at: null,
  })
  if (appointment !== null && isOpenHold(appointment)) {
    const { startsAtMs: startMs, endsAtMs: endMs, conflictLocationId } = appointment
    const left = { ...keyOf(payment), during: { startMs, endMs }, conflictLocationId }
    await releaseHoldWithPayments(deps, trx, left, {
      releasedAt: now,
      ending: { failure: null, unknown: 'none' },
    })
  }
}

function keyOf({ calendarId, appointmentId }: Payment) {
  return { calendarId, id: appointmentId }
}

function toAwaited(appointment: AppointmentWithHold): AppointmentAwaitingPayment {
  return { ...appointment.state, isHeld: isOpenHold(appointment), isReleased: appointment.isReleased }
}

function describeMismatch(agreed: Payment, paid: PaidCheckout): string {
  const [was, is] = [agreed, paid].map((money) => `${formatMoneyWithCode(money)} to ${money.accountId}`)
  return `Paid were ${is}; agreed were ${was}.`
}
