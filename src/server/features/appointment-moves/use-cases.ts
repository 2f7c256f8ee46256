import type { z } from 'zod'
import type { MoveAppointmentResponse, moveAppointmentBody } from '#contract/external-calendars.ts'
import type { MessageKind } from '#contract/messages.ts'
import { QUESTIONS_OF_CONCERNS } from '#contract/owner-booking-problems.ts'
import type { ProblemCode } from '#contract/problem.ts'
import {
  decideMove,
  type MoveCause,
  type MoveDecision,
  type MoveRefusal,
} from '#core/booking/appointment-move.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { recordHistory, toStoredTime } from '#server/features/appointment-history/use-cases.ts'
import { queueEventWrite } from '#server/features/appointments/event-job.ts'
import {
  type ActedAppointment,
  type AppointmentKey,
  hasCustomerEmail,
  lockActedAppointment,
  storeMove,
} from '#server/features/appointments/state-repository.ts'
import { shortenBuffersAt } from '#server/features/appointments/taken-time-repository.ts'
import type { BookingsDeps, ExternalCheckDeps } from '#server/features/bookings/deps.ts'
import { tryToQueueMails } from '#server/features/bookings/queue-mails.ts'
import { refusingTakenTime } from '#server/features/bookings/refuse-taken-time.ts'
import { lockBookableCalendar, lockLocation } from '#server/features/bookings/repository.ts'
import { getOwnCalendar } from '#server/features/calendars/use-cases.ts'
import { announceFreedTime } from '#server/features/freed-times/use-cases.ts'
import type { SchedulingCalendar } from '#server/features/slots/repository.ts'
import { judgeOwnStart } from '#server/features/slots/use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'

type Body = z.output<typeof moveAppointmentBody>

/** A move that somebody wants, whoever it is. */
export type WantedAppointmentMove = {
  readonly key: AppointmentKey
  readonly startMs: number
  /** Null: as long as before. */
  readonly endMs: number | null
  /** The start that whoever moves it saw before. */
  readonly expectedStartMs: number
  readonly causedBy: MoveCause
  /** The owner has read that customers are not offered this time. */
  readonly anyway: boolean
  readonly notifyCustomer: boolean
}

const REFUSALS = {
  state: 'appointment.move_state',
  changed_meanwhile: 'appointment.changed_meanwhile',
  longer_than_day: 'appointment.move_too_long',
  past: 'appointment.move_past',
  busy: 'appointment.move_conflict',
  location_taken: 'appointment.move_location_taken',
  too_long_ago: 'booking.too_long_ago',
  too_far_ahead: 'booking.too_far_ahead',
  ...QUESTIONS_OF_CONCERNS,
} as const satisfies Record<MoveRefusal, ProblemCode>

/**
 * Moves one of the owner's appointments to another time. Source: rule A16.
 * @throws ProblemError `calendar.*`, `appointment.not_found`, and as `moveAppointment`
 */
export async function moveOwnAppointment(
  deps: BookingsDeps & ExternalCheckDeps,
  ownerId: OwnerId,
  key: AppointmentKey,
  body: Body,
): Promise<MoveAppointmentResponse> {
  const { calendarId } = key
  await getOwnCalendar(deps, ownerId, calendarId)
  const startMs = Date.parse(body.starts_at)
  const endMs = body.duration === undefined ? null : startMs + body.duration * MINUTE_MS
  await deps.checkExternalCalendars({ by: 'owner', calendarId, startsAtMs: startMs })
  return moveAppointment(deps, {
    key,
    startMs,
    endMs,
    expectedStartMs: Date.parse(body.expected_starts_at),
    causedBy: 'owner',
    anyway: body.outside_hours,
    notifyCustomer: body.notify_customer,
  })
}

/**
 * Gives an appointment another time, whoever wants it: lock, decide, write, queue, answer, in one transaction. When it is there
 * already, nobody is told twice.
 *
 * Source: rules A16 and G12.
 * @throws ProblemError `calendar.not_found`, `appointment.not_found`, `appointment.move_*`, `appointment.changed_meanwhile`,
 *   `booking.*`
 */
