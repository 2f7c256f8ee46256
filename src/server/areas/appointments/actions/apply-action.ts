import { randomUUID } from 'node:crypto'
import type { MessageKind } from '#contract/messages/messages.ts'
import type { FieldError } from '#contract/shared/problem.ts'
import {
  type ActionDecision,
  type AppointmentAction,
  affectsCalendars,
  type StatusAnnouncement,
} from '#core/appointments/appointment-actions.ts'
import type { RefundAmount } from '#core/appointments/decide-refund.ts'
import { type EmailOutcome, isPaymentAction } from '#core/appointments/describe-action.ts'
import { describeConflict } from '#core/appointments/describe-conflict.ts'
import type { MailCause } from '#core/messages/mail-budgets.ts'
import type { BookingsDeps } from '#server/areas/appointments/bookings/deps.ts'
import { tryToQueueMails } from '#server/areas/appointments/bookings/queue-mails.ts'
import { lockLocationAndPerson } from '#server/areas/appointments/bookings/repository.ts'
import { findAnnouncedStart } from '#server/messages/queue/held-message-repository.ts'
import type { NewMessage } from '#server/messages/queue/repository.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { queueEventWrite } from '#server/records/appointments/event-job.ts'
import {
  type AppointmentForAction,
  type AppointmentKey,
  hasCustomerEmail,
  type ReoccupiedTime,
  storeActionResult,
} from '#server/records/appointments/state-repository.ts'
import { shortenOverlappingBuffers } from '#server/records/appointments/taken-time-repository.ts'
import { announceTakenTime, announceVacatedTime } from '#server/records/freed-times/use-cases.ts'
import { recordHistory } from '#server/records/history/use-cases.ts'
import {
  cancelPendingRefund,
  failOpenPayments,
  recordManualPayment,
  recordRefund,
  storePendingRefund,
} from '#server/records/ledger/ledger-repository.ts'
import { PAYMENT_REFUND_JOB } from '#server/records/ledger/refund-job.ts'
import { findConflictingAppointment } from '#server/records/slots/person-repository.ts'
import { findBookedSession, toFurtherSeat } from '#server/records/slots/sessions-repository.ts'
import { isTimeOccupied } from '#server/records/slots/use-cases.ts'

export type AllowedDecision = Extract<ActionDecision, { ok: true }>

export type ActionToApply = {
  readonly key: AppointmentKey
  readonly action: AppointmentAction
  readonly appointment: AppointmentForAction
  readonly decision: AllowedDecision
  readonly bufferMinutes: number
  readonly causedBy: 'owner' | 'customer'
  /** The refund; only for a cancellation. Source: rule Q9. */
  readonly givesBack: RefundAmount | null
  /**
   * Set only when whole days are changed: the customers get an email with the owner's note, and the owner gets none.
   * The email counts towards the limit of the person who booked, as a reminder does. Source: rule A21.
   */
  readonly ofMany?: { readonly countedFor: MailCause; readonly note: string }
  /**
   * Set when several dates of a series are cancelled together: the first of them has one email about all, which names the
   * others by their ids; `named` dates have none. Source: rule B45.
   */
  readonly ofSeries?: { readonly others: readonly string[] } | 'named'
  /** How the money was refunded; null when it was not. `manual` means that only the owner can pay it back. */
  readonly refund: { readonly processed: 'provider' | 'manual'; readonly refundId: string | null } | null
}

/**
 * Writes the result of an action and queues its messages. The caller has locked the calendar and the appointment.
 * @throws ProblemError `appointment.restore_conflict`
 */
export async function applyAction(deps: BookingsDeps, trx: Trx, work: ActionToApply): Promise<EmailOutcome> {
  const email = await write(deps, trx, work)
  const { occupied: during, conflictLocationId } = work.appointment
  const time = { ...work.key, during, conflictLocationId }
  if (work.decision.to.status === 'cancelled') await announceVacatedTime(deps, trx, time)
  if (work.decision.takesTime) await announceTakenTime(deps, trx, time)
  return email
}

