import { sql } from 'kysely'
import type { ExternalCalendar } from '#contract/external-calendars/external-calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { UnreadableRow } from './to-unreadable-row.ts'

/**
 * Replaces the unreadable-event records of the given events with `rows`; an event without a row is readable. Returns
 * true when a list that was full has space again: only a full sync can determine which events belong there. The caller
 * has locked the external calendar.
 */
export async function replaceUnreadableEvents(
  trx: Trx,
  externalCalendarId: string,
  { eventIds, rows }: { readonly eventIds: readonly string[]; readonly rows: readonly UnreadableRow[] },
): Promise<boolean> {
  const before = await countUnreadable(trx, externalCalendarId)
  if (before === 0 && rows.length === 0) return false
  const { numDeletedRows } = await trx
    .deleteFrom('unreadable_external_events')
    .where('external_calendar_id', '=', externalCalendarId)
    .where('event_id', '=', sql<string>`any (${eventIds}::text[])`)
    .executeTakeFirstOrThrow()
  const left = before - Number(numDeletedRows)
  await insertRows(trx, externalCalendarId, rows.slice(0, LIMITS.unreadableEvents - left))
  return before === LIMITS.unreadableEvents && left + rows.length < before
}

/**
 * Stores the events that a full sync could not read, replacing all others. The caller has locked the external calendar.
 */
export async function replaceAllUnreadableEvents(
  trx: Trx,
  externalCalendarId: string,
  rows: readonly UnreadableRow[],
): Promise<void> {
  await trx
    .deleteFrom('unreadable_external_events')
    .where('external_calendar_id', '=', externalCalendarId)
    .execute()
  await insertRows(trx, externalCalendarId, rows.slice(0, LIMITS.unreadableEvents))
}

async function countUnreadable(db: Db, externalCalendarId: string): Promise<number> {
  const { count } = await db
    .selectFrom('unreadable_external_events')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('external_calendar_id', '=', externalCalendarId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function insertRows(
  trx: Trx,
  externalCalendarId: string,
  rows: readonly UnreadableRow[],
): Promise<void> {
  if (rows.length === 0) return
  await trx
    .insertInto('unreadable_external_events')
    .values(
      rows.map(({ eventId, title, part }) => ({
        external_calendar_id: externalCalendarId,
        event_id: eventId,
        title,
        part,
      })),
    )
    .execute()
}

export type UnreadableEvents = ExternalCalendar['unreadable_events']

/**
 * Returns, for each external calendar of an owner, how many events cannot be read, and the first titles. Events that
 * block no time come first.
 */
export async function listUnreadableEvents(db: Db, ownerId: OwnerId): Promise<Map<string, UnreadableEvents>> {
  const { rows } = await sql<{ id: string } & UnreadableEvents>`
    select external_calendar_id as id, count(*)::integer as count,
      coalesce(
        jsonb_agg(jsonb_build_object('title', title, 'part', part) order by place)
          filter (where place <= ${LIMITS.unreadableTitles}),
        '[]'
      ) as first
    from (
      select event.external_calendar_id, event.title, event.part,
        row_number() over (
          partition by event.external_calendar_id order by event.part, event.title nulls last, event.event_id
        ) as place
      from calendar_connections as connection
      join external_calendars as external on external.connection_id = connection.id
      join unreadable_external_events as event on event.external_calendar_id = external.id
      where connection.user_id = ${ownerId} and connection.state <> 'revoked'
    ) as events
    group by external_calendar_id
  `.execute(db)
  return new Map(rows.map(({ id, count, first }) => [id, { count, first }]))
}
