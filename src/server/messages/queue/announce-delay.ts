import type { AppointmentRow, DelayNoticeBody } from '#contract/appointments/appointments.ts'
import { MAX_DELAY_NOTICES } from '#contract/appointments/appointments.ts'
import { decideDelayNotice } from '#core/appointments/delay.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { findAppointmentDetails } from '#server/records/appointments/details-repository.ts'
import { lockAppointment } from '#server/records/appointments/state-repository.ts'
import { getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import type { MessagesDeps } from './owner-use-cases.ts'
import { listMessages } from './repository.ts'
import { queueMessages } from './use-cases.ts'

/**
 * Tells the customer that the appointment starts some minutes late. The email counts towards the owner's email limit,
 * and the appointment keeps its time. Idempotent. Source: rules Y4 and Y5.
 */
export async function announceDelay(
  deps: MessagesDeps,
  ownerId: OwnerId,
  {
    calendarId,
    appointmentId,
    minutes,
    told,
  }: { calendarId: string; appointmentId: string } & DelayNoticeBody,
): Promise<AppointmentRow['delay']> {
  await getOwnCalendar(deps, ownerId, calendarId)
  return inTransaction(deps.db, async (trx) => {
    // The lock makes simultaneous requests wait for each other.
    await lockAppointment(trx, appointmentId)
    const details = await findAppointmentDetails(trx, appointmentId)
    if (details?.calendar_id !== calendarId) throw new ProblemError('appointment.not_found')
    const { sequence, status, starts_at, customer_email } = details
    const messages = await listMessages(trx, { calendarId, appointmentId })
    // The delays announced so far, earliest first.
    const delays = messages
      .flatMap((one) => (one.sequence === sequence ? (one.late_minutes ?? []) : []))
      .reverse()
    if (told < delays.length) {
      const latest = delays.at(-1) ?? null
      if (told === delays.length - 1 && latest === minutes) return { minutes, told: delays.length }
      throw new ProblemError('message.changed_meanwhile')
    }
    const nowMs = deps.now()
    const appointment = {
      status,
      startsAtMs: starts_at.getTime(),
      hasEmail: customer_email !== null,
      told: delays.length,
    }
    const decision = decideDelayNotice(appointment, { minutes, maxTold: MAX_DELAY_NOTICES, nowMs })
    if (!decision.ok) throw new ProblemError(`delay.${decision.reason}`)
    const revision = { sequence, changedAt: new Date(nowMs) }
    const delay = { minutes, told: delays.length }
    await queueMessages(deps, trx, [
      { calendarId, appointmentId, kind: 'running_late', causedBy: 'owner', revision, delay },
    ])
    return { minutes, told: delays.length + 1 }
  })
}