/** Applies an action of the owner and adds an entry to the appointment's history. Source: rule G24. */
export async function applyOwnerAction(
  deps: BookingsDeps,
  trx: Trx,
  work: Omit<ActionToApply, 'causedBy'>,
): Promise<EmailOutcome> {
  const [kind, at] = [LINES[work.action], new Date(deps.now())]
  await recordHistory(trx, work.key, { kind, causedBy: 'owner', details: {}, at })
  return applyAction(deps, trx, { ...work, causedBy: 'owner' })
}

/** The kind of history entry that each action adds. */
const LINES = {
  confirm: 'confirmed',
  restore: 'restored',
  approve_cancellation: 'cancellation_approved',
  deny_cancellation: 'cancellation_denied',
  cancel: 'cancelled',
  mark_paid: 'marked_paid',
  refund: 'refunded',
  mark_pending: 'marked_pending',
  mark_failed: 'marked_failed',
  mark_not_required: 'marked_not_required',
} as const satisfies Record<AppointmentAction, string>

async function write(deps: BookingsDeps, trx: Trx, work: ActionToApply): Promise<EmailOutcome> {
  const { key, action, appointment, decision } = work
  const taken = decision.takesTime ? await tryToReoccupyTime(trx, { ...work, nowMs: deps.now() }) : null
  if (decision.takesTime && taken === null)
    throw new ProblemError('appointment.restore_conflict', await listConflict(trx, work))
  const updatedAt = new Date(deps.now())
  const sequence = appointment.sequence + (affectsCalendars(decision.announces) ? 1 : 0)
  const isCancelled = decision.announces === 'cancelled'
  const isNeeded = await storeActionResult(trx, key, {
    state: decision.to,
    sequence,
    updatedAt,
    taken,
    // A refund does not change whether the payment was a test payment. Any other payment action is recorded by the
    // owner, so it counts as real money.
    paidInSandbox: isPaymentAction(action) && action !== 'refund' ? false : null,
    cancelled: isCancelled ? { by: work.causedBy, givesBack: work.givesBack } : null,
  })
  await queueEventWrite(deps, trx, { ...key, isNeeded })
  await recordMoney(trx, work, updatedAt)
  await settleReturn(deps, trx, work, updatedAt)
  return queueMessages(deps, trx, work, { sequence, changedAt: updatedAt })
}

/** Lists the error message that names the conflicting appointment. Source: rule T43. */
async function listConflict(trx: Trx, { key, appointment }: ActionToApply): Promise<FieldError[]> {
  const time = { startMs: appointment.startsAtMs, endMs: appointment.endsAtMs }
  const conflict = await findConflictingAppointment(trx, {
    calendarId: key.calendarId,
    time,
    occupied: appointment.occupied,
    movedId: key.id,
  })
  if (conflict === null) return []
  const { customer_name: customerName, calendar_name: calendarName } = conflict.appointment
  const { reason, bufferMinutes } = conflict
  return [
    { path: 'action', message: describeConflict({ customerName, calendarName, reason, bufferMinutes }) },
  ]
}

async function queueMessages(
  deps: BookingsDeps,
  trx: Trx,
  { key, appointment, decision, causedBy, ofMany, ofSeries }: ActionToApply,
  revision: NewMessage['revision'],
): Promise<EmailOutcome> {
  // Send no email about an appointment that has ended: the owner only corrects the record. Source: rule A7.
  if (decision.announces === null || appointment.endsAtMs <= revision.changedAt.getTime()) return 'none'
  if (ofSeries === 'named') return 'none'
  // An unsent message about an earlier move is cancelled, so this message must quote the time that the customer was
  // last told.
  const known =
    revision.sequence === appointment.sequence
      ? null
      : await findAnnouncedStart(trx, key, appointment.sequence)
  const kinds = ofMany === undefined ? MAILS[decision.announces] : (['cancelled'] as const)
  const areQueued = await tryToQueueMails(deps, trx, kinds, {
    calendarId: key.calendarId,
    appointmentId: key.id,
    causedBy: ofMany?.countedFor ?? causedBy,
    details: { note: ofMany?.note, known: known ?? undefined, series: ofSeries && [...ofSeries.others] },
    revision,
  })
  if (!(await hasCustomerEmail(trx, key))) return 'none'
  return areQueued ? 'queued' : 'failed'
}

