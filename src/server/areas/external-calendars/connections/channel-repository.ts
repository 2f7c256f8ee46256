import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { CalendarChannel } from '#server/ports/external-calendar.ts'
import { isPastSql } from './connection-repository.ts'

/** An external calendar in use, and the state of its notification channel. */
export type ChannelCalendar = {
  readonly id: string
  readonly connectionId: string
  readonly provider: 'google' | 'microsoft' | 'caldav' | 'ics'
  readonly externalId: string
  /** True while a channel is open, even if it is past half of its lifetime. */
  readonly isWatched: boolean
  /** Number of consecutive failed attempts to open a channel. */
  readonly failedAttempts: number
}

/**
 * Lists the external calendars in use that need a new notification channel, because they have none or it is past half
 * of its lifetime. Calendars without a channel come first, then those of failing accounts, and last those whose channel
 * could not be opened before. Accounts whose provider requested a pause are left out. Source: rule G16.
 */
export async function listCalendarsNeedingChannel(
  db: Db,
  {
    providers,
    now,
    most,
  }: { readonly providers: readonly string[]; readonly now: Date; readonly most: number },
): Promise<ChannelCalendar[]> {
  const { rows } = await sql<ChannelCalendar>`
    select external.id, connection.id as "connectionId", connection.provider, external.external_id as "externalId",
      exists (
        select from sync_channels where external_calendar_id = external.id and stopped_at is null and expires_at > ${now}
      ) as "isWatched",
      external.channel_failed_attempts as "failedAttempts"
    from external_calendars as external
    join calendar_connections as connection on connection.id = external.connection_id
    where connection.state = 'active' and connection.provider = any (${providers}) and not external.is_gone
      and ${isPastSql('connection.paused_until', now)} and ${isPastSql('external.channel_retry_at', now)}
      and exists (select from used_external_calendars where external_calendar_id = external.id)
      and not exists (
        select from sync_channels where external_calendar_id = external.id and stopped_at is null
          and created_at + (expires_at - created_at) / 2 > ${now}
      )
    order by external.channel_retry_at nulls first, connection.failed_attempts > 0, "isWatched", external.id
    limit ${most}`.execute(db)
  return rows
}

/**
 * Schedules the next attempt to open a channel after a failure. If the account did not respond, all of its calendars
 * wait. If the provider requested a pause, the account is paused.
 */
export async function postponeChannel(
  trx: Trx,
  { id, connectionId, failedAttempts }: ChannelCalendar,
  {
    retryAt,
    isOfAccount,
    pausedUntil,
  }: { readonly retryAt: Date; readonly isOfAccount: boolean; readonly pausedUntil: Date | null },
): Promise<void> {
  // Lock the connection first, in the same order as every sync: the connection, then its calendars.
  if (pausedUntil !== null) {
    await trx
      .updateTable('calendar_connections')
      .set((row) => ({ paused_until: row.fn<Date>('greatest', ['paused_until', row.val(pausedUntil)]) }))
      .where('id', '=', connectionId)
      .execute()
  }
  await trx
    .updateTable('external_calendars')
    .set({ channel_failed_attempts: failedAttempts + 1, channel_retry_at: retryAt })
    .$if(isOfAccount, (query) => query.where('connection_id', '=', connectionId))
    .$if(!isOfAccount, (query) => query.where('id', '=', id))
    .execute()
}

/** Stores an opened channel and resets the count of failures. */
export async function insertChannel(
  trx: Trx,
  channel: CalendarChannel & {
    readonly externalCalendarId: string
    readonly secretHash: string
    readonly createdAt: Date
  },
): Promise<void> {
  await trx
    .insertInto('sync_channels')
    .values({
      id: channel.id,
      external_calendar_id: channel.externalCalendarId,
      resource_id: channel.resourceId,
      secret_hash: channel.secretHash,
      created_at: channel.createdAt,
      expires_at: new Date(channel.expiresAtMs),
      stopped_at: null,
    })
    .execute()
  await trx
    .updateTable('external_calendars')
    .set({ channel_failed_attempts: 0, channel_retry_at: null })
    .where('id', '=', channel.externalCalendarId)
    .where('channel_failed_attempts', '>', 0)
    .execute()
}

