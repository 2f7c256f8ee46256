import { randomUUID } from 'node:crypto'
import type { AppointmentActionBody, AppointmentActionResponse } from '#contract/appointment-actions.ts'
import type { MessageKind } from '#contract/messages.ts'
import type { EmailOutcome } from '#core/booking/action-sentences.ts'
import {
  type ActionDecision,
  type Announcement,
  type AppointmentAction,
  type AppointmentState,
  changesCalendars,
  decideAction,
  isDoneAlready,
  isSameState,
} from '#core/booking/appointment-actions.ts'
import {
  type BookingsDeps,
  lockLocation,
  refusingTakenTime,
  tryToQueueMails,
} from '#server/features/bookings/use-cases.ts'
import { getOwnCalendar, lockOwnCalendar } from '#server/features/calendars/use-cases.ts'
import { isTimeTaken } from '#server/features/slots/use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { RefundAnswer, Refunds } from '#server/ports/refunds.ts'
import {
  type ActedAppointment,
  type AppointmentKey,
  findActedAppointment,
  hasCustomerEmail,
  lockActedAppointment,
  recordManualPayment,
  recordRefund,
  shortenBuffersAt,
  storeActionResult,
} from './action-repository.ts'

export type AppointmentActionsDeps = BookingsDeps & { readonly refunds: Refunds }

type Granted = Extract<ActionDecision, { ok: true }>
/** `done`: somebody did the same before; it is answered like a success, and nobody is told twice. */
type Verdict = { readonly kind: 'go' | 'done'; readonly decision: Granted }

/**
 * Does one of the owner's actions: decides by the table, takes the time again where it was given up, and queues the
 * messages, in one transaction under the calendar's lock. Money goes back before it, because a provider is slow.
 *
 * Source: spec §4 "Owner actions", decided question "Owner payment actions".
 * @throws ProblemError `calendar.*`, `appointment.not_found`, `appointment.action_not_offered`,
 *   `appointment.changed_meanwhile`, `appointment.restore_conflict`, `appointment.refund_failed`
 */
export async function actOnAppointment(
  deps: AppointmentActionsDeps,
  ownerId: OwnerId,
  key: AppointmentKey,
  { action, was }: AppointmentActionBody,
): Promise<AppointmentActionResponse> {
  await getOwnCalendar(deps, ownerId, key.calendarId)
  const seen = was === undefined ? null : { status: was.status, paymentStatus: was.payment_status }
  const refund = action === 'refund' ? await payBack(deps, key, seen) : null

  // The constraints have the last word, in the same sentence.
  const refusals = { time: 'appointment.restore_conflict', place: 'appointment.restore_conflict' } as const
  return refusingTakenTime(refusals, () =>
    inTransaction(deps.db, async (trx) => {
      const { bufferMinutes } = await lockOwnCalendar(trx, ownerId, key.calendarId)
      const appointment = await lockActedAppointment(trx, key)
      if (appointment === null) throw new ProblemError('appointment.not_found')
      // Once the money is back, the record has to say so, whatever else has changed meanwhile.
      const isOwed = refund?.processed === 'provider' && appointment.state.paymentStatus === 'paid'
      const { kind, decision } = judge(action, isOwed ? null : seen, appointment.state)
      const email =
        kind === 'go'
          ? await carryOut(deps, trx, { key, action, appointment, decision, bufferMinutes })
          : ('none' as const)
      return {
        id: key.id,
        status: decision.to.status,
        payment_status: decision.to.paymentStatus,
        announced: decision.announces,
        email,
        warning: refund?.warning ?? null,
      }
    }),
  )
}

/** @throws ProblemError `appointment.action_not_offered`, `appointment.changed_meanwhile` */
function judge(action: AppointmentAction, seen: AppointmentState | null, now: AppointmentState): Verdict {
  const decision = decideAction(action, seen ?? now)
  if (!decision.ok) throw new ProblemError('appointment.action_not_offered')
  if (seen === null || isSameState(seen, now)) return { kind: 'go', decision }
  if (isDoneAlready(action, seen, now)) return { kind: 'done', decision }
  throw new ProblemError('appointment.changed_meanwhile')
}

