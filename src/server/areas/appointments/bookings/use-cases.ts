import type { CancellationRequestResponse, PublicAppointment } from '#contract/appointments/bookings.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { decideCancellationRequest } from '#core/appointments/cancellation-request.ts'
import { isIdLinkValid } from '#core/appointments/manage-link.ts'
import type { ActionToApply } from '#server/areas/appointments/actions/apply-action.ts'
import { toMailFacts } from '#server/messages/emails/to-mail-facts.ts'
import { findSendingOwner } from '#server/messages/queue/sender-repository.ts'
import { queueClosedCalendarMails } from '#server/messages/queue/use-cases.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import {
  findAppointmentDetails,
  listFutureAppointmentDetails,
  toLinkedAppointment,
} from '#server/records/appointments/details-repository.ts'
import {
  type AppointmentKey,
  type LockedAppointment,
  lockAppointment,
  updateAppointmentStatus,
} from '#server/records/appointments/state-repository.ts'
import { toPublicAppointment } from '#server/records/appointments/to-public-appointment.ts'
import { recordHistory } from '#server/records/history/use-cases.ts'
import type { BookingsDeps } from './deps.ts'
import { tryToQueueMails } from './queue-mails.ts'

/**
 * Returns an appointment to anybody who has its id. Source: rules B18 and R6.
 * @throws ProblemError `appointment.not_found`
 */
export async function getPublicAppointment(
  deps: Pick<BookingsDeps, 'db' | 'now' | 'baseUrl' | 'defaultTier'>,
  id: string,
): Promise<PublicAppointment> {
  const details = await findAppointmentDetails(deps.db, id)
  if (details === null || !isIdLinkValid(toLinkedAppointment(details), deps.now()))
    throw new ProblemError('appointment.not_found')
  return toPublicAppointment(details, deps)
}

const CANCELLATION_REFUSALS = {
  cancellation_pending: 'appointment.cancellation_pending',
  already_cancelled: 'appointment.already_cancelled',
  not_confirmed: 'appointment.not_confirmed',
  past: 'appointment.past',
} as const satisfies Record<string, ProblemCode>

/**
 * Requests a cancellation with the bare appointment id. The id is refused once the appointment's link has been
 * replaced. Source: rules B19 and R6.
 * @throws ProblemError `appointment.not_found`, `appointment.*` when a cancellation cannot be requested
 */
export async function requestCancellation(
  deps: BookingsDeps,
  id: string,
  expectedStart?: string,
): Promise<CancellationRequestResponse> {
  return inTransaction(deps.db, async (trx) => {
    const appointment = await lockAppointment(trx, id)
    if (appointment === null || appointment.link_rotation > 0) throw new ProblemError('appointment.not_found')
    const { calendar_id: calendarId, booking_reference, startsAtMs } = appointment
    refuseMovedAppointment(expectedStart, startsAtMs)
    const status = await storeCancellationRequest(deps, trx, { calendarId, id }, appointment)
    return { id, status, booking_reference }
  })
}

/**
 * Refuses a decision about an appointment that was moved since the caller loaded its page. Without `expectedStartSchema`,
 * nothing is compared or refused.
 * @throws ProblemError `appointment.changed_meanwhile`
 */
export function refuseMovedAppointment(expectedStart: string | undefined, startsAtMs: number): void {
  if (expectedStart !== undefined && Date.parse(expectedStart) !== startsAtMs)
    throw new ProblemError('appointment.changed_meanwhile')
}

/**
 * Records that the customer of a locked appointment requests its cancellation, and emails the owner, who decides. Source: rule
 * B19.
 * @throws ProblemError `appointment.*` when a cancellation cannot be requested
 */
export async function storeCancellationRequest(
  deps: BookingsDeps,
  trx: Trx,
  key: AppointmentKey,
  locked: Pick<LockedAppointment, 'status' | 'startsAtMs' | 'sequence'> & Pick<ActionToApply, 'ofSeries'>,
): Promise<'pending_cancellation'> {
  const nowMs = deps.now()
  const decision = decideCancellationRequest(locked, nowMs)
  if (!decision.ok) throw new ProblemError(CANCELLATION_REFUSALS[decision.reason])
  const updatedAt = new Date(nowMs)
  await updateAppointmentStatus(trx, key, { status: decision.status, updated_at: updatedAt })
  await recordHistory(trx, key, {
    kind: 'cancellation_requested',
    causedBy: 'customer',
    details: {},
    at: updatedAt,
  })
  if (locked.ofSeries === 'named') return decision.status
  await tryToQueueMails(deps, trx, ['owner_cancellation_request'], {
    calendarId: key.calendarId,
    appointmentId: key.id,
    causedBy: 'customer',
    details: { series: locked.ofSeries && [...locked.ofSeries.others] },
    revision: { sequence: locked.sequence, changedAt: updatedAt },
  })
  return decision.status
}

/** Number of appointments that are loaded and queued at once. */
const ANNOUNCED_AT_ONCE = 500

/**
 * Queues an email to every customer with a future appointment on a calendar that is about to be deleted. Runs in the
 * deleting transaction. The jobs contain everything that the emails need, because the rows will be deleted. Source:
 * rule M10.
 */
export async function queueClosedCalendarNotices(
  deps: BookingsDeps,
  trx: Trx,
  calendarId: string,
): Promise<void> {
  const now = new Date(deps.now())
  const sender = await findSendingOwner(trx, calendarId, now)
  if (sender === null) return
  const limit = ANNOUNCED_AT_ONCE
  let page: Awaited<ReturnType<typeof listFutureAppointmentDetails>> = []
  do {
    page = await listFutureAppointmentDetails(trx, calendarId, { now, after: page.at(-1), limit })
    // Links must not use the calendar's own host, because it is deleted too.
    const appointments = page.map((details) => toMailFacts({ ...details, live_host: null }, deps))
    if (appointments.length > 0) {
      await queueClosedCalendarMails(deps, trx, { appointments, closedAt: now, calendarId, sender })
    }
  } while (page.length === limit)
}