export type OpenChannel = {
  readonly id: string
  readonly resourceId: string | null
  readonly connectionId: string
}

/** Lists obsolete open channels: a newer channel is open, or their calendar is no longer in use. Source: rule G16. */
export async function listObsoleteChannels(
  db: Db,
  { now, most }: { now: Date; most: number },
): Promise<OpenChannel[]> {
  const { rows } = await sql<OpenChannel>`
    select channel.id, channel.resource_id as "resourceId", external.connection_id as "connectionId"
    from sync_channels as channel
    join external_calendars as external on external.id = channel.external_calendar_id
    where channel.stopped_at is null and channel.expires_at > ${now} and (
      external.is_gone
      or not exists (select from used_external_calendars where external_calendar_id = external.id)
      or exists (
        select from sync_channels as newer where newer.external_calendar_id = external.id
          and newer.stopped_at is null and (newer.created_at, newer.id) > (channel.created_at, channel.id)
      )
    )
    order by channel.created_at limit ${most}`.execute(db)
  return rows
}

export async function markChannelStopped(db: Db, id: string, stoppedAt: Date): Promise<void> {
  await db.updateTable('sync_channels').set({ stopped_at: stoppedAt }).where('id', '=', id).execute()
}

/** Lists the open channels of the given connections. */
export async function listOpenChannels(
  db: Db,
  connectionIds: readonly string[],
  now: Date,
): Promise<OpenChannel[]> {
  if (connectionIds.length === 0) return []
  return db
    .selectFrom('sync_channels')
    .innerJoin('external_calendars', 'external_calendars.id', 'sync_channels.external_calendar_id')
    .select([
      'sync_channels.id',
      'sync_channels.resource_id as resourceId',
      'external_calendars.connection_id as connectionId',
    ])
    .where('external_calendars.connection_id', 'in', connectionIds)
    .where('sync_channels.stopped_at', 'is', null)
    .where('sync_channels.expires_at', '>', now)
    .execute()
}

/** An open channel and its connection. */
export type ChannelWithSecret = {
  readonly id: string
  readonly connectionId: string
  readonly secretHash: string
}

/** Lists the open channels of a provider that have one of these ids. */
export function listChannelsWithSecret(
  db: Db,
  {
    ids,
    provider,
    now,
  }: { readonly ids: readonly string[]; readonly provider: 'google' | 'microsoft'; readonly now: Date },
): Promise<ChannelWithSecret[]> {
  return db
    .selectFrom('sync_channels')
    .innerJoin('external_calendars', 'external_calendars.id', 'sync_channels.external_calendar_id')
    .innerJoin('calendar_connections', 'calendar_connections.id', 'external_calendars.connection_id')
    .select([
      'sync_channels.id',
      'sync_channels.secret_hash as secretHash',
      'external_calendars.connection_id as connectionId',
    ])
    .where('sync_channels.id', '=', sql<string>`any (${ids})`)
    .where('sync_channels.stopped_at', 'is', null)
    .where('sync_channels.expires_at', '>', now)
    .where('calendar_connections.provider', '=', provider)
    .execute()
}

/**
 * Makes a healthy connection due for a sync at once. Returns false, without writing, if it was already due or is
 * failing.
 */
export async function scheduleSyncIfHealthy(db: Db, connectionId: string, at: Date): Promise<boolean> {
  const result = await db
    .updateTable('calendar_connections')
    .set({ next_sync_at: at })
    .where('id', '=', connectionId)
    .where('state', '=', 'active')
    // A failing connection waits for its next attempt, because the provider may have requested a pause.
    .where('failed_attempts', '=', 0)
    .where(isPastSql('paused_until', at))
    .where('next_sync_at', '>', at)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
