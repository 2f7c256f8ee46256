import type { PaymentState } from '#contract/payments/checkouts.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { Appointment } from '#server/records/appointments/appointment.ts'
import { findDetailsIncludingEndedHolds } from '#server/records/appointments/details-repository.ts'
import { toPublicAppointment } from '#server/records/appointments/to-public-appointment.ts'
import { findPaymentOfAppointment, type Payment } from '#server/records/ledger/ledger-repository.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'
import { listNearestFreeStarts } from './list-nearest-free-starts.ts'
import { releaseOrExtendHold } from './release-or-extend-hold.ts'
import { type SettlementState, settleWithProvider, trySpendProviderRequest } from './settle-with-provider.ts'

/**
 * Returns the payment state of an appointment to anybody who has its id. Asks the provider and applies the response in
 * the same way as after a webhook event. Idempotent.
 * @throws ProblemError `payment.not_found`
 */
export async function settlePayment(deps: CheckoutsDeps, appointmentId: string): Promise<PaymentState> {
  const { payment } = await getPaid(deps, appointmentId)
  const mayAsk = await trySpendProviderRequest(deps, { calendarId: payment.calendar_id, id: appointmentId })
  const progress = mayAsk ? await settleWithProvider(deps, payment, 'findCheckout') : 'unknown'
  if (progress === 'ended')
    await releaseOrExtendHold(deps, payment, {
      progress,
      failure: 'The checkout ended unpaid.',
      isAbandoned: true,
    })
  const now = await getPaid(deps, appointmentId)
  const outcome = toOutcome(now.payment, progress)
  const { details } = now
  const appointment = toPublicAppointment(details, deps)
  return {
    payment: outcome,
    appointment: details.released_at === null ? appointment : null,
    calendar_slug: details.slug,
    public_url: appointment.public_url,
    hour_cycle: details.hour_cycle,
    near_times: outcome === 'refunded' ? await listNearestFreeStarts(deps, details) : [],
  }
}

async function getPaid(
  { db }: Pick<CheckoutsDeps, 'db'>,
  appointmentId: string,
): Promise<{ payment: Payment; details: Appointment }> {
  const details = await findDetailsIncludingEndedHolds(db, appointmentId)
  const payment =
    details && (await findPaymentOfAppointment(db, { calendarId: details.calendar_id, id: appointmentId }))
  if (details === null || payment === null) throw new ProblemError('payment.not_found')
  return { payment, details }
}

/**
 * Returns the outcome to show. A payment with the wrong amount or account stays `processing` until the owner decides.
 * So does a payment that may still arrive after its hold.
 */
function toOutcome({ status }: Payment, progress: SettlementState): PaymentState['payment'] {
  if (status === 'completed') return 'paid'
  if (status === 'refunded' || status === 'refund_pending') return 'refunded'
  const isOver = progress === 'open' || progress === 'ended'
  if (status === 'failed' && isOver) return 'ended'
  return status === 'pending' && progress === 'open' ? 'open' : 'processing'
}
