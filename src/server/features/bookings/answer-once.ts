import { createHash } from 'node:crypto'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { findStoredAnswer, type StoredAnswer, storeAnswer } from './answer-repository.ts'
import { type AppointmentDetails, findAppointmentDetails } from './repository.ts'

export type Booked = { readonly details: AppointmentDetails; readonly confirmationEmailQueued: boolean }

/** How long a key answers the same request (decided question "Idempotency keys"). */
const KEY_LIFE_MS = 24 * 60 * 60 * 1000

/**
 * Books once for a key, under the calendar's lock: the same key with the same body answers what it answered before, for
 * 24 hours. A refusal does not use the key up.
 * @throws ProblemError `request.key_reused`, `appointment.not_found`, and what `book` throws
 */
export async function answerOnce(
  trx: Trx,
  input: { calendarId: string; key: string | null; body: object; nowMs: number },
  book: () => Promise<Booked>,
): Promise<Booked> {
  const { calendarId, key, nowMs } = input
  if (key === null) return book()
  const bodyHash = createHash('sha256').update(JSON.stringify(input.body)).digest('hex')
  const before = await findStoredAnswer(trx, calendarId, key, new Date(nowMs - KEY_LIFE_MS))
  if (before !== null && before.bodyHash !== bodyHash) throw new ProblemError('request.key_reused')
  if (before !== null) return readAgain(trx, before)
  const { details, confirmationEmailQueued } = await book()
  await storeAnswer(trx, {
    appointmentId: details.id,
    confirmationEmailQueued,
    calendarId,
    key,
    bodyHash,
    createdAt: new Date(nowMs),
  })
  return { details, confirmationEmailQueued }
}

async function readAgain(
  trx: Trx,
  { appointmentId, confirmationEmailQueued }: StoredAnswer,
): Promise<Booked> {
  const details = await findAppointmentDetails(trx, appointmentId)
  if (details === null) throw new ProblemError('appointment.not_found')
  return { details, confirmationEmailQueued }
}
