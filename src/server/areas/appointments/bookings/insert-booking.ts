import { randomUUID } from 'node:crypto'
import { LIMITS } from '#contract/shared/limits.ts'
import { chooseBookingTitle, findCustomTitle, renderTitle } from '#core/appointments/title-template.ts'
import { decidePaymentTerms, type PaymentTerms } from '#core/payments/payment-terms.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { isSameName } from '#core/shared/same-name.ts'
import { truncateText } from '#core/shared/text.ts'
import { insertHold } from '#server/areas/appointments/holds/repository.ts'
import type { NewHold } from '#server/areas/appointments/holds/use-cases.ts'
import type { PaymentStatus } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { isSamePhone } from '#server/platform/phone-numbers/parse-phone.ts'
import type { BookedAppointment, InsertedAppointment } from '#server/records/appointments/appointment.ts'
import { queueEventWrite } from '#server/records/appointments/event-job.ts'
import {
  insertAppointment,
  type NewAppointment,
} from '#server/records/appointments/new-appointment-repository.ts'
import { announceTakenTime } from '#server/records/freed-times/use-cases.ts'
import { insertAnswers, type StoredAnswer } from '#server/records/questions/repository.ts'
import { findBookedSession, insertSession, toFurtherSeat } from '#server/records/slots/sessions-repository.ts'
import { type BookingRequirements, TIME_WITHOUT_TYPE } from '#server/records/slots/use-cases.ts'
import type { BookingsDeps } from './deps.ts'
import type { BookableCalendar, LockedBooking } from './repository.ts'
import { listCustomersWithoutEmail } from './repository.ts'

/** An accepted booking that is ready to be written. */
export type NewBooking = {
  readonly locked: LockedBooking
  readonly requirements: BookingRequirements
  readonly startsAtMs: number
  readonly title: string | null | undefined
  readonly description: string | null | undefined
  readonly customer: {
    /** The customer's record; absent when the email address, or the name and phone number, identify it. */
    readonly id?: string
    readonly name: string
    readonly email: string | null
    readonly phone: string | null
    readonly timeZone: string | null
  }
  /** The checked answers of the customer; absent when nothing was asked. */
  readonly answers?: readonly StoredAnswer[]
  readonly paymentStatus: PaymentStatus
  /**
   * The reason and the holder of a booking that only holds the time for now; null when the booking is confirmed at
   * once.
   */
  readonly hold: NewHold | null
  readonly bookedBy: 'customer' | 'owner'
  readonly isTest?: boolean
  /** Absent for a single appointment. */
  readonly series?: NewAppointment['series']
  readonly nowMs: number
}

/**
 * Inserts the appointment with its customer, and its hold if it has one. Queues the write of its calendar event, and announces
 * that its time is taken. The caller holds the locks of the booking.
 */
export async function insertBooking(
  deps: Pick<BookingsDeps, 'jobs' | 'log'>,
  trx: Trx,
  booking: NewBooking,
): Promise<BookedAppointment> {
  const { locked, requirements, startsAtMs, hold, nowMs } = booking
  const { calendar, type, location } = locked
  const { name, email, phone, timeZone: customerTimeZone } = booking.customer
  const title = toTitle(locked, booking.title)
  const knownId =
    booking.customer.id ?? (email === null ? await findKnownCustomer(trx, calendar, { name, phone }) : null)
  const seat = await findSeat(trx, booking)
  const written = await insertAppointment(trx, {
    id: randomUUID(),
    session_id: seat?.sessionId ?? null,
    calendar_id: calendar.id,
    host_id: calendar.host_id,
    booking_reference: `BK-${Math.max(nowMs, locked.lastReferenceMs + 1)}`,
    customer: {
      knownId,
      newId: randomUUID(),
      client_id: `C${Math.max(nowMs, locked.lastClientIdMs + 1)}`,
      name,
      email,
      phone,
    },
    customer_time_zone: customerTimeZone,
    startsAtMs,
    endsAtMs: startsAtMs + requirements.durationMinutes * MINUTE_MS,
    prepareMinutes: requirements.prepareMinutes,
    wrapUpMinutes: requirements.wrapUpMinutes,
    bufferMinutes: calendar.rules.bufferMinutes,
    ...seat?.time,
    time_zone: calendar.timezone,
    title,
    typed_title: findCustomTitle(title, filledInTitle(locked)),
    description: booking.description || null,
    type,
    location,
    conflict_location_id: requirements.conflictLocationId,
    status: hold === null ? 'confirmed' : 'pending_payment',
    payment_status: booking.paymentStatus,
    hold_expires_at: hold?.expiresAt ?? null,
    awaits_email_code: hold?.reason === 'email_confirmation',
    is_offer: hold?.reason === 'offer',
    is_test: booking.isTest ?? false,
    series: booking.series ?? null,
    booked_by: booking.bookedBy,
    policy: type?.policy ?? calendar.policy,
    created_at: new Date(nowMs),
  })
  const key = { calendarId: calendar.id, id: written.id }
  if (hold !== null) await insertHold(trx, key, hold)
  const { answers = [] } = booking
  if (answers.length > 0) await insertAnswers(trx, key, answers)
  await queueEventWrite(deps, trx, { ...key, isNeeded: written.needs_google_sync })
  const conflictLocationId = locked.is_location_shared ? requirements.conflictLocationId : null
  // Most bookings skip this, to save statements: no open offer could lose its time, and no other calendar shares the
  // location.
  if (locked.has_unkept_offers || conflictLocationId !== null) {
    await announceTakenTime(deps, trx, { calendarId: calendar.id, conflictLocationId })
  }
  return toBookedAppointment(written, calendar)
}

