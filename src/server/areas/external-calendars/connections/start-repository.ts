import { sql } from 'kysely'
import type { Trx } from '#server/platform/db/transaction.ts'

/**
 * Finds the external calendar that the original of a duplicate writes to. Without an original, finds the external calendar that
 * the person's newest calendar writes to. Leaves out external calendars that are gone, and those of disconnected accounts.
 */
export async function findWrittenCalendar(
  trx: Trx,
  { calendarId, originalId }: { readonly calendarId: string; readonly originalId: string | null },
): Promise<string | null> {
  const row = await trx
    .selectFrom('calendars as own')
    .innerJoin('calendars as writer', 'writer.host_id', 'own.host_id')
    .innerJoin('used_external_calendars as used', 'used.calendar_id', 'writer.id')
    .innerJoin('external_calendars as external', 'external.id', 'used.external_calendar_id')
    .innerJoin('calendar_connections as connection', 'connection.id', 'external.connection_id')
    .select('external.id')
    .where('own.id', '=', calendarId)
    .whereRef('writer.id', '<>', 'own.id')
    .$if(originalId !== null, (query) => query.where('writer.id', '=', originalId))
    .where('used.writes_events', '=', true)
    .where('external.is_gone', '=', false)
    .where('connection.state', '<>', 'revoked')
    .orderBy('writer.created_at', 'desc')
    .orderBy('writer.id')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Copies the settings for external calendars, if the original has stored any. */
export async function copySettings(
  trx: Trx,
  {
    originalId,
    copyId,
    copiedAt,
  }: { readonly originalId: string; readonly copyId: string; readonly copiedAt: Date },
): Promise<void> {
  await sql`
    insert into external_calendar_settings
      (calendar_id, auto_sync, two_way_sync, hide_customer, when_unchecked, updated_at)
    select ${copyId}, auto_sync, two_way_sync, hide_customer, when_unchecked, ${copiedAt}
    from external_calendar_settings where calendar_id = ${originalId}`.execute(trx)
}
