import type { z } from 'zod'
import type {
  MoveAppointmentResponse,
  MoveOwnAppointmentResponse,
  moveAppointmentBody,
} from '#contract/appointments/moves.ts'
import type { AppointmentTimeCheck, moveTimeCheckQuery } from '#contract/appointments/owner-booking.ts'
import { OVERRIDABLE_WARNING_PROBLEMS } from '#contract/appointments/owner-booking-problems.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import type { ownerMoveSlotsQuery, SlotsResponse } from '#contract/slots/slots.ts'
import {
  type CustomerMoveRefusal,
  decideMove,
  decideMoveByCustomer,
  type MoveRefusal,
  type MoveTerms,
} from '#core/appointments/appointment-move.ts'
import { UNCHECKED_CALENDARS_WARNING } from '#core/appointments/describe-action.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { decideOwnerStartTime, type StartReason } from '#core/slots/explain-start.ts'
import { type OwnersWork, toOccupiedTime } from '#core/slots/occupied-time.ts'
import type { ExternalCheckDeps, MoveDeps } from '#server/areas/appointments/bookings/deps.ts'
import { checkAppointmentTime } from '#server/areas/appointments/bookings/owner-booking.ts'
import {
  type BookableCalendar,
  lockBookableCalendar,
  lockBooking,
  lockLocationAndPerson,
} from '#server/areas/appointments/bookings/repository.ts'
import { hasRequestToMove } from '#server/areas/appointments/whole-days/repository.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { queueEventWrite, queueSessionEventWrite } from '#server/records/appointments/event-job.ts'
import {
  type AppointmentForAction,
  type AppointmentKey,
  findAppointmentTypeId,
  findCurrentTime,
  lockAppointmentForAction,
  type MovedAppointmentLocation,
  moveEndedSeats,
  storeMovedTime,
} from '#server/records/appointments/state-repository.ts'
import { shortenOverlappingBuffers } from '#server/records/appointments/taken-time-repository.ts'
import {
  BOOKING_CONFLICT_CODES,
  translateBookingConflicts,
} from '#server/records/appointments/translate-booking-conflicts.ts'
import { getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { announceVacatedTime } from '#server/records/freed-times/use-cases.ts'
import { recordHistory, toHistoryTime } from '#server/records/history/use-cases.ts'
import { StartRefusal } from '#server/records/refusals/start-refusal.ts'
import {
  findBookedSession,
  insertSession,
  listSeats,
  toFurtherSeat,
  updateSessionTime,
} from '#server/records/slots/sessions-repository.ts'
import {
  type CurrentAppointmentTime,
  getSlots,
  listReasonsUnderLock,
  SLOT_REFUSALS,
  toSlotVerdict,
} from '#server/records/slots/use-cases.ts'
import {
  findLastAnnouncedTime,
  type LastAnnouncedTime,
  type LockedMove,
  queueMoveMessages,
  toMovedColumns,
  toMoveUndoSeconds,
  toRefundShareLimits,
} from './queue-move-messages.ts'

type Body = z.output<typeof moveAppointmentBody>

/** A requested move, by the owner, the customer or an external calendar. */
type WantedAppointmentMove = {
  readonly key: AppointmentKey
  readonly startMs: number
  /** The requested end; null when the appointment keeps its length. */
  readonly endMs: number | null
  /** The start that was shown to the person who moves the appointment. */
  readonly expectedStartMs: number
  readonly notifyCustomer: boolean
} & (
  | {
      readonly causedBy: 'owner' | 'external_calendar'
      /** True when the owner has confirmed a time that customers are not offered. */
      readonly anyway: boolean
      /** True when everybody in the session moves with the appointment. Source: rule B60. */
      readonly isWholeSession?: boolean
    }
  | {
      readonly causedBy: 'customer'
      /**
       * Returns whether the policy allows the move. Called under the locks, because the terms depend on how often the
       * customer has moved the appointment. `startsAtMs` is the current start.
       */
      readonly findTerms: (trx: Trx, startsAtMs: number) => Promise<MoveTerms>
    }
)

const REFUSALS = {
  state: 'appointment.move_state',
  changed_meanwhile: 'appointment.changed_meanwhile',
  longer_than_day: 'appointment.move_too_long',
  past: 'appointment.move_past',
  busy: 'appointment.move_conflict',
  preparation: 'appointment.move_conflict',
  buffer: 'appointment.move_conflict',
  location_taken: 'appointment.move_location_taken',
  full: 'booking.session_full',
  too_long_ago: 'booking.too_long_ago',
  too_far_ahead: 'booking.too_far_ahead',
  ...OVERRIDABLE_WARNING_PROBLEMS,
} as const satisfies Record<MoveRefusal, ProblemCode>

const REFUSALS_TO_CUSTOMERS = {
  state: 'appointment.move_state',
  changed_meanwhile: 'appointment.changed_meanwhile',
  not_allowed: 'appointment.move_not_allowed',
  too_late: 'appointment.move_too_late',
  too_often: 'appointment.move_too_often',
  absent: 'appointment.move_absent',
  ...SLOT_REFUSALS,
} as const satisfies Record<CustomerMoveRefusal, ProblemCode>

/**
 * Moves one of the owner's appointments to another time. Source: rule A16.
 * @throws ProblemError `calendar.*`, `appointment.not_found`, and those of `moveAppointment`
 */
export async function moveOwnAppointment(
  deps: MoveDeps & ExternalCheckDeps,
  ownerId: OwnerId,
  key: AppointmentKey,
  body: Body,
): Promise<MoveOwnAppointmentResponse> {
  const { calendarId } = key
  await getOwnCalendar(deps, ownerId, calendarId)
  const startMs = Date.parse(body.starts_at)
  const endMs = body.duration === undefined ? null : startMs + body.duration * MINUTE_MS
  const isVerified = await deps.verifyExternalCalendars({ calendarId, startsAtMs: startMs })
  const moved = await moveAppointment(deps, {
    key,
    startMs,
    endMs,
    expectedStartMs: Date.parse(body.expected_starts_at),
    causedBy: 'owner',
    anyway: body.outside_hours,
    isWholeSession: body.whole_session,
    notifyCustomer: body.notify_customer,
  })
  return { ...moved, warning: isVerified ? null : UNCHECKED_CALENDARS_WARNING }
}

/**
 * Explains a new time for an appointment of the owner: whether customers are offered it, and everything that
 * speaks against it.
 * @throws ProblemError `calendar.*`, `appointment.not_found`
 */
export async function checkMoveTime(
  deps: MoveDeps,
  ownerId: OwnerId,
  key: AppointmentKey,
  when: z.output<typeof moveTimeCheckQuery>,
): Promise<AppointmentTimeCheck> {
  const { calendarId } = key
  await getOwnCalendar(deps, ownerId, calendarId)
  const own = await getMovedTime(deps, key, when.moved)
  const moved = { ...own, id: key.id, typeId: await findAppointmentTypeId(deps.db, key) }
  return checkAppointmentTime(deps, ownerId, { calendarId, when, moved })
}

/**
 * Lists the times of a day that customers would be offered if this appointment did not exist.
 * @throws ProblemError `calendar.*`, `appointment.not_found`
 */
export async function listOwnMoveSlots(
  deps: MoveDeps,
  ownerId: OwnerId,
  key: AppointmentKey,
  { date, moved }: z.output<typeof ownerMoveSlotsQuery>,
): Promise<SlotsResponse> {
  const { slug } = await getOwnCalendar(deps, ownerId, key.calendarId)
  const own = await getMovedTime(deps, key, moved)
  const typeId = await findAppointmentTypeId(deps.db, key)
  return getSlots(deps, { slug, appointmentTypeId: typeId ?? undefined, timeZone: undefined, own, date })
}

/** Returns the current time of the appointment or session that the owner moves. A whole session needs a time of its own. */
async function getMovedTime(
  deps: MoveDeps,
  key: AppointmentKey,
  moved: 'appointment' | 'session',
): Promise<CurrentAppointmentTime> {
  const own = await getCurrentTime(deps, key)
  return moved === 'session' ? { ...own, isSeat: false, movedSeats: own.sessionSeatsTaken } : own
}

/**
 * Returns the current time of an appointment.
 * @throws ProblemError `appointment.not_found`
 */
export async function getCurrentTime(
  { db }: Pick<MoveDeps, 'db'>,
  key: AppointmentKey,
): Promise<NonNullable<Awaited<ReturnType<typeof findCurrentTime>>>> {
  const own = await findCurrentTime(db, key)
  if (own === null) throw new ProblemError('appointment.not_found')
  return own
}

/**
 * Moves an appointment in one transaction: lock, decide, write, queue, respond. Idempotent: if the appointment already has the
 * time, no email is sent. Source: rules A16, A19 and G12.
 * @throws ProblemError `calendar.not_found`, `appointment.not_found`, `appointment.move_*`, `appointment.changed_meanwhile`,
 *   `booking.*`
 */
export function moveAppointment(
  deps: MoveDeps,
  wanted: WantedAppointmentMove,
): Promise<MoveAppointmentResponse> {
  // A time that a database constraint rejects leads to the same refusals.
  const taken =
    wanted.causedBy === 'customer'
      ? BOOKING_CONFLICT_CODES
      : ({ time: REFUSALS.busy, place: REFUSALS.location_taken } as const)
  return translateBookingConflicts(taken, () =>
    inTransaction(deps.db, async (trx) => {
      const locked = await lock(deps, trx, wanted)
      const { key, causedBy, notifyCustomer } = wanted
      const { appointment, present } = locked
      const time = toWantedTime(wanted, present)
      const nowMs = deps.now()
      const known = await findLastAnnouncedTime(trx, { key, causedBy, appointment, time })
      const refusal = await findRefusal(trx, { ...locked, wanted, time, known, nowMs })
      if (refusal === 'done') return toAnswer(key, present, 'none')
      if (refusal !== null) throw refusal
      const move = { key, causedBy, notifyCustomer, appointment, time, at: new Date(nowMs) }
      const { session } = appointment
      return session !== null && isOfWholeSession(wanted)
        ? carryOutForSession(deps, trx, { ...locked, move, session })
        : carryOut(deps, trx, { ...locked, move, known, seat: await findSeat(trx, { ...locked, key, time }) })
    }),
  )
}

type Locked = {
  readonly calendar: BookableCalendar
  readonly appointment: AppointmentForAction
  readonly present: Interval
  readonly typeId: string | null
  readonly place: LockedPlace | null
  readonly conflictLocationId: string | null
}

/** Locks the calendar, the type with its location, and the appointment, in the same order as a booking. */
async function lock(deps: MoveDeps, trx: Trx, wanted: WantedAppointmentMove): Promise<Locked> {
  const calendar = await lockBookableCalendar(trx, wanted.key.calendarId)
  if (calendar === null) throw new ProblemError('calendar.not_found')
  const typeId = await findAppointmentTypeId(trx, wanted.key)
  const place = await lockPlace(deps, trx, { calendar, typeId, causedBy: wanted.causedBy })
  const appointment = await lockAppointmentForAction(trx, wanted.key)
  if (appointment === null) throw new ProblemError('appointment.not_found')
  const present = { startMs: appointment.startsAtMs, endMs: appointment.endsAtMs }
  const conflictLocationId = place === null ? appointment.conflictLocationId : place.conflictLocationId
  return { calendar, appointment, present, typeId, place, conflictLocationId }
}

/** Returns the requested interval. Without `endMs` the appointment keeps its length. */
function toWantedTime({ startMs, endMs }: WantedAppointmentMove, present: Interval): Interval {
  return { startMs, endMs: endMs ?? startMs + present.endMs - present.startMs }
}

/** The appointment's location after the move. `conflictLocationId` is set when the location is exclusive. */
type LockedPlace = MovedAppointmentLocation & { readonly conflictLocationId: string | null }

/**
 * Locks and returns the location after the move, by the current settings of the appointment type. Returns null when the
 * appointment keeps its location: its type is gone, or the owner moved the event in an external calendar, which already
 * shows the location. Source: rule A17.
 */
async function lockPlace(
  deps: MoveDeps,
  trx: Trx,
  {
    calendar,
    typeId,
    causedBy,
  }: Pick<Locked, 'calendar' | 'typeId'> & Pick<WantedAppointmentMove, 'causedBy'>,
): Promise<LockedPlace | null> {
  if (causedBy === 'external_calendar' || typeId === null) return null
  const { type, location } = await lockBooking(deps, trx, { calendar, typeId })
  if (type === null) return null
  const conflictLocationId = location?.isExclusive === true ? location.id : null
  return { isOnline: type.is_online, location, conflictLocationId }
}

/**
 * Decides about a move under the locks, including those of the location and the person. `done` means that the
 * appointment already has the time.
 */
async function findRefusal(
  trx: Trx,
  move: Locked & {
    readonly wanted: WantedAppointmentMove
    readonly time: Interval
    readonly known: LastAnnouncedTime
    readonly nowMs: number
  },
): Promise<ProblemError | 'done' | null> {
  const { calendar, appointment, typeId, conflictLocationId, present, wanted, time, known, nowMs } = move
  await lockLocationAndPerson(trx, { calendarId: wanted.key.calendarId, locationId: conflictLocationId })
  const { prepareMinutes, wrapUpMinutes } = appointment
  const durationMinutes = (time.endMs - time.startMs) / MINUTE_MS
  const seats = appointment.session?.seats ?? null
  const requirements = { durationMinutes, prepareMinutes, wrapUpMinutes, seats, conflictLocationId, typeId }
  const movedSeats = isOfWholeSession(wanted) ? appointment.session?.seatsTaken : undefined
  const start = { calendar, requirements, startsAtMs: time.startMs, nowMs, own: present, movedSeats }
  const standing = { status: appointment.state.status, time: present }
  if (wanted.causedBy === 'customer') {
    // To undo a move, only the old time has to be free; the policy does not apply.
    const reasons = await listReasonsUnderLock(trx, start)
    const around = known.isBack
      ? { terms: { ok: true } as const, verdict: judgeReturn(reasons) }
      : { terms: await wanted.findTerms(trx, present.startMs), verdict: toSlotVerdict(reasons) }
    const decision = decideMoveByCustomer(standing, { ...wanted, time }, { ...around, nowMs })
    if (decision.kind === 'refused') {
      const code = REFUSALS_TO_CUSTOMERS[decision.reason]
      if (decision.reason !== around.verdict) return new ProblemError(code)
      return new StartRefusal(code, { ...wanted.key, typeId, startsAtMs: time.startMs, reasons })
    }
    return decision.kind === 'done' ? 'done' : null
  }
  const reasons = await listReasonsUnderLock(trx, start)
  const decision = decideMove(standing, { ...wanted, time }, { reasons, nowMs })
  if (decision.kind === 'refused') return new ProblemError(REFUSALS[decision.reason])
  return decision.kind === 'done' ? 'done' : null
}

function judgeReturn(reasons: readonly StartReason[]): 'open' | 'unavailable' | 'location_taken' | 'full' {
  const decision = decideOwnerStartTime(reasons, true)
  if (decision.ok) return 'open'
  return decision.reason === 'location_taken' || decision.reason === 'full' ? decision.reason : 'unavailable'
}

function isOfWholeSession(wanted: WantedAppointmentMove): boolean {
  return wanted.causedBy !== 'customer' && wanted.isWholeSession === true
}

/** The seat of a moved appointment at its new time; `sessionId` is null when it has its time for itself. */
type NewSeat = OwnersWork & { readonly sessionId: string | null; readonly bufferMinutes: number }

/** Finds a seat in the session at the new time, or opens a session there. Source: rule B58. */
async function findSeat(
  trx: Trx,
  {
    calendar,
    appointment: { session, prepareMinutes, wrapUpMinutes },
    place,
    key: { calendarId },
    time,
  }: Pick<Locked, 'calendar' | 'appointment' | 'place'> & {
    readonly key: AppointmentKey
    readonly time: Interval
  },
): Promise<NewSeat> {
  const { bufferMinutes } = calendar.rules
  const own = { prepareMinutes, wrapUpMinutes, bufferMinutes }
  if (session === null) return { sessionId: null, ...own }
  const wanted = { ...session, calendarId, locationId: toLocationId(session, place), time }
  const booked = await findBookedSession(trx, wanted)
  if (booked !== null) return toFurtherSeat(booked)
  const sessionId = await insertSession(trx, { ...wanted, prepareMinutes, wrapUpMinutes })
  return { sessionId, ...own }
}

function toLocationId(session: { readonly locationId: string | null }, place: LockedPlace | null) {
  return place === null ? session.locationId : (place.location?.id ?? null)
}

/**
 * Moves everybody in a session. Each customer gets their own message, and each can be moved again alone.
 * @throws ProblemError `appointment.session_unconfirmed`
 */
async function carryOutForSession(
  deps: MoveDeps,
  trx: Trx,
  {
    move,
    session,
    ...locked
  }: Locked & {
    readonly move: LockedMove
    readonly session: NonNullable<AppointmentForAction['session']>
  },
): Promise<MoveAppointmentResponse> {
  const { calendar, place } = locked
  const { time, causedBy, key } = move
  const { calendarId } = key
  const seats = new Map<string, AppointmentForAction>()
  // Locks the appointments before the session, as the release of a hold does, so that the two cannot deadlock.
  for (const id of await listSeats(trx, { calendarId, sessionId: session.id })) {
    const appointment = await lockAppointmentForAction(trx, { calendarId, id })
    // A hold that has ended since the seats were listed.
    if (appointment === null) continue
    // A customer who is paying or deciding about an offer has agreed to the present time. Source: rule A16.
    if (!MOVABLE.has(appointment.state.status)) throw new ProblemError('appointment.session_unconfirmed')
    seats.set(id, appointment)
  }
  const locationId = toLocationId(session, place)
  const copyId = await updateSessionTime(trx, { calendarId, sessionId: session.id }, { time, locationId })
  await moveEndedSeats(trx, { calendarId, from: session.id, to: copyId })
  const answers = new Map<string, MoveAppointmentResponse>()
  for (const [id, appointment] of seats) {
    const own = { calendarId, id }
    const known = await findLastAnnouncedTime(trx, { key: own, causedBy, appointment, time })
    const one = { ...move, key: own, appointment }
    const { prepareMinutes, wrapUpMinutes } = appointment
    const { bufferMinutes } = calendar.rules
    const seat = { sessionId: session.id, prepareMinutes, wrapUpMinutes, bufferMinutes }
    answers.set(id, await carryOut(deps, trx, { ...locked, appointment, move: one, known, seat }))
  }
  return answers.get(key.id) ?? toAnswer(key, time, 'none')
}

const MOVABLE: ReadonlySet<string> = new Set(['confirmed', 'pending_cancellation'])

/** Writes the new time and queues the emails and the event write. Runs under the locks. */
async function carryOut(
  deps: MoveDeps,
  trx: Trx,
  {
    move,
    known,
    seat,
    ...locked
  }: Locked & { readonly move: LockedMove; readonly known: LastAnnouncedTime; readonly seat: NewSeat },
): Promise<MoveAppointmentResponse> {
  const { key, causedBy, appointment, time, at } = move
  const { present, place, conflictLocationId } = locked
  const { bufferMinutes } = locked.calendar.rules
  const left = known.isBack ? time : present
  const isAskedFrom = (startMs: number) =>
    causedBy === 'customer' ? hasRequestToMove(trx, key, new Date(startMs)) : false
  const occupied = toOccupiedTime(time, seat)
  await shortenOverlappingBuffers(trx, key.calendarId, { occupied, bufferMinutes })
  const isNeeded = await storeMovedTime(trx, key, {
    to: time,
    ...seat,
    conflictLocationId,
    place,
    sequence: appointment.sequence + 1,
    updatedAt: at,
    moved: toMovedColumns(known, at),
    refundShares: toRefundShareLimits(move, known, await isAskedFrom(Date.parse(known.before.starts_at))),
  })
  await queueEventWrite(deps, trx, { ...key, isNeeded })
  const { session } = appointment
  if (session !== null && session.id !== seat.sessionId) {
    await queueSessionEventWrite(deps, trx, { calendarId: key.calendarId, sessionId: session.id })
  }
  const followsOffer = await isAskedFrom(left.startMs)
  const details = {
    from: toHistoryTime(present),
    to: toHistoryTime(time),
    ...(followsOffer ? { follows_offer: true as const } : {}),
  }
  const kind = known.isBack ? 'moved_back' : 'moved'
  await recordHistory(trx, key, { kind, causedBy, details, at })
  // The location that the appointment occupied at the old time; its type may have a different location today.
  const { conflictLocationId: leftLocationId } = appointment
  const afterSeconds = toMoveUndoSeconds(deps, causedBy)
  const leftTime = { during: appointment.occupied, conflictLocationId: leftLocationId }
  await announceVacatedTime(deps, trx, { ...key, ...leftTime, afterSeconds })
  return toAnswer(key, time, await queueMoveMessages(deps, trx, move, known))
}

function toAnswer(
  { id }: AppointmentKey,
  { startMs, endMs }: Interval,
  email: MoveAppointmentResponse['email'],
): MoveAppointmentResponse {
  return { id, starts_at: new Date(startMs).toISOString(), ends_at: new Date(endMs).toISOString(), email }
}
