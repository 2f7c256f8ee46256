import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { LIMITS } from '#contract/shared/limits.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { ListedCalendar, ReaderZones } from '#server/ports/external-calendar.ts'
import { selectOwnerEmail, selectReaderZones } from './zone-repository.ts'

type ExternalCalendarRow = Selectable<Schema['external_calendars']>

export const NEVER_SYNCED_COLUMNS = {
  sync_cursor: null,
  synced_at: null,
  synced_until: null,
  followed_at: null,
  checked_at: null,
  checked_from: null,
  checked_until: null,
} as const

/**
 * Stores the list of calendars that a provider returned for an account. Calendars in use that are missing from the list
 * keep their busy times until their ids are in `goneIds`. Other missing calendars are marked as gone. Source: rule G8.
 */
export async function storeListedCalendars(
  trx: Trx,
  connectionId: string,
  {
    listed: all,
    listedAt,
    goneIds,
  }: {
    readonly listed: readonly ListedCalendar[]
    readonly listedAt: Date
    readonly goneIds: readonly string[]
  },
): Promise<void> {
  // Lock the connection first, in the same order as every sync: the connection, then its calendars.
  await trx
    .updateTable('calendar_connections')
    .set({ listed_at: listedAt })
    .where('id', '=', connectionId)
    .execute()
  const used = await listUsedExternalCalendars(trx, connectionId)
  const listed = cutList(all, new Set(used.map(({ external_id }) => external_id)))
  const names = listed.map(({ externalId }) => externalId)
  const missing = used.filter(({ id, external_id }) => !names.includes(external_id) && !goneIds.includes(id))
  const missingIds = missing.map(({ id }) => id)
  await trx
    .updateTable('external_calendars')
    .set((row) => ({ missing_since: row.fn.coalesce('missing_since', row.val(listedAt)) }))
    .where('id', '=', sql<string>`any (${missingIds}::uuid[])`)
    .execute()
  const gone = await trx
    .updateTable('external_calendars')
    .set((row) => ({ ...NEVER_SYNCED_COLUMNS, is_gone: true, generation: row('generation', '+', 1) }))
    .where('connection_id', '=', connectionId)
    .where('is_gone', '=', false)
    .where((row) => row.not(row('id', '=', sql<string>`any (${missingIds}::uuid[])`)))
    .where((row) => row.not(row('external_id', '=', sql<string>`any (${names})`)))
    .returning('id')
    .execute()
  await deleteCopies(trx, gone)
  if (listed.length > 0) {
    await trx
      .insertInto('external_calendars')
      .values(
        listed.map((calendar) => ({
          id: randomUUID(),
          connection_id: connectionId,
          external_id: calendar.externalId,
          name: calendar.name,
          color: calendar.color,
          time_zone: calendar.timeZone,
          is_primary: calendar.isPrimary,
          can_write: calendar.canWrite,
          sync_cursor: null,
          synced_at: null,
          synced_until: null,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['connection_id', 'external_id']).doUpdateSet((row) => ({
          name: row.ref('excluded.name'),
          color: row.ref('excluded.color'),
          time_zone: row.ref('excluded.time_zone'),
          is_primary: row.ref('excluded.is_primary'),
          can_write: row.ref('excluded.can_write'),
          is_gone: false,
          missing_since: null,
          // The position of all-day events depends on the zone, so a changed zone forces a full read.
          sync_cursor: sql<
            string | null
          >`case when external_calendars.time_zone is distinct from excluded.time_zone
            then null else external_calendars.sync_cursor end`,
        })),
      )
      .execute()
  }
}

/** Shortens a list to the maximum per account, but never drops calendars in use. */
function cutList(listed: readonly ListedCalendar[], used: ReadonlySet<string>): ListedCalendar[] {
  const isUsed = ({ externalId }: ListedCalendar) => used.has(externalId)
  return [...listed.filter(isUsed), ...listed.filter((calendar) => !isUsed(calendar))].slice(
    0,
    Math.max(LIMITS.calendarsPerConnection, used.size),
  )
}

/** An external calendar with the time zones of the Meridian calendars that use it. */
export type UsedExternalCalendar = ExternalCalendarRow & {
  readonly reader_zones: ReaderZones
  readonly owner_email: string | null
}

/** Lists the external calendars of a connection that are in use. Calendars that are gone are left out. */
export async function listUsedExternalCalendars(
  db: Db,
  connectionId: string,
): Promise<UsedExternalCalendar[]> {
  return db
    .selectFrom('external_calendars')
    .selectAll()
    .select(sql.raw<ReaderZones>(selectReaderZones('external_calendars.id')).as('reader_zones'))
    .select(sql.raw<string | null>(selectOwnerEmail('external_calendars.connection_id')).as('owner_email'))
    .where('connection_id', '=', connectionId)
    .where('is_gone', '=', false)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('used_external_calendars')
          .select('calendar_id')
          .whereRef('external_calendar_id', '=', 'external_calendars.id'),
      ),
    )
    .orderBy('is_primary', 'desc')
    .orderBy('id')
    .execute()
}