/**
 * Finds a seat for the booking in the session at its time, or opens one; null for a type without seats. Source: rules B51
 * and B52.
 */
async function findSeat(trx: Trx, { locked, requirements, startsAtMs }: NewBooking) {
  const { durationMinutes, prepareMinutes, wrapUpMinutes, seats, typeId } = requirements
  if (seats === null || typeId === null) return null
  const session = {
    calendarId: locked.calendar.id,
    typeId,
    locationId: locked.location?.id ?? null,
    time: { startMs: startsAtMs, endMs: startsAtMs + durationMinutes * MINUTE_MS },
  }
  const booked = await findBookedSession(trx, session)
  if (booked === null)
    return {
      sessionId: await insertSession(trx, { ...session, prepareMinutes, wrapUpMinutes, seats }),
      time: {},
    }
  const { sessionId, ...time } = toFurtherSeat(booked)
  return { sessionId, time }
}

function toBookedAppointment(written: InsertedAppointment, calendar: BookableCalendar): BookedAppointment {
  return {
    ...written,
    slug: calendar.slug,
    calendar_name: calendar.name,
    hour_cycle: calendar.hour_cycle,
    calendar_location: calendar.location_name,
    category: calendar.category,
    color: calendar.color,
    professional_first_name: calendar.professional_first_name,
    professional_last_name: calendar.professional_last_name,
    domain_settings: calendar.domain_settings,
    live_host: calendar.live_host,
  }
}

/** Returns the fields that every message about a new booking has. */
export function toBookingMessageFields({
  calendar_id,
  id,
  booked_by,
  sequence,
  created_at,
}: InsertedAppointment) {
  return {
    calendarId: calendar_id,
    appointmentId: id,
    causedBy: booked_by,
    revision: { sequence, changedAt: created_at },
  }
}

/**
 * Returns the time that the chosen type takes and the exclusive location that it needs. A type is mandatory when the
 * calendar has types, and it must be one of them. Source: rules T14 and B2.
 * @throws ProblemError `missing` when the type is missing, `booking.type_unknown`
 */
export function toBookingRequirements(
  { type, location, has_types: hasTypes }: LockedBooking,
  { typeId, missing }: { typeId: string | null; missing: 'booking.incomplete' | 'booking.service_required' },
): BookingRequirements {
  if (typeId === null && hasTypes) throw new ProblemError(missing)
  if (typeId !== null && type === null) throw new ProblemError('booking.type_unknown')
  const { durationMinutes, prepareMinutes, wrapUpMinutes, seats } = type ?? TIME_WITHOUT_TYPE
  return {
    durationMinutes,
    prepareMinutes,
    wrapUpMinutes,
    seats,
    conflictLocationId: location?.isExclusive === true ? location.id : null,
    typeId,
  }
}

/** Returns the price of the appointment, and whether a customer must pay before the booking is confirmed. */
export function toPaymentTerms({
  calendar,
  type,
  provider_connected: providerConnected,
}: LockedBooking): PaymentTerms {
  return decidePaymentTerms({
    priceCents: type?.price_cents ?? null,
    calendarRequiresPayment: calendar.payment_required,
    typeRequiresPayment: type?.payment_required ?? false,
    paymentEnabled: calendar.payment_enabled,
    providerConnected,
  })
}

/**
 * Returns the title that the customer entered. If they cleared it, uses the type's name, or else 'Appointment'. If the
 * form did not ask for a title, uses the text with which the form would have been prefilled (rule B9).
 */
function toTitle(locked: LockedBooking, typed: string | null | undefined): string {
  const isAskedFor = typeof typed === 'string' || locked.type !== null
  return isAskedFor ? chooseBookingTitle(typed, locked.type?.name) : filledInTitle(locked)
}

/** Returns the title with which the form is prefilled. Source: rule B9. */
function filledInTitle({ calendar, type }: LockedBooking): string {
  if (type !== null) return chooseBookingTitle(null, type.name)
  const rendered = renderTitle(calendar.default_appointment_title, {
    ...calendar,
    calendar_name: calendar.name,
  })
  return truncateText(rendered, LIMITS.appointmentTitle)
}

/**
 * Finds a customer without an email address who has this name and phone number, ignoring differences such as spaces or
 * accents. Source: rule O7.
 */
async function findKnownCustomer(
  trx: Trx,
  calendar: { readonly id: string; readonly timezone: string },
  { name, phone }: { readonly name: string; readonly phone: string | null },
): Promise<string | null> {
  const candidates = await listCustomersWithoutEmail(trx, { calendarId: calendar.id, name })
  const known = candidates.find(
    (customer) => isSameName(customer.name, name) && isSamePhone(customer.phone, phone, calendar.timezone),
  )
  return known?.id ?? null
}
