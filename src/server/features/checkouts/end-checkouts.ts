import { type AppointmentKey, endOpenPayments } from '#server/features/appointments/use-cases.ts'
import { findDetailsOfAny } from '#server/features/bookings/use-cases.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { ProviderName } from '#server/ports/payment-provider.ts'
import { closeHold } from './close-hold.ts'
import { listEndedHolds } from './hold-repository.ts'
import type { CheckoutsDeps } from './payee.ts'
import { findPaymentOf, listOpenPayments, lockAwaitingPayment, OPEN } from './repository.ts'
import { type Settlement, settle } from './settle.ts'

const NOT_PAID = 'Nobody paid in time.'
const GIVEN_UP = 'The customer gave the time back.'
const ENDED_BY_OWNER = 'The owner ended this way to pay.'
const CALENDAR_GONE = 'The calendar was deleted.'

/**
 * Holds of one round of the sweep, and how many providers are asked at a time. One hold takes 105 s at the very worst (five
 * questions to PayPal of two tries each, 10 s a try), so a round takes 10 × 105 s: less than `HOLD_SWEEP` has.
 */
const SWEPT = 100
const AT_ONCE = 10

/**
 * Ends the checkout of an appointment and says how its payment stands. What nothing can be paid for any more is ended by
 * itself: a hold without a payment.
 */
async function endPayment(deps: CheckoutsDeps, key: AppointmentKey): Promise<Settlement> {
  const payment = await findPaymentOf(deps.db, key)
  return payment === null ? 'ended' : settle(deps, payment, 'endCheckout')
}

/**
 * Gives back the time of an unpaid hold, as its customer asks for. While the payment may be under way it is kept.
 * @throws ProblemError `appointment.not_found`, `appointment.not_pending_payment`, `payment.under_way`
 */
export async function releasePendingAppointment(deps: CheckoutsDeps, id: string): Promise<void> {
  const details = await findDetailsOfAny(deps.db, id)
  if (details === null || details.released_at !== null) throw new ProblemError('appointment.not_found')
  if (details.status !== 'pending_payment' || details.hold_expires_at === null) {
    throw new ProblemError('appointment.not_pending_payment')
  }
  const key = { calendarId: details.calendar_id, id }
  const progress = await endPayment(deps, key)
  if (progress === 'under_way' || progress === 'unknown') throw new ProblemError('payment.under_way')
  const hold = { calendarId: key.calendarId, appointmentId: id }
  const outcome = await closeHold(deps, hold, { progress: toEnding(progress), failure: GIVEN_UP })
  if (outcome === 'kept') throw new ProblemError('payment.under_way')
  // It was paid, or the owner has decided about it, while the provider was asked.
  if (outcome === 'none') throw new ProblemError('appointment.not_pending_payment')
}

/** How a hold is closed whose payment is not awaited any longer. */
function toEnding(progress: Exclude<Settlement, 'under_way' | 'unknown'>): 'given_up' | 'ended' {
  return progress === 'open' ? 'given_up' : 'ended'
}

/** Ends the holds whose time is up, or gives them longer while their payment is under way. One that fails stops no other. */
export async function sweepHolds(deps: CheckoutsDeps): Promise<void> {
  const ended = await listEndedHolds(deps.db, new Date(deps.now()), SWEPT)
  for (let next = 0; next < ended.length; next += AT_ONCE) {
    const swept = ended
      .slice(next, next + AT_ONCE)
      .map((key) =>
        sweepHold(deps, key).catch((err: unknown) => deps.log.error({ err }, 'a hold could not be closed')),
      )
    await Promise.all(swept)
  }
}

/** Whatever goes wrong with its payment, no hold lasts for ever. */
async function sweepHold(deps: CheckoutsDeps, key: AppointmentKey): Promise<void> {
  const progress = await endPayment(deps, key).catch((err: unknown) => {
    deps.log.error({ err }, 'the payment of a hold could not be ended')
    return 'unknown' as const
  })
  const hold = { calendarId: key.calendarId, appointmentId: key.id }
  await closeHold(deps, hold, { progress: progress === 'settled' ? 'ended' : progress, failure: NOT_PAID })
}

/** Before the owner decides about a payment: ends its checkout at the provider. The hold is left to the owner's action. */
export async function endCheckout(
  deps: CheckoutsDeps,
  key: AppointmentKey,
): Promise<'ended' | 'under_way' | 'settled'> {
  const payment = await findPaymentOf(deps.db, key, OPEN)
  if (payment === null) return 'ended'
  const progress = await settle(deps, payment, 'endCheckout')
  return progress === 'settled' || progress === 'under_way' ? progress : 'ended'
}

/**
 * Ends what is open on a calendar, of one provider where it is named, before the way to pay or the calendar itself goes.
 * What is under way is left, and what could not be asked for: answers whether there is such a payment.
 */
export async function endOpenCheckouts(
  deps: CheckoutsDeps,
  { calendarId, provider = null }: { calendarId: string; provider?: ProviderName | null },
): Promise<'ended' | 'unknown' | 'under_way'> {
  const open = await listOpenPayments(deps.db, calendarId, provider)
  const left = await Promise.all(
    open.map(async (payment) => {
      const progress = await settle(deps, payment, 'endCheckout')
      if (progress !== 'open' && progress !== 'ended') return progress
      const ending = { progress: toEnding(progress), failure: ENDED_BY_OWNER }
      return (await closeHold(deps, payment, ending)) === 'kept' ? 'under_way' : 'ended'
    }),
  )
  if (left.includes('under_way')) return 'under_way'
  return left.includes('unknown') ? 'unknown' : 'ended'
}

/** Nothing more is awaited on a calendar that is about to be gone. */
export async function endPaymentsOf(trx: Trx, calendarId: string, endedAt: Date): Promise<void> {
  await lockAwaitingPayment(trx, calendarId)
  await endOpenPayments(trx, { calendarId }, endedAt, CALENDAR_GONE)
}
