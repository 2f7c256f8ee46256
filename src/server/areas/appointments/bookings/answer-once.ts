import { createHash } from 'node:crypto'
import type { CreateBookingResponse } from '#contract/bookings.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { toSignedLink } from '#server/messages/emails/to-mail-facts.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import {
  type BookedAppointment,
  findAppointmentDetails,
} from '#server/records/appointments/details-repository.ts'
import { toPublicAppointment } from '#server/records/appointments/to-public-appointment.ts'
import { findAnswer, hasAnswer, storeAnswer } from './answer-repository.ts'
import type { BookingsDeps } from './deps.ts'

/** What came of a request to book: all that its answer is made of. */
export type BookingResult = { readonly details: BookedAppointment; readonly confirmationEmailQueued: boolean }

/** How long a key answers the same request (rule X2). */
const KEY_LIFE_MS = DAY_MS

/**
 * A request that its client may send again: under which key, and what it asks for. The same key with the same body answers
 * what it answered before, for 24 hours. A refusal does not use it up.
 */
export type IdempotentRequest = { readonly key: string; readonly bodyHash: string }

/** Null for a request without a key. The body is remembered by a hash (SHA-256): it holds what people wrote. */
export function toIdempotentRequest(key: string | null, body: object): IdempotentRequest | null {
  if (key === null) return null
  return { key, bodyHash: createHash('sha256').update(JSON.stringify(body)).digest('hex') }
}

/**
 * What came of the same request before, so that it is answered again. Null when it is new. Under the calendar's lock.
 * @throws ProblemError `request.key_reused` when the key was for another one, `appointment.not_found`
 */
export async function findEarlierBooking(
  { now }: Pick<BookingsDeps, 'now'>,
  trx: Trx,
  calendarId: string,
  request: IdempotentRequest | null,
): Promise<BookingResult | null> {
  if (request === null) return null
  const answer = await findAnswer(trx, { calendarId, key: request.key, since: new Date(now() - KEY_LIFE_MS) })
  if (answer === null) return null
  if (answer.bodyHash !== request.bodyHash) throw new ProblemError('request.key_reused')
  const details = await findAppointmentDetails(trx, answer.appointmentId)
  if (details === null) throw new ProblemError('appointment.not_found')
  return { details, confirmationEmailQueued: answer.confirmationEmailQueued }
}

/** Keeps what came of a request for when it is sent again. */
export async function storeBookingAnswer(
  trx: Trx,
  request: IdempotentRequest | null,
  { details, confirmationEmailQueued }: BookingResult,
): Promise<void> {
  if (request === null) return
  await storeAnswer(trx, {
    calendar_id: details.calendar_id,
    key: request.key,
    body_hash: request.bodyHash,
    appointment_id: details.id,
    confirmation_email_queued: confirmationEmailQueued,
    created_at: details.created_at,
  })
}

/** Whether a request with this key has an answer. Nothing is locked, so booking looks again. */
export async function hasBookingAnswer(
  { db, now }: Pick<BookingsDeps, 'db' | 'now'>,
  slug: string,
  key: string | null,
): Promise<boolean> {
  return key !== null && (await hasAnswer(db, { slug, key, since: new Date(now() - KEY_LIFE_MS) }))
}

export function toBookingResponse(
  settings: Pick<BookingsDeps, 'now' | 'baseUrl' | 'defaultTier' | 'manageLinks'>,
  { details, confirmationEmailQueued }: BookingResult,
): CreateBookingResponse {
  return {
    ...toPublicAppointment(details, settings),
    confirmation_email_queued: confirmationEmailQueued,
    manage_token: details.booked_by === 'customer' ? toSignedLink(settings, details).token : null,
  }
}
