import { type AppointmentAwaitingPayment, decidePaymentArrival } from '#core/payments/payment-arrival.ts'
import {
  applyReceivedPayment,
  markPaidAfterFailedRefund,
  recordFullRefund,
} from '#server/areas/appointments/actions/accept-payment.ts'
import { lockBookableCalendar } from '#server/areas/appointments/bookings/repository.ts'
import { findViolatedExclusionConstraint } from '#server/platform/db/pg-errors.ts'
import type { RefundReason } from '#server/platform/db/schema.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { formatMoneyWithCode } from '#server/platform/format-money.ts'
import type { CheckoutState } from '#server/ports/payment-provider.ts'
import {
  type AppointmentWithHold,
  lockAppointmentWithHold,
} from '#server/records/appointments/state-repository.ts'
import { lockPayment, type Payment, updatePayment } from '#server/records/ledger/ledger-repository.ts'
import { PAYMENT_REFUND_JOB } from '#server/records/ledger/refund-job.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'
import { PAYMENT_MAIL_JOB } from './job-definitions.ts'
import { isOpenHold, releaseHoldAndCloseCheckouts } from './release-or-extend-hold.ts'

type PaidCheckout = Extract<CheckoutState, { status: 'paid' }>

/** The locked rows that a payment affects. */
type Found = {
  readonly payment: Payment
  readonly appointment: AppointmentWithHold | null
  readonly bufferMinutes: number
  readonly now: Date
}

/** Statuses in which money can still arrive: also `failed`, because a customer may pay after we have given up waiting. */
const RECEIVABLE_STATUSES = ['pending', 'capturing', 'failed'] as const

/**
 * Records a payment that the provider has received, exactly once. One transaction, under the calendar's lock, also queues the
 * emails and, if needed, the refund job. Source: rule P1.
 * @returns false when it was recorded before
 */
export async function recordReceivedPayment(
  deps: CheckoutsDeps,
  payment: Payment,
  paid: PaidCheckout,
): Promise<boolean> {
  const receive = (mayTakeTime: boolean) =>
    inTransaction(deps.db, async (trx) => {
      const found = await lockFound(deps, trx, payment)
      if (found === null || !RECEIVABLE_STATUSES.some((status) => status === found.payment.status))
        return false
      if (paid.refundedCents >= paid.amountCents) await recordReturned(deps, trx, found, paid)
      else await writeArrival(deps, trx, { found, paid, mayTakeTime })
      return true
    })
  try {
    return await receive(true)
  } catch (error) {
    // A database constraint found the time taken, so record the payment without occupying the time.
    if (findViolatedExclusionConstraint(error) === null) throw error
    return receive(false)
  }
}

/**
 * Records a refund that was made at the provider. A full refund has the effect of a refund by the owner; a partial
 * refund changes only the payment's row. If the provider now reports the refund as failed, the owner has to pay the
 * money back. Source: rule P5.
 * @param payment the row as it was before the provider was asked
 * @returns false when the row has changed since, so that the provider's response is outdated
 */
export async function recordProviderRefund(
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

const COMPARED = ['status', 'refunded_cents', 'return_cents', 'failure', 'updatedAtMs'] as const

function isSameRecord(a: Payment, b: Payment): boolean {
  return COMPARED.every((field) => a[field] === b[field])
}

async function writeRefund(deps: CheckoutsDeps, trx: Trx, found: Found, paid: PaidCheckout): Promise<void> {
  const { payment, appointment, bufferMinutes, now } = found
  const { status, refunded_cents: refundedCents } = payment
  // The provider's refunds do not include money that the owner paid back by hand. Source: rule A12.
  const returnedCents = paid.refundedCents + payment.by_hand_cents
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
    refunded_cents: Math.min(returnedCents, payment.amount_cents),
    refunded_at: now,
    updated_at: now,
    ...(isWhole ? { status: 'refunded', failure: null } : {}),
  })
  // A late or duplicate payment did not pay for the appointment, so its refund does not change the appointment.
  if (!isWhole || status !== 'completed' || appointment === null) return
  await recordFullRefund(deps, trx, { key: keyOf(payment), appointment, bufferMinutes })
}

/** Refund reasons of payments that did not pay for an appointment. All other refunds come from a cancellation. */
const UNUSED_PAYMENT_REASONS: readonly (RefundReason | null)[] = ['too_late', 'paid_already', 'mismatch']

/**
 * Records that a refund failed after the provider had reported it as made. If the appointment is cancelled, the whole
 * refund is outstanding again, as after any cancellation. Otherwise the owner is asked to pay the money back. Source:
 * rules P6 and Q10.
 */