export type SelectableExternalCalendar = ExternalCalendarRow & {
  readonly reads_busy_times: boolean
  readonly writes_events: boolean
  /** The oldest other calendar of the same person that reads this external calendar; null when there is none. */
  readonly reader_id: string | null
  readonly reader_name: string | null
}

/**
 * Lists the calendars of all of an owner's accounts, with how `calendarId` uses them and whether another calendar of
 * its person reads them. An account's main calendar comes first. Calendars that are gone are listed only while they are
 * in use. Source: rule G31.
 */
export async function listSelectableExternalCalendars(
  db: Db,
  ownerId: OwnerId,
  calendarId: string,
): Promise<SelectableExternalCalendar[]> {
  return db
    .selectFrom('external_calendars')
    .innerJoin('calendar_connections', 'calendar_connections.id', 'external_calendars.connection_id')
    .leftJoin('used_external_calendars as used', (join) =>
      join
        .onRef('used.external_calendar_id', '=', 'external_calendars.id')
        .on('used.calendar_id', '=', calendarId),
    )
    .leftJoinLateral(
      (row) =>
        row
          .selectFrom('calendars as own')
          .innerJoin('calendars as reader', 'reader.host_id', 'own.host_id')
          .innerJoin('used_external_calendars as other', 'other.calendar_id', 'reader.id')
          .select(['reader.id as reader_id', 'reader.name as reader_name'])
          .where('own.id', '=', calendarId)
          .whereRef('reader.id', '<>', 'own.id')
          .whereRef('other.external_calendar_id', '=', 'external_calendars.id')
          .where('other.reads_busy_times', '=', true)
          .where('external_calendars.is_gone', '=', false)
          .orderBy('reader.created_at')
          .orderBy('reader.id')
          .limit(1)
          .as('read_by_other'),
      (join) => join.onTrue(),
    )
    .selectAll('external_calendars')
    .select(['read_by_other.reader_id', 'read_by_other.reader_name'])
    .select((row) => [
      row.fn.coalesce('used.reads_busy_times', row.val(false)).as('reads_busy_times'),
      row.fn.coalesce('used.writes_events', row.val(false)).as('writes_events'),
    ])
    .where('calendar_connections.user_id', '=', ownerId)
    .where('calendar_connections.state', '<>', 'revoked')
    .where((row) =>
      row.or([row('external_calendars.is_gone', '=', false), row('used.calendar_id', 'is not', null)]),
    )
    .orderBy('external_calendars.is_primary', 'desc')
    .orderBy('external_calendars.name')
    .orderBy('external_calendars.id')
    .execute()
}

export type ExternalCalendarUse = {
  readonly externalCalendarId: string
  readonly reads: boolean
  readonly writes: boolean
}

/** Replaces the external calendars that a calendar uses. The caller has locked the calendar. */
export async function replaceExternalCalendarUses(
  trx: Trx,
  calendarId: string,
  uses: readonly ExternalCalendarUse[],
): Promise<void> {
  await trx.deleteFrom('used_external_calendars').where('calendar_id', '=', calendarId).execute()
  if (uses.length === 0) return
  await trx
    .insertInto('used_external_calendars')
    .values(
      uses.map(({ externalCalendarId, reads, writes }) => ({
        calendar_id: calendarId,
        external_calendar_id: externalCalendarId,
        reads_busy_times: reads,
        writes_events: writes,
      })),
    )
    .execute()
}

