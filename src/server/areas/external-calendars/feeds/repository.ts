import { isConfidentialProfession } from '#core/external-calendars/confidential-profession.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** Returns the encrypted token of a calendar's feed. Null when the calendar has no feed. */
export async function findEncryptedFeedToken(db: Db, calendarId: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('calendar_feeds')
    .select('token_encrypted')
    .where('calendar_id', '=', calendarId)
    .executeTakeFirst()
  return row?.token_encrypted ?? null
}

/** Creates the feed of a calendar. It replaces an earlier one, whose URL stops working. */
export async function replaceFeed(
  trx: Trx,
  calendarId: string,
  feed: { readonly tokenHash: string; readonly sealedToken: Buffer; readonly createdAt: Date },
): Promise<void> {
  const values = {
    token_hash: feed.tokenHash,
    token_encrypted: feed.sealedToken,
    created_at: feed.createdAt,
  }
  await trx
    .insertInto('calendar_feeds')
    .values({ calendar_id: calendarId, ...values })
    .onConflict((conflict) => conflict.column('calendar_id').doUpdateSet(values))
    .execute()
}

export async function deleteFeed(trx: Trx, calendarId: string): Promise<void> {
  await trx.deleteFrom('calendar_feeds').where('calendar_id', '=', calendarId).execute()
}

export type CalendarFeedRow = {
  readonly calendarId: string
  readonly name: string
  readonly hidesCustomer: boolean
}

/** Finds the calendar whose feed has this token. Null when the token is unknown or was revoked. */
export async function findFeed(db: Db, tokenHash: string): Promise<CalendarFeedRow | null> {
  const row = await db
    .selectFrom('calendar_feeds as feed')
    .innerJoin('calendars', 'calendars.id', 'feed.calendar_id')
    .leftJoin('external_calendar_settings as settings', 'settings.calendar_id', 'feed.calendar_id')
    .select(['feed.calendar_id', 'calendars.name', 'calendars.category', 'settings.hide_customer'])
    .where('feed.token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    calendarId: row.calendar_id,
    name: row.name,
    hidesCustomer: row.hide_customer ?? isConfidentialProfession(row.category),
  }
}
