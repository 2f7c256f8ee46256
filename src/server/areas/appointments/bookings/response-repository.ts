import type { Insertable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { prepareQuery } from '#server/platform/db/prepared-statement.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** A stored response: the request that used the idempotency key, and the booking that it made. */
export type StoredBookingResponse = {
  readonly body_hash: string
  readonly appointment_id: string
  readonly confirmation_email_queued: boolean
}

/** Finds the response stored under a key after `since`; null when there is none. */
export async function findBookingResponse(
  db: Db,
  asked: { readonly calendarId: string; readonly key: string; readonly since: Date },
): Promise<StoredBookingResponse | null> {
  const [answer] = await selectAnswer(db, asked)
  return answer ?? null
}

const selectAnswer = prepareQuery(
  (db, { calendarId, key, since }: { calendarId: string; key: string; since: Date }) =>
    db
      .selectFrom('idempotency_keys')
      .select(['body_hash', 'appointment_id', 'confirmation_email_queued'])
      .where('calendar_id', '=', calendarId)
      .where('key', '=', key)
      .where('created_at', '>', since),
)

/** True when a key has a response stored after `since`, on the calendar with this slug. */
export async function hasStoredBookingResponse(
  db: Db,
  { slug, key, since }: { readonly slug: string; readonly key: string; readonly since: Date },
): Promise<boolean> {
  const row = await db
    .selectFrom('idempotency_keys')
    .innerJoin('calendars', 'calendars.id', 'idempotency_keys.calendar_id')
    .select('idempotency_keys.key')
    .where('slug', '=', slug)
    .where('key', '=', key)
    .where('idempotency_keys.created_at', '>', since)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores a response. Overwrites an expired response under the same key. */
export async function insertBookingResponse(
  trx: Trx,
  answer: Insertable<Schema['idempotency_keys']>,
): Promise<void> {
  await upsertAnswer(trx, answer)
}

const upsertAnswer = prepareQuery((db, answer: Insertable<Schema['idempotency_keys']>) =>
  db
    .insertInto('idempotency_keys')
    .values(answer)
    .onConflict((conflict) => conflict.columns(['calendar_id', 'key']).doUpdateSet(answer)),
)

/** Deletes the stored responses of a released booking, so that its key can be used again. Source: rule P8. */
export async function deleteResponsesOfBooking(
  trx: Trx,
  calendarId: string,
  appointmentId: string,
): Promise<void> {
  await trx
    .deleteFrom('idempotency_keys')
    .where('calendar_id', '=', calendarId)
    .where('appointment_id', '=', appointmentId)
    .execute()
}
