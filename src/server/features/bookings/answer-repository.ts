import type { Insertable } from 'kysely'
import { prepareQuery, type Query } from '#server/platform/db/prepared-statement.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { type CalendarName, prepareAboutCalendar } from './repository.ts'

/** What a key of a calendar was used for, and the answer to it. */
export type StoredAnswer = {
  readonly bodyHash: string
  readonly appointmentId: string
  readonly confirmationEmailQueued: boolean
}

const findAnswer = prepareAboutCalendar<StoredAnswer>(
  'answer',
  (calendarId) => `select body_hash as "bodyHash", appointment_id as "appointmentId",
      confirmation_email_queued as "confirmationEmailQueued"
    from idempotency_keys
    where calendar_id = ${calendarId} and key = $2 and created_at > $3::timestamptz`,
)

/** The query for the answer that a key has had since then; no row when it had none. */
export function compileFindAnswer(named: CalendarName, key: string, since: Date): Query<StoredAnswer> {
  return findAnswer(named, [key, since])
}

/** The query that keeps an answer. A key that was used too long ago, or whose answer has changed, is used again. */
export const compileStoreAnswer = prepareQuery((db, answer: Insertable<Schema['idempotency_keys']>) =>
  db
    .insertInto('idempotency_keys')
    .values(answer)
    .onConflict((conflict) => conflict.columns(['calendar_id', 'key']).doUpdateSet(answer)),
)

/** A key whose booking has come to nothing may be used again. Source: rule P8. */
export async function forgetAnswers(trx: Trx, calendarId: string, appointmentId: string): Promise<void> {
  await trx
    .deleteFrom('idempotency_keys')
    .where('calendar_id', '=', calendarId)
    .where('appointment_id', '=', appointmentId)
    .execute()
}