/** Gives the money back, outside of any transaction. Null when somebody has done it already. */
async function payBack(
  deps: AppointmentActionsDeps,
  key: AppointmentKey,
  seen: AppointmentState | null,
): Promise<RefundAnswer | null> {
  const appointment = await findActedAppointment(deps.db, key)
  if (appointment === null) throw new ProblemError('appointment.not_found')
  if (judge('refund', seen, appointment.state).kind === 'done') return null
  try {
    return await deps.refunds.refund({
      calendarId: key.calendarId,
      appointmentId: key.id,
      amountCents: appointment.priceCents ?? 0,
      currency: appointment.currency,
    })
  } catch (err) {
    deps.log.error({ err }, 'a refund was not made')
    throw new ProblemError('appointment.refund_failed')
  }
}

type Work = {
  readonly key: AppointmentKey
  readonly action: AppointmentAction
  readonly appointment: ActedAppointment
  readonly decision: Granted
  readonly bufferMinutes: number
}

async function carryOut(deps: AppointmentActionsDeps, trx: Trx, work: Work): Promise<EmailOutcome> {
  const { key, action, appointment, decision, bufferMinutes } = work
  if (decision.takesTime) await refuseTakenTime(trx, work)
  const until = new Date(appointment.endsAtMs + bufferMinutes * 60_000)
  const { conflictLocationId } = appointment
  const updatedAt = new Date(deps.now())
  const sequence = appointment.sequence + (changesCalendars(decision.announces) ? 1 : 0)
  await storeActionResult(trx, key, {
    state: decision.to,
    sequence,
    updatedAt,
    taken: decision.takesTime ? { until, conflictLocationId } : null,
  })
  if (action === 'refund') await recordRefund(trx, key)
  const { priceCents: amountCents, currency } = appointment
  // What is free has no payment to record.
  if (action === 'mark_paid' && amountCents !== null && amountCents > 0) {
    const payment = { id: randomUUID(), amountCents, currency, createdAt: updatedAt }
    await recordManualPayment(trx, key, payment)
  }
  // Nobody is told about what is over: the owner only puts the record right.
  if (decision.announces === null || appointment.endsAtMs <= updatedAt.getTime()) return 'none'
  const areQueued = await tryToQueueMails(deps, trx, MAILS[decision.announces], {
    calendarId: key.calendarId,
    appointmentId: key.id,
    revision: { sequence, changedAt: updatedAt },
  })
  if (!(await hasCustomerEmail(trx, key))) return 'none'
  return areQueued ? 'queued' : 'failed'
}

/** Who is told by which message. */
const MAILS: Record<Announcement, readonly MessageKind[]> = {
  confirmed: ['booking_confirmation', 'owner_confirmed'],
  restored: ['restored', 'owner_restored'],
  cancelled: ['cancelled', 'owner_cancelled'],
  cancellation_denied: ['cancellation_denied'],
}

/**
 * Looks at everything that could be there at this time, with the buffer as it is now; an older one stands in no way.
 * @throws ProblemError `appointment.restore_conflict`
 */
async function refuseTakenTime(trx: Trx, { key, appointment, bufferMinutes }: Work): Promise<void> {
  const { conflictLocationId, startsAtMs, endsAtMs } = appointment
  if (conflictLocationId !== null) await lockLocation(trx, conflictLocationId)
  const time = { startMs: startsAtMs, endMs: endsAtMs }
  const demand = { calendarId: key.calendarId, time, bufferMinutes, conflictLocationId }
  if (await isTimeTaken(trx, demand)) throw new ProblemError('appointment.restore_conflict')
  await shortenBuffersAt(trx, key.calendarId, { time, bufferMinutes })
}
