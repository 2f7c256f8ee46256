import { createHash } from 'node:crypto'
import type { CreateBookingResponse } from '#contract/appointments/bookings.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { listSeriesAppointments } from '#server/areas/appointments/series/repository.ts'
import { toSignedLink } from '#server/messages/emails/to-mail-facts.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { BookedAppointment } from '#server/records/appointments/appointment.ts'
import { findAppointmentDetails } from '#server/records/appointments/details-repository.ts'
import { toPublicAppointment } from '#server/records/appointments/to-public-appointment.ts'
import type { BookingsDeps } from './deps.ts'
import {
  findBookingResponse,
  hasStoredBookingResponse,
  insertBookingResponse,
} from './response-repository.ts'

/** The result of a booking request: everything that its response is built from. */
export type BookingResult = {
  readonly details: BookedAppointment
  /** The further dates of a series, in order; absent for a single appointment. */
  readonly further?: readonly BookedDate[]
  readonly confirmationEmailQueued: boolean
}

type BookedDate = Pick<BookedAppointment, 'id' | 'booking_reference' | 'starts_at' | 'ends_at'>

/** How long a response is replayed for the same idempotency key (rule X2). */
const KEY_LIFE_MS = DAY_MS

/**
 * A booking request with an idempotency key. For 24 hours the same key with the same body returns the same response.
 * After a refused request, the same key can be used for a different body.
 */
type IdempotentRequest = { readonly key: string; readonly bodyHash: string }

/**
 * Returns null for a request without a key. Only a SHA-256 hash of the body is stored, because the body contains personal data.
 */
export function toIdempotentRequest(key: string | null, body: object): IdempotentRequest | null {
  if (key === null) return null
  return { key, bodyHash: createHash('sha256').update(JSON.stringify(body)).digest('hex') }
}

/**
 * Finds the booking that the same request made before, so that its response can be replayed. Returns null when the
 * request is new. The caller has locked the calendar.
 * @throws ProblemError `request.key_reused` when the key was used with a different body, `appointment.not_found`
 */
export async function findEarlierBooking(
  { now }: Pick<BookingsDeps, 'now'>,
  trx: Trx,
  calendarId: string,
  request: IdempotentRequest | null,
): Promise<BookingResult | null> {
  if (request === null) return null
  const answer = await findBookingResponse(trx, {
    calendarId,
    key: request.key,
    since: new Date(now() - KEY_LIFE_MS),
  })
  if (answer === null) return null
  if (answer.body_hash !== request.bodyHash) throw new ProblemError('request.key_reused')
  const details = await findAppointmentDetails(trx, answer.appointment_id)
  if (details === null) throw new ProblemError('appointment.not_found')
  const further = await listFurtherDates(trx, details)
  return { details, further, confirmationEmailQueued: answer.confirmation_email_queued }
}

/** Lists the other dates of an appointment's series, in order; empty for a single appointment. */
export async function listFurtherDates(
  db: Db,
  { id, calendar_id: calendarId, series_id: seriesId }: BookedAppointment,
): Promise<BookedDate[]> {
  if (seriesId === null) return []
  const dates = await listSeriesAppointments(db, { calendarId, id: seriesId })
  return dates.filter((date) => date.id !== id)
}

/** Stores the result of a request under its key, so that it can be replayed if the client sends the request again. */
export async function storeBookingResponse(
  trx: Trx,
  request: IdempotentRequest | null,
  { details, confirmationEmailQueued }: BookingResult,
): Promise<void> {
  if (request === null) return
  await insertBookingResponse(trx, {
    calendar_id: details.calendar_id,
    key: request.key,
    body_hash: request.bodyHash,
    appointment_id: details.id,
    confirmation_email_queued: confirmationEmailQueued,
    created_at: details.created_at,
  })
}

/** True when this key already has a stored response. Takes no locks, so the booking itself must check again. */
export async function hasBookingResponse(
  { db, now }: Pick<BookingsDeps, 'db' | 'now'>,
  slug: string,
  key: string | null,
): Promise<boolean> {
  return (
    key !== null && (await hasStoredBookingResponse(db, { slug, key, since: new Date(now() - KEY_LIFE_MS) }))
  )
}

export function toBookingResponse(
  settings: Pick<BookingsDeps, 'baseUrl' | 'defaultTier' | 'manageLinks'>,
  { details, further = [], confirmationEmailQueued }: BookingResult,
): CreateBookingResponse {
  return {
    // As of the booking, so that a repeated request gets the same response.
    ...toPublicAppointment(details, { ...settings, now: () => details.created_at.getTime() }),
    confirmation_email_queued: confirmationEmailQueued,
    manage_token: details.booked_by === 'customer' ? toSignedLink(settings, details).token : null,
    further_dates: further.map(({ id, booking_reference, starts_at, ends_at }) => ({
      id,
      booking_reference,
      starts_at: starts_at.toISOString(),
      ends_at: ends_at.toISOString(),
    })),
  }
}
