import type { Trx } from '#server/platform/db/transaction.ts'

/**
 * SQL for the distinct time zones of the Meridian calendars that use an external calendar, as an array; the calendar
 * that writes to it comes first. The argument is SQL. Source: rule G4.
 */
export function selectReaderZones(externalCalendarId: string): string {
  return `array(
      select reader.timezone from used_external_calendars as use_of_reader
      join calendars as reader on reader.id = use_of_reader.calendar_id
      where use_of_reader.external_calendar_id = ${externalCalendarId}
      group by reader.timezone
      order by bool_or(use_of_reader.writes_events) desc, min(reader.created_at), reader.timezone
    )`
}

/**
 * SQL for the verified email address of a connection's owner; null when there is none. The argument is SQL. Source:
 * rule G3.
 */
export function selectOwnerEmail(connectionId: string): string {
  return `(select owner.email from calendar_connections as connection_of_owner
      join profiles as owner on owner.id = connection_of_owner.user_id
      where connection_of_owner.id = ${connectionId} and owner.email_verified)`
}

/** Lists the connections of external calendars that a calendar uses and that have no time zone. */
export async function listConnectionsWithoutZone(trx: Trx, calendarId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('used_external_calendars as used')
    .innerJoin('external_calendars as external', 'external.id', 'used.external_calendar_id')
    .select('external.connection_id')
    .distinct()
    .where('used.calendar_id', '=', calendarId)
    .where('external.time_zone', 'is', null)
    .where('external.is_gone', '=', false)
    .execute()
  return rows.map(({ connection_id }) => connection_id)
}
