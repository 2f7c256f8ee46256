import type {
  CancelByCustomerBody,
  CancelDatesBody,
  CustomerAppointment,
} from '#contract/appointments/customer-page.ts'
import { type RefundAmount, toCancellationTerms } from '#core/appointments/decide-refund.ts'
import {
  type CancellableAppointment,
  cancelLockedAppointment,
  inOneEmail,
  lockCancellableAppointment,
} from '#server/areas/appointments/actions/cancel-appointment.ts'
import type { BookingsDeps } from '#server/areas/appointments/bookings/deps.ts'
import { lockBookableCalendar } from '#server/areas/appointments/bookings/repository.ts'
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
import { listSeriesAppointments, storeSeriesEnd } from '#server/areas/appointments/series/repository.ts'
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
    if (isSettled(found, 'alone')) return
    const { refund } = getTermsSeen(found, seen, deps.now())
    await cancelLockedAppointment(deps, trx, { ...found, key, causedBy: 'customer', givesBack: refund })
  })
}

async function askToCancel(deps: CancellationsDeps, key: Key, seen: CancelByCustomerBody): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const found = await lockCancellableAppointment(trx, key)
    if (found === null) throw new ProblemError('appointment.not_found')
    if (isSettled(found, 'by_request')) return
    const { state, startsAtMs, sequence } = found.appointment
    getTermsSeen(found, seen, deps.now())
    await storeCancellationRequest(deps, trx, key, { status: state.status, startsAtMs, sequence })
  })
}

/**
 * Cancels dates of a series for its customer, or requests their cancellation, each as its policy allows, in one transaction. Each
 * side gets one email. The link of a date reaches that date and the later ones. Idempotent, as for a single appointment. Source:
 * rule B64.
 * @throws ProblemError `manage.*`, `cancellation.terms_changed`, `cancellation.not_possible`, `appointment.*`
 */
export async function cancelManagedDates(
  deps: CancellationsDeps,
  opened: OpenedSession,
  { dates }: CancelDatesBody,
): Promise<CustomerAppointment> {
  const { id, calendar_id: calendarId, series_id: seriesId } = await getLinkedAppointment(deps, opened)
  if (seriesId === null) throw new ProblemError('cancellation.not_possible')
  await inTransaction(deps.db, async (trx) => {
    await lockBookableCalendar(trx, calendarId)
    const all = await listSeriesAppointments(trx, { calendarId, id: seriesId })
    const ofSeries = all.slice(all.findIndex((date) => date.id === id))
    const wanted = { alone: [] as CancelledDate[], by_request: [] as CancelledDate[] }
    for (const { number, ...seen } of dates) {
      const date = ofSeries.find(({ series_number }) => series_number === number)
      const found = date && (await lockCancellableAppointment(trx, { calendarId, id: date.id }))
      if (!found) throw new ProblemError('appointment.changed_meanwhile')
      if (isSettled(found, seen.way)) continue
      const { refund } = getTermsSeen(found, seen, deps.now())
      wanted[seen.way].push({ ...found, key: { calendarId, id: date.id }, givesBack: refund })
    }
    for (const [i, date] of wanted.alone.entries())
      await cancelLockedAppointment(deps, trx, {
        ...date,
        causedBy: 'customer',
        ...inOneEmail(wanted.alone, i),
      })
    // When a customer cancels the last date of a standing appointment, no further dates are booked.
    if (wanted.alone.some(({ key }) => key.id === all.at(-1)?.id))
      await storeSeriesEnd(trx, { calendarId, id: seriesId }, new Date(deps.now()))
    for (const [i, { key, appointment }] of wanted.by_request.entries()) {
      const { state, startsAtMs, sequence } = appointment
      const locked = { status: state.status, startsAtMs, sequence }
      await storeCancellationRequest(deps, trx, key, { ...locked, ...inOneEmail(wanted.by_request, i) })
    }
  })
  return getManagedAppointment(deps, opened)
}

type CancelledDate = CancellableAppointment & { readonly key: Key; readonly givesBack: RefundAmount | null }

/** True when an earlier request has reached the wanted result. */
function isSettled({ appointment }: CancellableAppointment, way: CancelByCustomerBody['way']): boolean {
  const { status } = appointment.state
  return status === 'cancelled' || (way === 'by_request' && status === 'pending_cancellation')
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
