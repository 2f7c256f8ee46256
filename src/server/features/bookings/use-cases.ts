import { createHash, randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type {
  CancellationRequestResponse,
  CreateBookingResponse,
  createBookingBody,
  PublicAppointment,
} from '#contract/bookings.ts'
import { LIMITS } from '#contract/limits.ts'
import type { ProblemCode } from '#contract/problem.ts'
import { decideCancellationRequest } from '#core/booking/cancellation-request.ts'
import { decidePaymentTerms } from '#core/booking/payment-terms.ts'
import { renderTitle, titleOf } from '#core/booking/title-template.ts'
import { isTimeZone } from '#core/shared/zoned-time.ts'
import { getSlotDemand, judgeSlot } from '#server/features/slots/use-cases.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { exclusionConstraintOf } from '#server/platform/db/pg-errors.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Log } from '#server/platform/log.ts'
import { APPOINTMENT_MAIL, type AppointmentMailJob, type AppointmentMailKind } from './jobs.ts'
import { toMailFacts } from './mail-facts.ts'
import { toPublicAppointment } from './public-appointment.ts'
import {
  type BookableCalendar,
  type BookedType,
  findAppointmentDetails,
  findBookedLocation,
  findBookedType,
  findOrInsertCustomer,
  findStoredAnswer,
  insertAppointment,
  listFutureAppointmentDetails,
  lockAppointment,
  lockBookableCalendar,
  lockLocation,
  releaseHold,
  storeAnswer,
  tryInSavepoint,
  updateStatus,
} from './repository.ts'

export type { AppointmentMailKind }
export { lockLocation }

export type BookingsDeps = {
  readonly db: Db
  readonly now: Clock
  readonly jobs: Pick<JobQueue, 'insert'>
  readonly log: Pick<Log, 'error'>
  /** The product's own address, without a trailing slash. */
  readonly baseUrl: string
}

type BookingBody = z.output<typeof createBookingBody>

/** How long a key answers the same request (decided question "Idempotency keys"). */
const KEY_LIFE_MS = 24 * 60 * 60 * 1000

/**
 * Books a time for a customer: checks every rule again and inserts, in one transaction under the calendar's lock.
 * The same key with the same body answers what it answered before, for 24 hours.
 *
 * Source: spec §4 "Booking", §5 "Booking form"; scheduling rule 10.
 * @throws ProblemError `calendar.not_found`, `booking.*`, `request.key_reused`
 */
export async function createBooking(
  deps: BookingsDeps,
  input: { slug: string; key: string | null; body: BookingBody },
): Promise<CreateBookingResponse> {
  return refusingTakenTime(() =>
    inTransaction(deps.db, async (trx) => {
      const booked = await bookOnce(deps, trx, input)
      // Read before the commit: once it is booked, nothing may turn the answer into a refusal.
      const appointment = await getPublicAppointment({ ...deps, db: trx }, booked.appointmentId)
      return { ...appointment, confirmation_email_queued: booked.confirmationEmailQueued }
    }),
  )
}

type Booked = { appointmentId: string; confirmationEmailQueued: boolean }

async function bookOnce(
  deps: BookingsDeps,
  trx: Trx,
  input: { slug: string; key: string | null; body: BookingBody },
): Promise<Booked> {
  const { key, body } = input
  const calendar = await lockBookableCalendar(trx, input.slug)
  if (calendar === null) throw new ProblemError('calendar.not_found')
  const nowMs = deps.now()
  const bodyHash = createHash('sha256').update(JSON.stringify(body)).digest('hex')

  if (key !== null) {
    const before = await findStoredAnswer(trx, calendar.id, key, new Date(nowMs - KEY_LIFE_MS))
    if (before !== null && before.bodyHash !== bodyHash) throw new ProblemError('request.key_reused')
    if (before !== null) return before
  }
  const booked = await book(deps, trx, { calendar, body, nowMs })
  if (key !== null) {
    await storeAnswer(trx, { ...booked, calendarId: calendar.id, key, bodyHash, createdAt: new Date(nowMs) })
  }
  return booked
}

async function book(
  deps: BookingsDeps,
  trx: Trx,
  { calendar, body, nowMs }: { calendar: BookableCalendar; body: BookingBody; nowMs: number },
): Promise<Booked> {
  const type = await getChosenType(trx, calendar, body.appointment_type_id ?? null)
  const terms = decidePaymentTerms({
    priceCents: type?.priceCents ?? null,
    calendarRequiresPayment: calendar.paymentRequired,
    typeRequiresPayment: type?.paymentRequired ?? false,
    providerConnected: calendar.providerConnected,
  })
  if (terms.mustPayFirst) throw new ProblemError('booking.payment_required')

  // Before it is asked whether the place excludes others: that may be changed until the place is locked.
  const location =
    type?.isOnline === true ? null : await findBookedLocation(trx, calendar.id, type?.locationId ?? null)
  const demand = await getSlotDemand(trx, calendar.id, type?.id)
  if (demand.conflictLocationId !== null) await lockLocation(trx, demand.conflictLocationId)
  const startsAtMs = Date.parse(body.starts_at)
  const verdict = await judgeSlot(trx, { calendar, demand, startsAtMs, nowMs })
  if (verdict === 'location_taken') throw new ProblemError('booking.location_conflict')
  if (verdict === 'unavailable') throw new ProblemError('booking.slot_unavailable')

  const customer = await findOrInsertCustomer(trx, {
    calendarId: calendar.id,
    id: randomUUID(),
    clientId: `C${Math.max(nowMs, calendar.lastClientIdMs + 1)}`,
    name: body.customer.name,
    email: body.customer.email,
    phone: body.customer.phone || null,
  })
  const appointmentId = randomUUID()
  await insertAppointment(trx, {
    id: appointmentId,
    calendarId: calendar.id,
    bookingReference: `BK-${Math.max(nowMs, calendar.lastReferenceMs + 1)}`,
    customerId: customer.id,
    customerName: body.customer.name,
    customerPhone: body.customer.phone || null,
    customerTimeZone: toKnownZone(body.time_zone),
    startsAtMs,
    endsAtMs: startsAtMs + demand.durationMinutes * 60_000,
    bufferMinutes: calendar.rules.bufferMinutes,
    timeZone: calendar.timeZone,
    title: toTitle(calendar, type, body.title),
    description: body.description || null,
    type,
    location,
    conflictLocationId: demand.conflictLocationId,
    status: 'confirmed',
    paymentStatus: terms.paymentStatus,
    createdAt: new Date(nowMs),
  })
  const confirmationEmailQueued = await tryToQueueMails(deps, trx, [
    { kind: 'booking_confirmation', appointmentId },
    { kind: 'owner_booking_notice', appointmentId },
  ])
  return { appointmentId, confirmationEmailQueued }
}

/**
 * What was done stands even when its mails cannot be queued: that is logged, and the customer may be told.
 * Source: spec §8 "Booking", "Cancellation".
 */
export function tryToQueueMails(
  deps: Pick<BookingsDeps, 'jobs' | 'log'>,
  trx: Trx,
  mails: readonly AppointmentMailJob[],
): Promise<boolean> {
  return tryInSavepoint(
    trx,
    () => deps.jobs.insert(trx, APPOINTMENT_MAIL, mails),
    (err) => deps.log.error({ err, kinds: mails.map((mail) => mail.kind) }, 'mails could not be queued'),
  )
}

/** A type is mandatory when the calendar has types, and it must be one of them. */
async function getChosenType(
  trx: Trx,
  calendar: BookableCalendar,
  typeId: string | null,
): Promise<BookedType | null> {
  if (typeId === null) {
    if (calendar.hasTypes) throw new ProblemError('booking.incomplete')
    return null
  }
  const type = await findBookedType(trx, calendar.id, typeId)
  if (type === null) throw new ProblemError('booking.type_unknown')
  return type
}

/**
 * What the customer wrote; a title that was asked for and cleared falls back to the type's name, then 'Appointment'. One that
 * was not asked for is what the form would have been filled with (spec §4 "Booking", §5 "Title template").
 */
function toTitle(
  calendar: BookableCalendar,
  type: BookedType | null,
  typed: string | null | undefined,
): string {
  if (typeof typed === 'string' || type !== null) return titleOf(typed, type?.name)
  const rendered = renderTitle(calendar.titleTemplate, {
    calendarName: calendar.name,
    firstName: calendar.professionalFirstName,
    lastName: calendar.professionalLastName,
  })
  return rendered.slice(0, LIMITS.appointmentTitle)
}

/** A browser's zone that this server does not know is dropped, not refused: the calendar's is used instead. */
function toKnownZone(timeZone: string | null | undefined): string | null {
  return timeZone && isTimeZone(timeZone) ? timeZone : null
}

/** The constraints have the last word: what they refuse is told like any other taken time. */
async function refusingTakenTime<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const constraint = exclusionConstraintOf(error)
    if (constraint === null) throw error
    throw new ProblemError(
      constraint === 'appointments_no_location_conflict'
        ? 'booking.location_conflict'
        : 'booking.slot_unavailable',
    )
  }
}

