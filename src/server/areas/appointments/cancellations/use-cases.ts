import type { CancelByCustomerBody, CustomerAppointment } from '#contract/appointments/customer-page.ts'
import { toCancellationTerms } from '#core/appointments/decide-refund.ts'
import {
  type CancellableAppointment,
  cancelLockedAppointment,
  lockCancellableAppointment,
} from '#server/areas/appointments/actions/cancel-appointment.ts'
import type { BookingsDeps } from '#server/areas/appointments/bookings/deps.ts'
import {
  refuseMovedAppointment,
  storeCancellationRequest,
} from '#server/areas/appointments/bookings/use-cases.ts'
import {
  getLinkedAppointment,
  getManagedAppointment,
  type ManagedAppointmentsDeps,
  type OpenedSession,
} from '#server/areas/appointments/customer-page/use-cases.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'

export type CancellationsDeps = BookingsDeps & ManagedAppointmentsDeps

/**
 * Cancels an appointment for its customer, or requests the cancellation from the owner, whichever the policy currently
 * allows. The request states the terms that the customer saw; if the terms have changed since, the request is refused
 * so that the customer can read the new ones. Idempotent: an appointment that is already cancelled is returned as it
 * is. Source: rules Q4 and Q9.
 * @throws ProblemError `manage.*`, `cancellation.terms_changed`, `cancellation.not_possible`, `appointment.*`
 */
export async function cancelManagedAppointment(
  deps: CancellationsDeps,
  opened: OpenedSession,
  seen: CancelByCustomerBody,
): Promise<CustomerAppointment> {
  const { id, calendar_id: calendarId } = await getLinkedAppointment(deps, opened)
  if (seen.way === 'by_request') await askToCancel(deps, { calendarId, id }, seen)
  else await cancelAlone(deps, { calendarId, id }, seen)
  return getManagedAppointment(deps, opened)
}

type Key = { readonly calendarId: string; readonly id: string }

async function cancelAlone(deps: CancellationsDeps, key: Key, seen: CancelByCustomerBody): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const found = await lockCancellableAppointment(trx, key)
    if (found === null) throw new ProblemError('appointment.not_found')
    if (found.appointment.state.status === 'cancelled') return
    const { refund } = getTermsSeen(found, seen, deps.now())
    await cancelLockedAppointment(deps, trx, { ...found, key, causedBy: 'customer', givesBack: refund })
  })
}

async function askToCancel(deps: CancellationsDeps, key: Key, seen: CancelByCustomerBody): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const found = await lockCancellableAppointment(trx, key)
    if (found === null) throw new ProblemError('appointment.not_found')
    const { state, startsAtMs, sequence } = found.appointment
    if (state.status === 'cancelled' || state.status === 'pending_cancellation') return
    getTermsSeen(found, seen, deps.now())
    await storeCancellationRequest(deps, trx, key, { status: state.status, startsAtMs, sequence })
  })
}

/**
 * Returns the current cancellation terms if they match the terms that the customer saw.
 * @throws ProblemError `appointment.changed_meanwhile`, `cancellation.not_possible`, `cancellation.terms_changed`
 */
function getTermsSeen({ appointment }: CancellableAppointment, seen: CancelByCustomerBody, nowMs: number) {
  const { state, priceCents, startsAtMs } = appointment
  refuseMovedAppointment(seen.expected_starts_at, startsAtMs)
  const paidCents = state.paymentStatus === 'paid' ? priceCents : null
  const terms = toCancellationTerms({ ...appointment, paidCents, status: state.status }, nowMs)
  if (terms.way === 'none') throw new ProblemError('cancellation.not_possible')
  const refundAmount = terms.refund === null ? null : terms.refund.cents / 100
  if (terms.way !== seen.way || refundAmount !== seen.refund_amount) {
    throw new ProblemError('cancellation.terms_changed')
  }
  return terms
}
