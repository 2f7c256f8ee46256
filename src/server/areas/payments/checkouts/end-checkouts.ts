import { MAX_HOLD_MS } from '#core/appointments/hold.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { PaymentProviderError, type PaymentProviderName } from '#server/ports/payment-provider.ts'
import { findDetailsIncludingEndedHolds } from '#server/records/appointments/details-repository.ts'
import { listFurtherHeldDates } from '#server/records/appointments/email-confirmation-repository.ts'
import { listExpiredHolds } from '#server/records/appointments/hold-repository.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'
import type { OpenCheckoutStatus } from '#server/records/calendars/use-cases.ts'
import {
  deleteAbandonedPayments,
  failOpenPayments,
  findPayment,
  findPaymentOfAppointment,
  hasCaptureInProgress,
  listRefundsDue,
  listUnsettledPayments,
  lockAppointmentsAwaitingPayment,
  OPEN_PAYMENT_STATUSES,
  type Payment,
  updatePayment,
} from '#server/records/ledger/ledger-repository.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'
import { recordUnpaidResponse } from './recheck-payments.ts'
import { findDueRefund } from './refund-payment.ts'
import { type HoldOutcome, releaseOrExtendHold } from './release-or-extend-hold.ts'
import { runInBatches } from './run-in-batches.ts'
import { type SettlementState, settleWithProvider, trySpendProviderRequest } from './settle-with-provider.ts'

const NOT_PAID = 'The payment didn’t arrive in time.'
const ABANDONED = 'The customer cancelled the payment.'
const CALENDAR_GONE = 'The calendar was deleted.'

/**
 * Maximum number of holds per run of the sweep; ten are processed at a time. One hold takes at most 105 s (five
 * requests to PayPal of two tries each, 10 s a try). So a run takes at most 10 × 105 s, less than the time limit of
 * `HOLD_SWEEP_JOB`.
 */
const SWEPT = 100

/** Ends the checkout of an appointment and returns the state of its payment, which is `ended` when there is none. */
async function endPayment(deps: CheckoutsDeps, key: AppointmentKey): Promise<SettlementState> {
  const payment = await findPaymentOfAppointment(deps.db, key)
  return payment === null ? 'ended' : settleWithProvider(deps, payment, 'endCheckout')
}

/**
 * Releases an unpaid hold when its customer asks, and deletes its payment if it can no longer be paid. The hold is kept
 * while a payment may be in progress. Source: rules B22 and Y10.
 * @throws ProblemError `appointment.not_found`, `appointment.not_pending_payment`, `payment.under_way`
 */
export async function releasePendingAppointment(
  deps: CheckoutsDeps,
  id: string,
  transactionId: string | null = null,
): Promise<void> {
  const details = await findDetailsIncludingEndedHolds(deps.db, id)
  if (details === null || details.released_at !== null) throw new ProblemError('appointment.not_found')
  if (details.status !== 'pending_payment' || details.hold_expires_at === null) {
    throw new ProblemError('appointment.not_pending_payment')
  }
  const key = { calendarId: details.calendar_id, id }
  const { outcome, isOver } = await tryToReleaseHold(deps, key, ABANDONED)
  if (outcome === 'kept') throw new ProblemError('payment.under_way')
  // In the meantime the appointment was paid, or the owner decided about it.
  if (outcome === 'none') throw new ProblemError('appointment.not_pending_payment')
  if (isOver) await deleteAbandonedPayments(deps.db, key, transactionId)
  // The other dates of a series are held for the same code. Source: rule B49.
  for (const date of await listFurtherHeldDates(deps.db, key)) await tryToReleaseHold(deps, date, ABANDONED)
}

/**
 * Ends the checkout of a hold and releases its time, unless a payment may be in progress. `isOver` in the result is
 * true when the provider confirms that the checkout can no longer be paid. Otherwise the payment's row must stay, so
 * that a late payment can be matched.
 */
export async function tryToReleaseHold(
  deps: CheckoutsDeps,
  key: AppointmentKey,
  failure: string,
): Promise<{ readonly outcome: HoldOutcome; readonly isOver: boolean }> {
  if (!(await trySpendProviderRequest(deps, key))) return KEPT
  const progress = await endPayment(deps, key)
  if (progress === 'under_way' || progress === 'unknown') return KEPT
  const hold = { calendar_id: key.calendarId, appointment_id: key.id }
  const outcome = await releaseOrExtendHold(deps, hold, {
    progress: toEnding(progress),
    failure,
    isAbandoned: true,
  })
  return { outcome, isOver: progress === 'ended' }
}

const KEPT = { outcome: 'kept', isOver: false } as const

/** Returns the state with which to close a hold whose payment is no longer awaited. */
function toEnding(progress: Exclude<SettlementState, 'under_way' | 'unknown'>): 'given_up' | 'ended' {
  return progress === 'open' ? 'given_up' : 'ended'
}

/**
 * Releases expired holds, or extends them while their payment is in progress. An error with one hold does not stop the
 * others.
 */
export async function releaseExpiredHolds(deps: CheckoutsDeps): Promise<void> {
  const ended = await listExpiredHolds(deps.db, new Date(deps.now()), SWEPT)
  await runInBatches(ended, (key) =>
    sweepHold(deps, key).catch((err: unknown) => deps.log.error({ err }, 'a hold could not be closed')),
  )
}