/**
 * One appointment for whoever holds its id.
 * @throws ProblemError `appointment.not_found`
 */
export async function getPublicAppointment(
  deps: Pick<BookingsDeps, 'db' | 'baseUrl'>,
  id: string,
): Promise<PublicAppointment> {
  const details = await findAppointmentDetails(deps.db, id)
  if (details === null) throw new ProblemError('appointment.not_found')
  return toPublicAppointment(details, deps.baseUrl)
}

const CANCELLATION_REFUSALS = {
  cancellation_pending: 'appointment.cancellation_pending',
  already_cancelled: 'appointment.already_cancelled',
  not_confirmed: 'appointment.not_confirmed',
  past: 'appointment.past',
} as const satisfies Record<string, ProblemCode>

/**
 * Asks the owner to cancel. The owner is told by e-mail and decides.
 * @throws ProblemError `appointment.not_found`, `appointment.*` when it cannot be asked for
 */
export async function requestCancellation(
  deps: BookingsDeps,
  id: string,
): Promise<CancellationRequestResponse> {
  return inTransaction(deps.db, async (trx) => {
    const appointment = await lockAppointment(trx, id)
    if (appointment === null) throw new ProblemError('appointment.not_found')
    const nowMs = deps.now()
    const decision = decideCancellationRequest(appointment, nowMs)
    if (!decision.ok) throw new ProblemError(CANCELLATION_REFUSALS[decision.reason])
    const updatedAt = new Date(nowMs)
    await updateStatus(
      trx,
      { calendarId: appointment.calendarId, id },
      { status: decision.status, updatedAt },
    )
    const revision = { sequence: appointment.sequence, changedAt: updatedAt.toISOString() }
    await tryToQueueMails(deps, trx, [{ kind: 'owner_cancellation_request', appointmentId: id, revision }])
    return { id, status: decision.status, booking_reference: appointment.bookingReference }
  })
}