/**
 * Makes connections due for a sync: at once, or when the pause requested by their provider ends. Returns those that are
 * due at once.
 */
export async function scheduleSyncs(db: Db, connectionIds: readonly string[], at: Date): Promise<string[]> {
  if (connectionIds.length === 0) return []
  const rows = await db
    .updateTable('calendar_connections')
    // SQL's `greatest` ignores null.
    .set((row) => ({ next_sync_at: row.fn<Date>('greatest', [row.val(at), 'paused_until']) }))
    .where('id', 'in', connectionIds)
    .where('state', '=', 'active')
    .returning(['id', 'next_sync_at'])
    .execute()
  return rows.filter(({ next_sync_at }) => next_sync_at <= at).map(({ id }) => id)
}

/**
 * Forces a full read of the external calendars that contain events of this calendar, as in a first sync. A sync of such
 * a calendar that is already running notices the changed generation, and stops.
 * @returns the connections of these external calendars
 */
export async function requestFullReadOfOwnEvents(trx: Trx, calendarId: string): Promise<string[]> {
  const rows = await trx
    .updateTable('external_calendars')
    .set((row) => ({ sync_cursor: null, followed_at: null, generation: row('generation', '+', 1) }))
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('used_external_calendars')
        .select('external_calendar_id')
        .where('calendar_id', '=', calendarId)
        .where('writes_events', '=', true)
        .union(
          selectFrom('appointment_events')
            .select('external_calendar_id')
            .where('calendar_id', '=', calendarId),
        ),
    )
    .returning('connection_id')
    .execute()
  return [...new Set(rows.map(({ connection_id }) => connection_id))]
}

/**
 * Deletes our copies of external calendars that no calendar uses. A sync of such a calendar that is already running
 * notices the changed generation, and stops.
 */
export async function deleteUnusedBusyTimeCopies(db: Db, ownerId: OwnerId | null = null): Promise<void> {
  const rows = await db
    .updateTable('external_calendars')
    .set((row) => ({ ...NEVER_SYNCED_COLUMNS, generation: row('generation', '+', 1) }))
    .where('id', 'in', (calendars) =>
      calendars
        .selectFrom('external_calendars as unused')
        .select('unused.id')
        .where((row) =>
          row.or([row('unused.synced_at', 'is not', null), row('unused.sync_cursor', 'is not', null)]),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('used_external_calendars')
                .select('calendar_id')
                .whereRef('external_calendar_id', '=', 'unused.id'),
            ),
          ),
        )
        .$if(ownerId !== null, (query) =>
          query.where('unused.connection_id', 'in', (row) =>
            row
              .selectFrom('calendar_connections')
              .select('id')
              .where('user_id', '=', ownerId ?? ''),
          ),
        )
        .orderBy('unused.id')
        .forUpdate()
        // Skip calendars that another transaction has locked; a later run handles them.
        .skipLocked(),
    )
    .returning('id')
    .execute()
  await deleteCopies(db, rows)
}

/**
 * Deletes our copy of an external calendar. The calendar counts as unchecked until a sync has read it again. Source:
 * rule G8.
 */
export async function deleteBusyTimeCopy(trx: Trx, externalCalendarId: string): Promise<void> {
  await trx
    .updateTable('external_calendars')
    .set((row) => ({ ...NEVER_SYNCED_COLUMNS, generation: row('generation', '+', 1) }))
    .where('id', '=', externalCalendarId)
    .execute()
  await deleteCopies(trx, [{ id: externalCalendarId }])
}

async function deleteCopies(db: Db, calendars: readonly { readonly id: string }[]): Promise<void> {
  if (calendars.length === 0) return
  const ids = calendars.map(({ id }) => id)
  await db.deleteFrom('external_busy_times').where('external_calendar_id', 'in', ids).execute()
  await db.deleteFrom('unreadable_external_events').where('external_calendar_id', 'in', ids).execute()
}
