import type { NoShowResponse } from '#contract/appointments/appointment-actions.ts'
import { canMarkNoShow } from '#core/appointments/no-show.ts'
import type { BookingsDeps } from '#server/areas/appointments/bookings/deps.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import {
  type AppointmentKey,
  lockAppointmentForAction,
  storeNoShow,
} from '#server/records/appointments/state-repository.ts'
import { lockOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { recordHistory } from '#server/records/history/use-cases.ts'

/**
 * Marks an appointment as a no-show, or removes the mark. No money moves and no email is sent: the owner keeps what the policy
 * does not refund, and may still refund it. Source: rule Q11.
 * @throws ProblemError `calendar.*`, `appointment.not_found`, `appointment.no_show_not_now`
 */
export async function markNoShow(
  deps: Pick<BookingsDeps, 'db' | 'now'>,
  ownerId: OwnerId,
  key: AppointmentKey,
  isNoShow: boolean,
): Promise<NoShowResponse> {
  return inTransaction(deps.db, async (trx) => {
    await lockOwnCalendar(trx, ownerId, key.calendarId)
    const appointment = await lockAppointmentForAction(trx, key)
    if (appointment === null) throw new ProblemError('appointment.not_found')
    const at = new Date(deps.now())
    const isMarked = appointment.noShowAtMs !== null
    if (isNoShow && !isMarked && !canMarkNoShow(appointment, at.getTime())) {
      throw new ProblemError('appointment.no_show_not_now')
    }
    if (isNoShow !== isMarked) {
      await storeNoShow(trx, key, { no_show_at: isNoShow ? at : null, updated_at: at })
      const kind = isNoShow ? 'no_show' : 'no_show_undone'
      await recordHistory(trx, key, { kind, causedBy: 'owner', details: {}, at })
    }
    return { id: key.id, no_show: isNoShow }
  })
}