/**
 * Gives back the time of an unpaid hold.
 * @throws ProblemError `appointment.not_found`, `appointment.not_pending_payment`
 */
export async function releasePendingAppointment(
  deps: Pick<BookingsDeps, 'db' | 'now'>,
  id: string,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const appointment = await lockAppointment(trx, id)
    if (appointment === null) throw new ProblemError('appointment.not_found')
    if (appointment.status !== 'pending_payment' || !appointment.isHold) {
      throw new ProblemError('appointment.not_pending_payment')
    }
    await releaseHold(trx, { calendarId: appointment.calendarId, id }, new Date(deps.now()))
  })
}

/**
 * Tells the customers of a calendar that is about to be deleted. In the deleting transaction, with everything the
 * mails need in the jobs themselves: the rows will be gone.
 */
export async function announceClosedCalendar(
  deps: BookingsDeps,
  trx: Trx,
  calendarId: string,
): Promise<void> {
  const appointments = await listFutureAppointmentDetails(trx, calendarId, new Date(deps.now()))
  if (appointments.length === 0) return
  await deps.jobs.insert(
    trx,
    APPOINTMENT_MAIL,
    appointments.map((details) => ({
      kind: 'calendar_closed' as const,
      facts: toMailFacts(details, deps.baseUrl),
    })),
  )
}
