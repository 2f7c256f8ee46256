import type { Trx } from '#server/platform/db/transaction.ts'

export type StoredAnswer = {
  readonly bodyHash: string
  readonly appointmentId: string
  readonly confirmationEmailQueued: boolean
}

/** What an idempotency key was used for in the last 24 hours. */
export async function findStoredAnswer(
  trx: Trx,
  calendarId: string,
  key: string,
  since: Date,
): Promise<StoredAnswer | null> {
  const row = await trx
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('calendar_id', '=', calendarId)
    .where('key', '=', key)
    .where('created_at', '>', since)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    bodyHash: row.body_hash,
    appointmentId: row.appointment_id,
    confirmationEmailQueued: row.confirmation_email_queued,
  }
}

/** A key whose booking has come to nothing may be used again. */
export async function forgetAnswers(trx: Trx, calendarId: string, appointmentId: string): Promise<void> {
  await trx
    .deleteFrom('idempotency_keys')
    .where('calendar_id', '=', calendarId)
    .where('appointment_id', '=', appointmentId)
    .execute()
}

export async function storeAnswer(
  trx: Trx,
  answer: StoredAnswer & { calendarId: string; key: string; createdAt: Date },
): Promise<void> {
  const values = {
    calendar_id: answer.calendarId,
    key: answer.key,
    body_hash: answer.bodyHash,
    appointment_id: answer.appointmentId,
    confirmation_email_queued: answer.confirmationEmailQueued,
    created_at: answer.createdAt,
  }
  // A key older than a day may be used again.
  await trx
    .insertInto('idempotency_keys')
    .values(values)
    .onConflict((conflict) => conflict.columns(['calendar_id', 'key']).doUpdateSet(values))
    .execute()
}
