import { createHash } from 'node:crypto'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { StoredAnswer } from './answer-repository.ts'
import { type AppointmentDetails, findAppointmentDetails } from './repository.ts'

export type Booked = { readonly details: AppointmentDetails; readonly confirmationEmailQueued: boolean }

/** How long a key answers the same request (rule X2). */
export const KEY_LIFE_MS = 24 * 60 * 60 * 1000

/** A request that its client may send again: under which key, and what it asks for. */
export type KeyedRequest = { readonly key: string; readonly bodyHash: string }

/** Its body is remembered by a hash (SHA-256): it holds what people wrote. */
export function toKeyedRequest(key: string, body: object): KeyedRequest {
  return { key, bodyHash: createHash('sha256').update(JSON.stringify(body)).digest('hex') }
}

/**
 * What a request that was sent before is answered again.
 * @throws ProblemError `request.key_reused` when the key was for another one, `appointment.not_found`
 */
export async function answerAgain(trx: Trx, request: KeyedRequest, before: StoredAnswer): Promise<Booked> {
  if (before.bodyHash !== request.bodyHash) throw new ProblemError('request.key_reused')
  const details = await findAppointmentDetails(trx, before.appointmentId)
  if (details === null) throw new ProblemError('appointment.not_found')
  return { details, confirmationEmailQueued: before.confirmationEmailQueued }
}
