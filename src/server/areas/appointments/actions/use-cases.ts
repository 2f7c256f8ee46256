import type {
  AppointmentActionBody,
  AppointmentActionResponse,
} from '#contract/appointments/appointment-actions.ts'
import {
  type AppointmentAction,
  type AppointmentState,
  decideAction,
  isActionAlreadyDone,
  isSameState,
} from '#core/appointments/appointment-actions.ts'
import { decideRefund, type RefundAmount, toRefundReferenceTimeMs } from '#core/appointments/decide-refund.ts'
import { isPaymentAction, UNCHECKED_CALENDARS_WARNING } from '#core/appointments/describe-action.ts'
import type { BookingsDeps, ExternalCheckDeps } from '#server/areas/appointments/bookings/deps.ts'
import { refuseMovedAppointment } from '#server/areas/appointments/bookings/use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { formatMoney } from '#server/platform/format-money.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { PaymentProviderError } from '#server/ports/payment-provider.ts'
import {
  type AppointmentForAction,
  type AppointmentKey,
  findAppointmentForAction,
  lockAppointmentForAction,
} from '#server/records/appointments/state-repository.ts'
import { translateBookingConflicts } from '#server/records/appointments/translate-booking-conflicts.ts'
import { getOwnCalendar, lockOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { findOutstandingRefund } from '#server/records/ledger/ledger-repository.ts'
import { type AllowedDecision, applyOwnerAction } from './apply-action.ts'

export type RefundResult = {
  /**
   * Who pays the refund. `manual`: no provider took the payment, or we can no longer reach the provider's account. Only
   * our record changes, and the owner pays the money back. Source: rule A11.
   */
  readonly processed: 'provider' | 'manual'
  /** The provider's id of the refund. */
  readonly refundId: string | null
  /** A note to the owner about something to know or to do; null when there is none. */
  readonly warning: string | null
}

/**
 * Operations on an appointment's payment at its provider. They are passed in because `payments` depends on this area and not
 * the other way round.
 */
export type PaymentOperations = {
  /**
   * Refunds the payment. Idempotent.
   * @throws PaymentProviderError when no money was refunded
   */
  readonly payBack: (key: AppointmentKey) => Promise<RefundResult>
  /** Ends an open checkout. `settled`: the customer has paid in the meantime, and the appointment already shows it. */
  readonly endCheckout: (key: AppointmentKey) => Promise<'ended' | 'under_way' | 'settled'>
}

export type AppointmentActionsDeps = BookingsDeps & ExternalCheckDeps & { readonly money: PaymentOperations }

/**
 * The decision about an action. `done` means that it was carried out before, so the request succeeds without a second
 * email. Source: rule A8.
 */
type Verdict = { readonly kind: 'go' | 'done'; readonly decision: AllowedDecision }

/**
 * Carries out an action of the owner on an appointment. In one transaction, under the calendar's lock, it decides by
 * the table of actions, makes the appointment occupy its time again if it no longer did, and queues the emails. A
 * refund is made before the transaction, because providers are slow. Source: rule A2.
 * @throws ProblemError `calendar.*`, `appointment.not_found`, `appointment.action_not_offered`,
 * `appointment.changed_meanwhile`, `appointment.restore_conflict`, `appointment.refund_failed`, `payment.under_way`
 */
export async function performOwnerAction(
  deps: AppointmentActionsDeps,
  ownerId: OwnerId,
  key: AppointmentKey,
  { action, was, refund_amount }: AppointmentActionBody,
): Promise<AppointmentActionResponse> {
  await getOwnCalendar(deps, ownerId, key.calendarId)
  const present = await findAppointmentForAction(deps.db, key)
  if (present === null) throw new ProblemError('appointment.not_found')
  if (present.isOffer) throw new ProblemError('appointment.is_offer')
  const isVerified = await verifyTime(deps, key, { action, present })
  const wasSeen = was === undefined ? null : { status: was.status, paymentStatus: was.payment_status }
  const refund = isPaymentAction(action)
    ? await settleMoney(deps, { key, action, seen: wasSeen, present: present.state })
    : null
  // If the request states no expected state, a refund is compared with the state in which the money was refunded.
  const seen = wasSeen ?? refund?.from ?? null

  // A time that a database constraint rejects leads to the same refusal.
  const refusals = { time: 'appointment.restore_conflict', place: 'appointment.restore_conflict' } as const
  return translateBookingConflicts(refusals, () =>
    inTransaction(deps.db, async (trx) => {
      const { bufferMinutes } = await lockOwnCalendar(trx, ownerId, key.calendarId)
      const appointment = await lockAppointmentForAction(trx, key)
      if (appointment === null) throw new ProblemError('appointment.not_found')
      // Once the provider has refunded the money, we must record it, even if the appointment has changed in the meantime.
      const isOwed = refund?.processed === 'provider' && appointment.state.paymentStatus === 'paid'
      const { kind, decision } = judge(action, isOwed ? null : seen, appointment.state)
      refuseMoved({ action, was, kind }, appointment)
      const isCancelled = kind === 'go' && decision.announces === 'cancelled' && !isPaymentAction(action)
      const givesBack = isCancelled ? decideRefundCents(appointment, refund_amount, deps.now()) : null
      const work = { key, action, appointment, decision, bufferMinutes, givesBack, refund }
      return {
        id: key.id,
        status: decision.to.status,
        payment_status: decision.to.paymentStatus,
        announced: decision.announces,
        email: kind === 'go' ? await applyOwnerAction(deps, trx, work) : 'none',
        warning: refund?.warning ?? (await findWarning(trx, { key, decision, givesBack, isVerified })),
      }
    }),
  )
}

/**
 * Returns false when the appointment would occupy its time again and the external calendars could not be checked.
 * Source: rule G28.
 */
async function verifyTime(
  deps: Pick<ExternalCheckDeps, 'verifyExternalCalendars'>,
  { calendarId }: AppointmentKey,
  { action, present }: { readonly action: AppointmentAction; readonly present: AppointmentForAction },
): Promise<boolean> {
  const { state, startsAtMs } = present
  return !takesTime(action, state) || deps.verifyExternalCalendars({ calendarId, startsAtMs })
}

/**
 * Refuses an action if the appointment was moved since the owner saw it. Payment actions are exempt: a refund that the provider
 * has made must be recorded.
 */
function refuseMoved(
  { action, was, kind }: Pick<AppointmentActionBody, 'action' | 'was'> & Pick<Verdict, 'kind'>,
  { startsAtMs }: AppointmentForAction,
): void {
  if (kind === 'go' && !isPaymentAction(action)) refuseMovedAppointment(was?.starts_at, startsAtMs)
}

/** Returns the note about the owner's remaining tasks after an action; null when there are none. */
async function findWarning(
  trx: Trx,
  work: {
    key: AppointmentKey
    decision: AllowedDecision
    givesBack: RefundAmount | null
    isVerified: boolean
  },
): Promise<string | null> {
  const { key, decision, givesBack, isVerified } = work
  if (givesBack !== null) return toReturnByHand(trx, key)
  return decision.takesTime && !isVerified ? UNCHECKED_CALENDARS_WARNING : null
}

/** Returns the note that asks the owner to pay back money which the customer paid by hand; null when none is owed. */
async function toReturnByHand(trx: Trx, key: AppointmentKey): Promise<string | null> {
  const owed = await findOutstandingRefund(trx, key)
  if (owed === null || !owed.isByHand) return null
  const amount = formatMoney({ amountCents: owed.cents, currency: owed.currency })
  return `It was paid manually, so please refund ${amount} yourself.`
}

/**
 * Decides the refund of an owner's cancellation: the amount that the owner entered, otherwise the amount that the
 * policy grants. If the customer had requested the cancellation, the policy is applied as of the time of that request.
 * Source: rule Q8.
 * @throws ProblemError `appointment.refund_too_small`, `appointment.refund_too_large`
 */
function decideRefundCents(
  appointment: AppointmentForAction,
  wanted: number | undefined,
  nowMs: number,
): RefundAmount | null {
  const { state, priceCents, cancellationAskedAtMs } = appointment
  const paidCents = state.paymentStatus === 'paid' ? priceCents : null
  const decision = decideRefund(
    { ...appointment, paidCents },
    {
      askedAtMs: toRefundReferenceTimeMs(cancellationAskedAtMs, nowMs),
      wantedCents: wanted === undefined ? null : Math.round(wanted * 100),
    },
  )
  if (decision.ok) return decision.refund
  throw new ProblemError(
    decision.reason === 'more_than_paid' ? 'appointment.refund_too_large' : 'appointment.refund_too_small',
  )
}

/** True when the action is allowed and makes the appointment occupy its time again. */
function takesTime(action: AppointmentAction, state: AppointmentState): boolean {
  const decision = decideAction(action, state)
  return decision.ok && decision.takesTime
}

/**
 * Decides whether the action is possible.
 * @throws ProblemError `appointment.action_not_offered`, `appointment.changed_meanwhile`
 */
function judge(action: AppointmentAction, seen: AppointmentState | null, now: AppointmentState): Verdict {
  const decision = decideAction(action, seen ?? now)
  if (!decision.ok) throw new ProblemError('appointment.action_not_offered')
  if (seen === null || isSameState(seen, now)) return { kind: 'go', decision }
  if (isActionAlreadyDone(action, seen, now)) return { kind: 'done', decision }
  throw new ProblemError('appointment.changed_meanwhile')
}

/**
 * Makes the necessary calls to the payment provider before our record changes, outside any transaction: refunds the
 * money, or ends the checkout so that nobody pays after the owner's decision. Source: rule A13.
 * @returns the refund; null when there is nothing to refund or the action was carried out before
 * @throws ProblemError `appointment.refund_failed`, `payment.under_way`, and those of `judge`
 */
async function settleMoney(
  deps: AppointmentActionsDeps,
  {
    key,
    action,
    seen,
    present,
  }: {
    key: AppointmentKey
    action: AppointmentAction
    seen: AppointmentState | null
    present: AppointmentState
  },
): Promise<(RefundResult & { readonly from: AppointmentState }) | null> {
  if (judge(action, seen, present).kind === 'done') return null
  if (action !== 'refund') {
    const outcome = await deps.money.endCheckout(key)
    if (outcome === 'under_way') throw new ProblemError('payment.under_way')
    if (outcome === 'settled') throw new ProblemError('appointment.changed_meanwhile')
    return null
  }
  try {
    return { ...(await deps.money.payBack(key)), from: present }
  } catch (err) {
    if (!(err instanceof PaymentProviderError)) throw err
    deps.log.error({ err }, 'a refund was not made')
    throw new ProblemError('appointment.refund_failed', [{ path: 'action', message: err.message }])
  }
}
