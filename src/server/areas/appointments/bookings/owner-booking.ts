import type { z } from 'zod'
import type {
  AppointmentTimeCheck,
  appointmentTimeCheckQuery,
  CreateOwnAppointmentResponse,
  createOwnAppointmentBody,
} from '#contract/appointments/owner-booking.ts'
import { OVERRIDABLE_WARNING_PROBLEMS } from '#contract/appointments/owner-booking-problems.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { UNCHECKED_CALENDARS_WARNING } from '#core/appointments/describe-action.ts'
import { type InterpretedLocalTime, interpretLocalTime } from '#core/appointments/interpret-local-time.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { localDateOf, toSecondsOfDay } from '#core/shared/zoned-time.ts'
import {
  decideOwnerStartTime,
  isOverlapReason,
  type OwnerStartTimeDecision,
  type StartReason,
} from '#core/slots/explain-start.ts'
import { addBuffer, toOccupiedTime } from '#core/slots/occupied-time.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { findAppointmentDetails } from '#server/records/appointments/details-repository.ts'
import {
  deleteTestAppointment,
  findTestAppointment,
} from '#server/records/appointments/test-appointment-repository.ts'
import {
  BOOKING_CONFLICT_CODES,
  translateBookingConflicts,
} from '#server/records/appointments/translate-booking-conflicts.ts'
import { getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import type { StoredAnswer } from '#server/records/questions/repository.ts'
import { acceptAnswers } from '#server/records/questions/use-cases.ts'
import { findExternalEvent, listUncheckedCalendars } from '#server/records/slots/external-repository.ts'
import { findConflictingAppointment } from '#server/records/slots/person-repository.ts'
import { findSpecialDay, type SchedulingCalendar } from '#server/records/slots/times-repository.ts'
import {
  type BookingRequirements,
  type CurrentAppointmentTime,
  explainRequestedStart,
  listReasonsUnderLock,
} from '#server/records/slots/use-cases.ts'
import type { BookingsDeps, OwnerBookingDeps } from './deps.ts'
import {
  insertBooking,
  toBookingMessageFields,
  toBookingRequirements,
  toPaymentTerms,
} from './insert-booking.ts'
import { tryToQueueMails } from './queue-mails.ts'
import { type LockedBooking, lockBookableCalendar, lockBooking } from './repository.ts'
import {
  type BookingResult,
  findEarlierBooking,
  storeBookingResponse,
  toBookingResponse,
  toIdempotentRequest,
} from './respond-once.ts'

type Body = z.output<typeof createOwnAppointmentBody>
type When = z.output<typeof appointmentTimeCheckQuery>

const REFUSALS = {
  busy: 'booking.slot_unavailable',
  preparation: 'booking.slot_unavailable',
  buffer: 'booking.slot_unavailable',
  location_taken: 'booking.location_conflict',
  full: 'booking.session_full',
  too_long_ago: 'booking.too_long_ago',
  too_far_ahead: 'booking.too_far_ahead',
  ...OVERRIDABLE_WARNING_PROBLEMS,
} as const satisfies Record<Extract<OwnerStartTimeDecision, { ok: false }>['reason'], ProblemCode>

type OwnBookingInput = {
  readonly calendarId: string
  /** The idempotency key; null when the request has none. */
  readonly key: string | null
  readonly body: Body
  /** True for a test appointment: a calendar has one at a time, and it costs nothing. Source: rule U34. */
  readonly isTest?: boolean
}

/**
 * Books a time for a customer who phoned or walked in. With `outside_hours` the owner may book a time that customers
 * are not offered, but never a time that is already taken. Source: rule O2.
 * @throws ProblemError `calendar.*`, `booking.*`, `answer.refused`, `request.key_reused`
 */
export async function createOwnAppointment(
  deps: OwnerBookingDeps,
  ownerId: OwnerId,
  input: OwnBookingInput,
): Promise<CreateOwnAppointmentResponse> {
  const { calendarId, body } = input
  const { timezone } = await getOwnCalendar(deps, ownerId, calendarId)
  const { startsAtMs } = readStart(body, timezone)
  const isVerified = await deps.verifyExternalCalendars({ calendarId, startsAtMs })
  const booked = await book(deps, input)
  const { starts_at, created_at } = booked.details
  return {
    ...toBookingResponse(deps, booked),
    confirmation_email_wanted: isMailWanted(body, starts_at.getTime(), created_at.getTime()),
    warning: isVerified ? null : UNCHECKED_CALENDARS_WARNING,
  }
}

/** Books in one transaction: lock, decide, write, queue, respond. */
function book(
  deps: OwnerBookingDeps,
  { calendarId, key, body, isTest = false }: OwnBookingInput,
): Promise<BookingResult> {
  const request = toIdempotentRequest(key, { by: 'owner', ...body })
  const typeId = body.appointment_type_id ?? null
  const findEarlier = isTest ? replaceEndedTest : findEarlierBooking
  return translateBookingConflicts(BOOKING_CONFLICT_CODES, () =>
    inTransaction(deps.db, async (trx) => {
      const calendar = await lockBookableCalendar(trx, calendarId)
      if (calendar === null) throw new ProblemError('calendar.not_found')
      const earlier = await findEarlier(deps, trx, calendarId, request)
      if (earlier !== null) return earlier
      const locked = await lockOwnBooking(deps, trx, { calendar, typeId, isTest })

      const nowMs = deps.now()
      const usual = toBookingRequirements(locked, { typeId, missing: 'booking.service_required' })
      const requirements = withOwnDuration(usual, body)
      const { startsAtMs } = readStart(body, calendar.timezone)
      const { isAlone } = locked
      const start = { calendar, requirements, startsAtMs, nowMs, isAlone }
      const reasons = await listReasonsUnderLock(trx, start)
      const decision = decideOwnerStartTime(reasons, body.outside_hours)
      if (!decision.ok) throw new ProblemError(REFUSALS[decision.reason])

      const { name, email, phone } = body.customer
      const details = await insertBooking(deps, trx, {
        locked,
        requirements,
        startsAtMs,
        title: body.title,
        description: body.description,
        customer: { name, email: email || null, phone: phone || null, timeZone: null },
        answers: await acceptOwnerAnswers(deps, trx, { calendarId, typeId, answers: body.answers ?? [] }),
        // No payment in advance is required, because the owner and the customer have just spoken. Source: rule O6.
        paymentStatus: toPaymentTerms(locked).paymentStatus,
        hold: null,
        bookedBy: 'owner',
        isTest,
        nowMs,
      })

      // Send no email to the owner, who has just made the booking. Source: rule O8.
      const mails = isMailWanted(body, startsAtMs, nowMs) ? (['booking_confirmation'] as const) : []
      const areMailsQueued = await tryToQueueMails(deps, trx, mails, toBookingMessageFields(details))

      const booked = { details, confirmationEmailQueued: areMailsQueued }
      await storeBookingResponse(trx, request, booked)
      return booked
    }),
  )
}

/** Checks the answers that the owner entered. Each question may be left open. Source: rule B35. */
async function acceptOwnerAnswers(
  deps: OwnerBookingDeps,
  trx: Trx,
  given: Parameters<typeof acceptAnswers>[2],
): Promise<StoredAnswer[]> {
  return given.answers.length === 0 ? [] : acceptAnswers(deps, trx, { ...given, mayLeaveOpen: true })
}

/**
 * Returns the test appointment of a locked calendar. Deletes a test appointment that is over or cancelled, so that the
 * owner can book another one, and then returns null.
 */
async function replaceEndedTest(
  { now }: Pick<BookingsDeps, 'now'>,
  trx: Trx,
  calendarId: string,
): Promise<BookingResult | null> {
  const test = await findTestAppointment(trx, calendarId, new Date(now()))
  const details = test === null ? null : await findAppointmentDetails(trx, test.id)
  if (details !== null) return { details, confirmationEmailQueued: true }
  await deleteTestAppointment(trx, calendarId)
  return null
}

/** Locks the booking. A test appointment has no price, so that nobody can owe or pay anything for it. Source: rule U34. */
async function lockOwnBooking(
  deps: Pick<BookingsDeps, 'now' | 'defaultTier'>,
  trx: Trx,
  { isTest, ...wanted }: Parameters<typeof lockBooking>[2] & { readonly isTest: boolean },
): Promise<LockedBooking> {
  const locked = await lockBooking(deps, trx, wanted)
  if (!isTest || locked.type === null) return locked
  return { ...locked, type: { ...locked.type, price_cents: null } }
}

/**
 * Explains a time for a booking or a move by the owner: whether customers are offered
 * it, and everything that speaks against it. Takes no locks; the booking itself checks again.
 * @throws ProblemError `calendar.*`, `booking.type_unknown`
 */
export async function checkAppointmentTime(
  deps: Pick<BookingsDeps, 'db' | 'now' | 'baseUrl' | 'defaultTier'>,
  ownerId: OwnerId,
  input: {
    calendarId: string
    when: When
    /** The appointment to move, if any. It does not block its own new time, and it keeps its length. */
    moved?: CurrentAppointmentTime & { readonly id: string; readonly typeId: string | null }
  },
): Promise<AppointmentTimeCheck> {
  const { when, moved } = input
  const { slug, timezone } = await getOwnCalendar(deps, ownerId, input.calendarId)
  const { startsAtMs, reading } = readStart(when, timezone)
  const { calendar, typeTime, reasons, reachedLimits, bookable, hasOwnWindow } = await explainRequestedStart(
    deps,
    {
      slug,
      typeId: moved === undefined ? (when.appointment_type_id ?? null) : moved.typeId,
      startsAtMs,
      durationMinutes: when.duration,
      own: moved,
    },
  )
  const time = { startMs: startsAtMs, endMs: startsAtMs + typeTime.durationMinutes * MINUTE_MS }
  const occupied = toOccupiedTime(time, typeTime)
  return {
    starts_at: new Date(time.startMs).toISOString(),
    ends_at: new Date(time.endMs).toISOString(),
    time_zone: calendar.timezone,
    hour_cycle: calendar.hour_cycle,
    reading,
    reached_limits: [...reachedLimits],
    bookable_dates: { ...bookable, is_of_type: hasOwnWindow },
    special_day: reasons.includes('special_day')
      ? await findSpecialDay(deps.db, {
          calendarId: calendar.id,
          date: localDateOf(startsAtMs, calendar.timezone),
        })
      : null,
    unchecked_calendars: reasons.includes('unchecked')
      ? await listUncheckedCalendars(deps.db, { calendarId: calendar.id, nowMs: deps.now() })
      : [],
    ...(await nameConflict(deps.db, { calendar, time, occupied, reasons, movedId: moved?.id ?? null })),
  }
}

type Conflict = Pick<
  AppointmentTimeCheck,
  'reasons' | 'external_event' | 'conflicting_appointment' | 'buffer_minutes'
>

/**
 * Names the appointment or external event that takes a time. The search for free times counts the preparation and wrap-up of
 * other appointments, and the larger buffer of another calendar, as busy time. This function gives each its own reason.
 * Source: rule T50.
 */
async function nameConflict(
  db: Db,
  {
    calendar,
    time,
    occupied,
    reasons,
    movedId,
  }: {
    readonly calendar: SchedulingCalendar
    readonly time: Interval
    /** The time with its preparation and wrap-up. */
    readonly occupied: Interval
    readonly reasons: readonly StartReason[]
    readonly movedId: string | null
  },
): Promise<Conflict> {
  const found = reasons.find(isOverlapReason)
  if (found === undefined)
    return {
      reasons: [...reasons],
      external_event: null,
      conflicting_appointment: null,
      buffer_minutes: null,
    }
  const { bufferMinutes } = calendar.rules
  const during = addBuffer(occupied, bufferMinutes)
  const external = await findExternalEvent(db, { calendarId: calendar.id, during })
  const conflict = await findConflictingAppointment(db, {
    calendarId: calendar.id,
    time,
    occupied,
    movedId,
  })
  const overlap = external === null && conflict !== null ? conflict.reason : found
  return {
    reasons: reasons.map((reason) => (reason === found ? overlap : reason)),
    external_event: external,
    conflicting_appointment: conflict?.appointment ?? null,
    buffer_minutes: overlap === 'buffer' ? (conflict?.bufferMinutes ?? bufferMinutes) : null,
  }
}

/** Returns the duration that the owner chose, otherwise that of the type. */
export function withOwnDuration(
  usual: BookingRequirements,
  { duration }: Pick<When, 'duration'>,
): BookingRequirements {
  return { ...usual, durationMinutes: duration ?? usual.durationMinutes }
}

/**
 * Returns the start, which the request states either as an instant or as a date and time. The schema guarantees that
 * one of the two is present.
 */
function readStart({ starts_at, date, time }: When, timeZone: string): InterpretedLocalTime {
  if (starts_at !== undefined) return { startsAtMs: Date.parse(starts_at), reading: 'once' }
  if (date === undefined || time === undefined) throw new ProblemError('booking.time_required')
  return interpretLocalTime(date, toSecondsOfDay(time), timeZone)
}

/**
 * True when the customer should get an email: none is sent about an appointment that has already begun, because the
 * customer is present. Source: rule O8.
 */
export function isMailWanted(
  body: Pick<Body, 'notify_customer' | 'customer'>,
  startsAtMs: number,
  bookedAtMs: number,
): boolean {
  return body.notify_customer && Boolean(body.customer.email) && startsAtMs > bookedAtMs
}
