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
import { type Interval, overlaps } from '#core/shared/interval.ts'
import { decideOwnerStartTime, type OwnerStartTimeDecision } from '#core/slots/check-start.ts'
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
import { findExternalEvent } from '#server/records/slots/external-repository.ts'
import { findConflictOnOtherCalendar } from '#server/records/slots/person-repository.ts'
import type { SchedulingCalendar } from '#server/records/slots/times-repository.ts'
import {
  type BookingRequirements,
  type CurrentAppointmentTime,
  checkOwnerChosenTime,
  getBookingRequirements,
  getSchedulingCalendar,
} from '#server/records/slots/use-cases.ts'
import type { BookingsDeps, ExternalCheckDeps } from './deps.ts'
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
  location_taken: 'booking.location_conflict',
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
 * @throws ProblemError `calendar.*`, `booking.*`, `request.key_reused`
 */
export async function createOwnAppointment(
  deps: BookingsDeps & ExternalCheckDeps,
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
  deps: BookingsDeps,
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
      const verdict = await checkOwnerChosenTime(trx, start)
      const decision = decideOwnerStartTime(verdict, body.outside_hours)
      if (!decision.ok) throw new ProblemError(REFUSALS[decision.reason])

      const { name, email, phone } = body.customer
      const details = await insertBooking(deps, trx, {
        locked,
        requirements,
        startsAtMs,
        title: body.title,
        description: body.description,
        customer: { name, email: email || null, phone: phone || null, timeZone: null },
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
 * Checks, for the form, a time at which the owner might book or to which they might move an appointment: whether it is
 * free, and all reasons against it. Takes no locks; the booking itself checks again.
 * @throws ProblemError `calendar.*`, `booking.type_unknown`
 */
export async function checkAppointmentTime(
  deps: Pick<BookingsDeps, 'db' | 'now' | 'baseUrl' | 'defaultTier'>,
  ownerId: OwnerId,
  input: {
    calendarId: string
    when: When
    /** The appointment to move, if any. It does not block its own new time, and it keeps its length. */
    moved?: CurrentAppointmentTime & { readonly id: string }
  },
): Promise<AppointmentTimeCheck> {
  const { when, moved } = input
  const movedId = moved?.id ?? null
  const { slug } = await getOwnCalendar(deps, ownerId, input.calendarId)
  const calendar = await getSchedulingCalendar(deps.db, slug)
  const requirements =
    moved === undefined
      ? withOwnDuration(
          await getBookingRequirements(deps.db, calendar.id, when.appointment_type_id ?? null),
          when,
        )
      : {
          durationMinutes: (moved.endMs - moved.startMs) / MINUTE_MS,
          conflictLocationId: moved.conflictLocationId,
        }
  const { startsAtMs, reading } = readStart(when, calendar.timezone)
  const start = { calendar, requirements, startsAtMs, nowMs: deps.now() }
  const verdict = await checkOwnerChosenTime(deps.db, moved === undefined ? start : { ...start, own: moved })
  const endsAtMs = startsAtMs + requirements.durationMinutes * MINUTE_MS
  return {
    starts_at: new Date(startsAtMs).toISOString(),
    ends_at: new Date(endsAtMs).toISOString(),
    time_zone: calendar.timezone,
    hour_cycle: calendar.hour_cycle,
    reading,
    standing: verdict.kind,
    concerns: verdict.kind === 'free' ? [...verdict.concerns] : [],
    ...(verdict.kind === 'busy'
      ? await describeBusy(deps.db, {
          calendar,
          time: { startMs: startsAtMs, endMs: endsAtMs },
          verdict,
          movedId,
        })
      : { external_event: null, appointment_elsewhere: null, buffer_minutes: null }),
  }
}

/**
 * Describes the event that blocks a time: an appointment on another calendar of the same person, or an event of an
 * external calendar.
 */
async function describeBusy(
  db: Db,
  {
    calendar,
    time,
    verdict,
    movedId,
  }: {
    readonly calendar: SchedulingCalendar
    readonly time: Interval
    readonly verdict: { readonly isBufferOnly: boolean }
    readonly movedId: string | null
  },
): Promise<Pick<AppointmentTimeCheck, 'external_event' | 'appointment_elsewhere' | 'buffer_minutes'>> {
  const { bufferMinutes } = calendar.rules
  const bufferMs = bufferMinutes * MINUTE_MS
  const during = { startMs: time.startMs - bufferMs, endMs: time.endMs + bufferMs }
  const external = await findExternalEvent(db, { calendarId: calendar.id, during })
  const elsewhere = await findConflictOnOtherCalendar(db, { calendarId: calendar.id, time, movedId })
  if (elsewhere === null) {
    return {
      external_event: external,
      appointment_elsewhere: null,
      buffer_minutes: verdict.isBufferOnly ? bufferMinutes : null,
    }
  }
  const { starts_at, ends_at, buffer_minutes, is_taken_here, ...named } = elsewhere
  const isThere = overlaps({ startMs: starts_at.getTime(), endMs: ends_at.getTime() }, time)
  const isBufferOnly = !isThere && !is_taken_here && external === null
  return {
    external_event: external,
    appointment_elsewhere: {
      ...named,
      starts_at: starts_at.toISOString(),
      ends_at: ends_at.toISOString(),
    },
    buffer_minutes: isBufferOnly || verdict.isBufferOnly ? buffer_minutes : null,
  }
}

/** Returns the duration that the owner chose, otherwise that of the type. */
function withOwnDuration(usual: BookingRequirements, { duration }: When): BookingRequirements {
  return { ...usual, durationMinutes: duration ?? usual.durationMinutes }
}

/**
 * Returns the start, which the request states either as an instant or as a date and time. The schema guarantees that
 * one of the two is present.
 */
function readStart({ starts_at, date, time }: When, timeZone: string): InterpretedLocalTime {
  if (starts_at !== undefined) return { startsAtMs: Date.parse(starts_at), reading: 'once' }
  if (date === undefined || time === undefined) throw new ProblemError('booking.time_required')
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return interpretLocalTime(date, (hours * 60 + minutes) * 60, timeZone)
}

/**
 * True when the customer should get an email: none is sent about an appointment that has already begun, because the
 * customer is present. Source: rule O8.
 */
function isMailWanted(body: Body, startsAtMs: number, bookedAtMs: number): boolean {
  return body.notify_customer && Boolean(body.customer.email) && startsAtMs > bookedAtMs
}