async function recordFailedRefund(
  deps: CheckoutsDeps,
  trx: Trx,
  { payment, appointment, now }: Found,
  returnedCents: number,
): Promise<void> {
  const hasPaid = !UNUSED_PAYMENT_REASONS.includes(payment.refund_reason)
  if (hasPaid && appointment?.state.status === 'cancelled') {
    await markPaidAfterFailedRefund(deps, trx, { key: keyOf(payment), appointment })
    await recordOwedAgain(deps, trx, payment, {
      status: 'completed',
      return_cents: payment.amount_cents,
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
  const { calendar_id: calendarId, id: paymentId } = payment
  await deps.jobs.insert(trx, PAYMENT_MAIL_JOB, [{ about: 'refund_failed', calendarId, paymentId }])
}

const REFUND_FAILED = 'The payment provider couldn’t make the refund.'

/**
 * Records that the refund of a cancelled appointment is outstanding again: the owner can retry it, or pay the money
 * back by hand. Source: rule Q10.
 */
async function recordOwedAgain(
  deps: CheckoutsDeps,
  trx: Trx,
  payment: Payment,
  change: Parameters<typeof updatePayment>[3],
): Promise<void> {
  await updatePayment(trx, payment, [payment.status], { ...change, failure: REFUND_FAILED })
  const { calendar_id: calendarId, id: paymentId } = payment
  await deps.jobs.insert(trx, PAYMENT_MAIL_JOB, [{ about: 'part_failed', calendarId, paymentId }])
}

/**
 * Records that the provider has made the refund of a cancellation. A full refund has the effect of a refund by the owner.
 * Source: rule Q9.
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
    const isWhole = returned.cents >= payment.amount_cents
    await updatePayment(trx, payment, ['completed'], {
      refunded_cents: Math.max(returned.cents, found.payment.refunded_cents),
      refund_id: returned.refundId,
      refund_reason: payment.return_percent === null ? 'owner' : 'policy',
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
  const calendar = await lockBookableCalendar(trx, payment.calendar_id)
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
  const record = (change: Parameters<typeof updatePayment>[3]) =>
    updatePayment(trx, payment, RECEIVABLE_STATUSES, change)
  const came = {
    payment_id: paid.paymentId,
    // Part of the money may have been refunded before we learned of the payment.
    refunded_cents: Math.min(paid.refundedCents, payment.amount_cents),
    completed_at: now,
    updated_at: now,
    failure: null,
    ask_again_at: null,
  }
  const tell = (about: 'returned' | 'mismatch') =>
    deps.jobs.insert(trx, PAYMENT_MAIL_JOB, [
      { about, calendarId: payment.calendar_id, paymentId: payment.id },
    ])

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
  const mustRefund = arrival.kind === 'refund' || (arrival.kind === 'take_again' && !mayTakeTime)
  if (!mustRefund && appointment !== null) {
    const paymentIntentId = payment.provider === 'stripe' ? paid.paymentId : null
    const { is_sandbox: isSandbox } = payment
    const accepted = { key: keyOf(payment), appointment, bufferMinutes, paymentIntentId, isSandbox }
    if (await applyReceivedPayment(deps, trx, accepted)) {
      await record({ ...came, status: 'completed' })
      return
    }
  }
  const refund_reason = arrival.kind === 'refund' ? arrival.reason : 'too_late'
  await record({ ...came, status: 'refund_pending', refund_reason })
  await deps.jobs.insert(trx, PAYMENT_REFUND_JOB, [
    { calendarId: payment.calendar_id, paymentId: payment.id },
  ])
  await tell('returned')
}

/** Records a payment that was fully refunded before we learned of it: nothing is confirmed, and a hold is released. */
async function recordReturned(
  deps: Pick<CheckoutsDeps, 'jobs'>,
  trx: Trx,
  { payment, appointment, now }: Found,
  paid: PaidCheckout,
): Promise<void> {
  await updatePayment(trx, payment, RECEIVABLE_STATUSES, {
    status: 'refunded',
    payment_id: paid.paymentId,
    refunded_cents: payment.amount_cents,
    completed_at: now,
    refunded_at: now,
    updated_at: now,
    failure: null,
    ask_again_at: null,
  })
  if (appointment !== null && isOpenHold(appointment)) {
    const { startsAtMs: startMs, endsAtMs: endMs, conflictLocationId } = appointment
    const left = { ...keyOf(payment), during: { startMs, endMs }, conflictLocationId }
    await releaseHoldAndCloseCheckouts(deps, trx, left, {
      releasedAt: now,
      ending: { failure: null, unknown: 'none' },
    })
  }
}

function keyOf({ calendar_id: calendarId, appointment_id: appointmentId }: Payment) {
  return { calendarId, id: appointmentId }
}

function toAwaited(appointment: AppointmentWithHold): AppointmentAwaitingPayment {
  return { ...appointment.state, isHeld: isOpenHold(appointment), isReleased: appointment.isReleased }
}

function describeMismatch(agreed: Payment, paid: PaidCheckout): string {
  const was = formatMoneyWithCode({ amountCents: agreed.amount_cents, currency: agreed.currency })
  const is = formatMoneyWithCode(paid)
  return `We received ${is} in ${paid.accountId}, but expected ${was} in ${agreed.provider_account_id}.`
}