/** Closes one expired hold. Even an error with its payment must not keep the hold open forever. */
async function sweepHold(deps: CheckoutsDeps, key: AppointmentKey): Promise<void> {
  const progress = await endPayment(deps, key).catch((err: unknown) => {
    deps.log.error({ err }, 'the payment of a hold could not be ended')
    return 'unknown' as const
  })
  const hold = { calendar_id: key.calendarId, appointment_id: key.id }
  const present = progress === 'settled' ? 'ended' : progress
  await releaseOrExtendHold(deps, hold, { progress: present, failure: NOT_PAID, isAbandoned: true })
}

/**
 * Ends the checkout at the provider before an owner's action on the payment. The action itself decides about the hold. Source:
 * rule A13.
 */
export async function closeCheckoutAtProvider(
  deps: CheckoutsDeps,
  key: AppointmentKey,
): Promise<'ended' | 'under_way' | 'settled'> {
  const payment = await findPaymentOfAppointment(deps.db, key, OPEN_PAYMENT_STATUSES)
  if (payment === null) return 'ended'
  const progress = await settleWithProvider(deps, payment, 'endCheckout')
  if (progress === 'settled' || progress === 'under_way') return progress
  if (progress !== 'unknown') return 'ended'
  const now = await findPayment(deps.db, payment)
  // We have asked the provider to capture the money. Within half an hour we know the result, or give up.
  if (now?.status === 'capturing') return 'under_way'
  await scheduleRecheck(deps, payment)
  return 'ended'
}

/**
 * Schedules another request to the provider, because the customer can still pay at a checkout that could not be ended.
 */
async function scheduleRecheck(deps: CheckoutsDeps, payment: Payment): Promise<void> {
  if (payment.provider !== 'stripe') return
  const nowMs = deps.now()
  const change = { ask_again_at: new Date(nowMs + MINUTE_MS), updated_at: new Date(nowMs) }
  await updatePayment(deps.db, payment, OPEN_PAYMENT_STATUSES, change)
}

/**
 * Ends the payments of a calendar that is about to be deleted.
 * @throws ProblemError `payment.deletion_under_way` while a capture is running: after the deletion we could not ask for its
 *   result
 */
export async function endPaymentsOfCalendar(trx: Trx, calendarId: string, endedAt: Date): Promise<void> {
  await lockAppointmentsAwaitingPayment(trx, calendarId)
  const since = new Date(endedAt.getTime() - MAX_HOLD_MS)
  if (await hasCaptureInProgress(trx, calendarId, since)) throw new ProblemError('payment.deletion_under_way')
  // The checkouts were ended at the provider just before this transaction. For those that are still open, the result is
  // unknown.
  await failOpenPayments(trx, { calendarId }, endedAt, { failure: CALENDAR_GONE, unknown: 'all' })
}

/** States of checkouts, the most serious first. Source: rule P16. */
const MOST_SERIOUS_FIRST = ['under_way', 'unanswered', 'unknown'] as const

const ENDED_BY_OWNER = 'The owner disconnected this payment provider.'

/**
 * Ends the open checkouts of a calendar, optionally of one provider only, before the provider is disconnected or the
 * calendar deleted, and makes the refunds that are due. If the provider does not respond for longer than a hold can
 * last, unknown payments and failed refunds are left to the owner.
 */
export async function closeOpenCheckouts(
  deps: CheckoutsDeps,
  { calendarId, provider = null }: { calendarId: string; provider?: PaymentProviderName | null },
): Promise<OpenCheckoutStatus> {
  const scope = { calendarId, provider }
  const unsettled = await listUnsettledPayments(deps.db, scope)
  const left = await runInBatches(unsettled, (payment) => endOne(deps, payment))
  // These refunds include payments that the loop above found to be late.
  left.push(
    ...(await runInBatches(await listRefundsDue(deps.db, scope), (payment) => tryToReturn(deps, payment))),
  )
  return MOST_SERIOUS_FIRST.find((what) => left.includes(what)) ?? 'ended'
}

async function endOne(deps: CheckoutsDeps, payment: Payment): Promise<OpenCheckoutStatus> {
  const progress = await settleWithProvider(deps, payment, 'endCheckout')
  if (progress === 'settled') return 'ended'
  if (payment.status === 'failed') {
    await recordUnpaidResponse(deps, payment, progress)
    return 'ended'
  }
  const ending = progress === 'open' ? 'given_up' : progress
  const outcome = await releaseOrExtendHold(deps, payment, { progress: ending, failure: ENDED_BY_OWNER })
  if (outcome !== 'kept') return 'ended'
  if (progress !== 'unknown') return 'under_way'
  return (await findPayment(deps.db, payment))?.status === 'capturing' ? 'unanswered' : 'unknown'
}

async function tryToReturn(deps: CheckoutsDeps, payment: Payment): Promise<OpenCheckoutStatus> {
  const owed = findDueRefund(deps, payment)
  if (owed === null) return 'ended'
  try {
    await owed.returnMoney()
    return 'ended'
  } catch (err) {
    if (!(err instanceof PaymentProviderError)) throw err
    const isOld = deps.now() - owed.sinceMs >= MAX_HOLD_MS
    // Do not wait after a refusal, which would be the same in half an hour.
    return err.kind === 'refused' || isOld ? 'ended' : 'unanswered'
  }
}