export function moveAppointment(
  deps: BookingsDeps,
  wanted: WantedAppointmentMove,
): Promise<MoveAppointmentResponse> {
  const { key, startMs } = wanted
  // The constraints decide last, with the same sentences.
  const taken = { time: REFUSALS.busy, place: REFUSALS.location_taken } as const
  return refusingTakenTime(taken, () =>
    inTransaction(deps.db, async (trx) => {
      const calendar = await lockBookableCalendar(trx, key.calendarId)
      if (calendar === null) throw new ProblemError('calendar.not_found')
      const appointment = await lockActedAppointment(trx, key)
      if (appointment === null) throw new ProblemError('appointment.not_found')
      const nowMs = deps.now()
      const present = { startMs: appointment.startsAtMs, endMs: appointment.endsAtMs }
      const time = { startMs, endMs: wanted.endMs ?? startMs + present.endMs - present.startMs }
      const decision = await decide(trx, { calendar, appointment, present, wanted, time, nowMs })
      if (decision.kind === 'refused') throw new ProblemError(REFUSALS[decision.reason])
      if (decision.kind === 'done') return toAnswer(key, present, 'none')

      const { bufferMinutes } = calendar.rules
      const movedAt = new Date(nowMs)
      return carryOut(deps, trx, { wanted, appointment, present, time, bufferMinutes, movedAt })
    }),
  )
}

/** Decides under the locks, the one of the location included. */
async function decide(
  trx: Trx,
  move: {
    readonly calendar: SchedulingCalendar
    readonly appointment: ActedAppointment
    readonly present: Interval
    readonly wanted: WantedAppointmentMove
    readonly time: Interval
    readonly nowMs: number
  },
): Promise<MoveDecision> {
  const { calendar, appointment, present, wanted, time, nowMs } = move
  const { conflictLocationId } = appointment
  if (conflictLocationId !== null) await lockLocation(trx, conflictLocationId)
  const timeNeeded = { durationMinutes: (time.endMs - time.startMs) / MINUTE_MS, conflictLocationId }
  const start = { calendar, timeNeeded, startsAtMs: time.startMs, nowMs }
  const verdict = await judgeOwnStart(trx, { ...start, own: present })
  const { status } = appointment.state
  return decideMove({ status, time: present }, { ...wanted, time }, { verdict, nowMs })
}

/** Writes the new time and queues what follows from it, under the locks. */
async function carryOut(
  deps: BookingsDeps,
  trx: Trx,
  move: {
    readonly wanted: WantedAppointmentMove
    readonly appointment: ActedAppointment
    readonly present: Interval
    readonly time: Interval
    readonly bufferMinutes: number
    readonly movedAt: Date
  },
): Promise<MoveAppointmentResponse> {
  const { wanted, appointment, present, time, bufferMinutes, movedAt } = move
  const { key, causedBy } = wanted
  const sequence = appointment.sequence + 1
  await shortenBuffersAt(trx, key.calendarId, { time, bufferMinutes })
  const { conflictLocationId } = appointment
  const stored = { from: present, to: time, bufferMinutes, conflictLocationId, sequence, movedAt }
  const isNeeded = await storeMove(trx, key, stored)
  await queueEventWrite(deps, trx, { ...key, isNeeded })
  const details = { from: toStoredTime(present), to: toStoredTime(time) }
  await recordHistory(trx, key, { kind: 'moved', causedBy, details, at: movedAt })
  const areQueued = await tryToQueueMails(deps, trx, listMails(wanted, movedAt), {
    calendarId: key.calendarId,
    appointmentId: key.id,
    causedBy: 'owner',
    revision: { sequence, changedAt: movedAt },
  })
  await announceFreedTime(deps, trx, key.calendarId)
  if (!isCustomerTold(wanted, movedAt) || !(await hasCustomerEmail(trx, key)))
    return toAnswer(key, time, 'none')
  return toAnswer(key, time, areQueued ? 'queued' : 'failed')
}

/** An owner who moved it here knows it. One who moved the event in another calendar sees by the message that it was followed. */
function listMails(wanted: WantedAppointmentMove, movedAt: Date): MessageKind[] {
  return [
    ...(isCustomerTold(wanted, movedAt) ? (['moved'] as const) : []),
    ...(wanted.causedBy === 'external_calendar' ? (['owner_moved'] as const) : []),
  ]
}

/** Nobody is told about what has begun: they are there. Source: rule O8. */
function isCustomerTold({ notifyCustomer, startMs }: WantedAppointmentMove, movedAt: Date): boolean {
  return notifyCustomer && startMs > movedAt.getTime()
}

function toAnswer(
  { id }: AppointmentKey,
  { startMs, endMs }: Interval,
  email: MoveAppointmentResponse['email'],
): MoveAppointmentResponse {
  return { id, starts_at: new Date(startMs).toISOString(), ends_at: new Date(endMs).toISOString(), email }
}