/** The emails that each change sends, to the customer and to the owner. */
const MAILS: Record<StatusAnnouncement, readonly MessageKind[]> = {
  confirmed: ['booking_confirmation', 'owner_confirmed'],
  restored: ['restored', 'owner_restored'],
  cancelled: ['cancelled', 'owner_cancelled'],
  cancellation_denied: ['cancellation_denied'],
}

/**
 * Records what an action means for the payment. The owner's decision also ends an open checkout: a payment made there
 * from now on counts as late.
 */
async function recordMoney(
  trx: Trx,
  { key, action, appointment, refund }: ActionToApply,
  at: Date,
): Promise<void> {
  const { priceCents: amountCents, currency } = appointment
  await failOpenPayments(trx, key, at, { failure: null, unknown: 'captures' })
  if (action === 'refund') {
    const isByHand = refund?.processed === 'manual'
    await recordRefund(trx, key, { refundId: refund?.refundId ?? null, isByHand, refundedAt: at })
  }
  // An appointment without a price has no payment to record. Source: rule A10.
  if (action === 'mark_paid' && amountCents !== null && amountCents > 0) {
    await recordManualPayment(trx, key, {
      id: randomUUID(),
      amount_cents: amountCents,
      currency,
      created_at: at,
    })
  }
}

/**
 * Plans the refund of a cancellation. A job, queued in the same transaction, asks the provider for it. If the owner was paid by
 * hand, the refund is only recorded and the owner returns the money. Source: rule Q9.
 */
async function settleReturn(
  deps: Pick<BookingsDeps, 'jobs'>,
  trx: Trx,
  { key, decision, givesBack }: ActionToApply,
  decidedAt: Date,
): Promise<void> {
  if (decision.takesTime) return cancelPendingRefund(trx, key, decidedAt)
  if (givesBack === null || decision.announces !== 'cancelled') return
  const payment = await storePendingRefund(trx, key, { ...givesBack, decidedAt })
  if (payment !== null) {
    await deps.jobs.insert(trx, PAYMENT_REFUND_JOB, [
      { calendarId: payment.calendar_id, paymentId: payment.id },
    ])
  }
}

type TakenAgain = Pick<ActionToApply, 'key' | 'appointment' | 'bufferMinutes'>

/**
 * Checks that the time of a released or cancelled appointment is still free, with the calendar's current buffer. A
 * neighbouring appointment may still have a longer buffer from earlier; it does not block the time, because it is
 * shortened. A seat returns to the session at its time. Locks the location and the person. Source: rules A5 and B56.
 * @returns what the appointment occupies again; null when the time is taken or the session is full
 */
export async function tryToReoccupyTime(
  trx: Trx,
  { key, appointment, bufferMinutes, nowMs }: TakenAgain & { readonly nowMs: number },
): Promise<ReoccupiedTime | null> {
  const { conflictLocationId, occupied, session, startsAtMs: startMs, endsAtMs: endMs } = appointment
  const { calendarId } = key
  await lockLocationAndPerson(trx, { calendarId, locationId: conflictLocationId })
  const booked =
    session === null
      ? null
      : await findBookedSession(trx, { ...session, calendarId, time: { startMs, endMs } })
  if (booked !== null) return booked.seatsLeft > 0 ? { ...toFurtherSeat(booked), conflictLocationId } : null
  const wanted = { calendarId, occupied, bufferMinutes, conflictLocationId, nowMs }
  if (await isTimeOccupied(trx, wanted)) return null
  await shortenOverlappingBuffers(trx, calendarId, { occupied, bufferMinutes })
  const { prepareMinutes, wrapUpMinutes } = appointment
  return { prepareMinutes, wrapUpMinutes, bufferMinutes, conflictLocationId, sessionId: session?.id ?? null }
}
