import type { z } from 'zod'
import type {
  AppointmentTime,
  appointmentTimeQuery,
  CreateOwnAppointmentResponse,
  createOwnAppointmentBody,
} from '#contract/owner-booking.ts'
import type { ProblemCode } from '#contract/problem.ts'
import { type ClockReading, readClock } from '#core/scheduling/clock-reading.ts'
import { decideOwnStart, type OwnStartDecision } from '#core/scheduling/judge-start.ts'
import { getOwnCalendar } from '#server/features/calendars/use-cases.ts'
import {
  getSchedulingCalendar,
  getSlotDemand,
  judgeOwnStart,
  type SlotDemand,
} from '#server/features/slots/use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { Booked } from './answer-once.ts'
import { bookOnce, type Locked } from './book-once.ts'
import { type BookingsDeps, demandOf, takeTime, termsOf } from './take-time.ts'

type Body = z.output<typeof createOwnAppointmentBody>
type When = z.output<typeof appointmentTimeQuery>

const REFUSALS = {
  busy: 'booking.slot_unavailable',
  location_taken: 'booking.location_conflict',
  too_long_ago: 'booking.too_long_ago',
  too_far_ahead: 'booking.too_far_ahead',
  begun: 'booking.already_begun',
  outside_hours: 'booking.outside_hours',
  too_long: 'booking.too_long',
  off_grid: 'booking.off_grid',
} as const satisfies Record<Extract<OwnStartDecision, { ok: false }>['reason'], ProblemCode>

/**
 * Books a time for somebody who phoned or walked in. The owner may book what customers are not offered when the request
 * says so, and never a time that somebody has.
 *
 * Source: rule O2.
 * @throws ProblemError `calendar.*`, `booking.*`, `request.key_reused`
 */
export async function createOwnAppointment(
  deps: BookingsDeps,
  ownerId: OwnerId,
  input: { calendarId: string; key: string | null; body: Body },
): Promise<CreateOwnAppointmentResponse> {
  const { calendarId, key, body } = input
  await getOwnCalendar(deps, ownerId, calendarId)
  const request = {
    calendar: { id: calendarId },
    typeId: body.appointment_type_id ?? null,
    key,
    body: { by: 'owner', ...body },
  }
  const { details, response } = await bookOnce(deps, request, (trx, locked, nowMs) =>
    book(deps, trx, { ...locked, body, nowMs }),
  )
  const { starts_at, created_at } = details
  return {
    ...response,
    confirmation_email_wanted: isMailWanted(body, starts_at.getTime(), created_at.getTime()),
  }
}

async function book(
  deps: BookingsDeps,
  trx: Trx,
  { calendar, choice, request, body, nowMs }: Locked & { body: Body; nowMs: number },
): Promise<Booked> {
  const typeId = body.appointment_type_id ?? null
  const demand = withOwnDuration(demandOf(choice, { typeId, missing: 'booking.service_required' }), body)
  const { startsAtMs } = readStart(body, calendar.timeZone)
  const verdict = await judgeOwnStart(trx, { calendar, demand, startsAtMs, nowMs })
  const decision = decideOwnStart(verdict, body.outside_hours)
  if (!decision.ok) throw new ProblemError(REFUSALS[decision.reason])

  const { details, areMailsQueued } = await takeTime(deps, trx, {
    calendar,
    choice,
    demand,
    startsAtMs,
    title: body.title,
    description: body.description,
    customer: {
      name: body.customer.name,
      email: body.customer.email || null,
      phone: body.customer.phone || null,
      timeZone: null,
    },
    // The owner does not have to pay first: the two of them have just spoken. Source: rule O6.
    paymentStatus: termsOf(calendar, choice).paymentStatus,
    hold: null,
    bookedBy: 'owner',
    // Nothing to the owner, who has just done it. Source: rule O8.
    mails: isMailWanted(body, startsAtMs, nowMs) ? ['booking_confirmation'] : [],
    request,
    nowMs,
  })
  return { details, confirmationEmailQueued: areMailsQueued }
}

/**
 * How a time stands that the owner thinks of booking, for the form: nothing is locked, and booking asks again.
 * @throws ProblemError `calendar.*`, `booking.type_unknown`
 */
export async function judgeAppointmentTime(
  deps: Pick<BookingsDeps, 'db' | 'now' | 'baseUrl'>,
  ownerId: OwnerId,
  input: { calendarId: string; when: When },
): Promise<AppointmentTime> {
  const { slug } = await getOwnCalendar(deps, ownerId, input.calendarId)
  const calendar = await getSchedulingCalendar(deps.db, slug)
  const demand = withOwnDuration(
    await getSlotDemand(deps.db, calendar.id, input.when.appointment_type_id ?? undefined),
    input.when,
  )
  const { startsAtMs, reading } = readStart(input.when, calendar.timeZone)
  const verdict = await judgeOwnStart(deps.db, { calendar, demand, startsAtMs, nowMs: deps.now() })
  return {
    starts_at: new Date(startsAtMs).toISOString(),
    ends_at: new Date(startsAtMs + demand.durationMinutes * 60_000).toISOString(),
    time_zone: calendar.timeZone,
    reading,
    standing: verdict.kind,
    concerns: verdict.kind === 'free' ? [...verdict.concerns] : [],
  }
}

/** What the type takes; without one the owner says how long. */
function withOwnDuration(demand: SlotDemand, { duration }: When): SlotDemand {
  return { ...demand, durationMinutes: duration ?? demand.durationMinutes }
}

/** The schema lets one of the two ways through. */
function readStart({ starts_at, date, time }: When, timeZone: string): ClockReading {
  if (starts_at !== undefined) return { startsAtMs: Date.parse(starts_at), reading: 'once' }
  if (date === undefined || time === undefined) throw new ProblemError('booking.time_required')
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return readClock(date, (hours * 60 + minutes) * 60, timeZone)
}

/** Nobody is told about what has begun: they are there. Source: rule O8. */
function isMailWanted(body: Body, startsAtMs: number, bookedAtMs: number): boolean {
  return body.notify_customer && Boolean(body.customer.email) && startsAtMs > bookedAtMs
}
