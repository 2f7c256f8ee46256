import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { runPreparedQuery } from '#server/platform/db/prepared-statement.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { type ConnectionRow, isPastSql } from './connection-repository.ts'

/** A lease on syncing a connection: no other process syncs it until the lease ends. Source: rule G15. */
export type SyncLease = { readonly connectionId: string; readonly token: string }

type Times = { readonly at: Date; readonly until: Date }

/**
 * Acquires the lease for syncing an active connection. The connection becomes due again when the lease expires, so that
 * another process takes over from one that was killed. Returns null when another process has the lease, when the
 * connection is not active, when its provider requested a pause, or when a sync ended after `queuedAt` and none is due.
 * Also returns null while another connection of the same owner is being synced, and makes this one due: otherwise one
 * owner's slow servers could occupy all workers. Source: rule G15.
 */
export async function acquireSyncLease(
  db: Db,
  { connectionId, token }: SyncLease,
  { at, until, queuedAt }: Times & { readonly queuedAt: Date | null },
): Promise<ConnectionRow | null> {
  return inTransaction(db, async (trx) => {
    const ofOwner = await lockOtherConnections(trx, connectionId)
    const givesWay = ofOwner.some(
      ({ id, claimed_until }) => id !== connectionId && claimed_until !== null && claimed_until > at,
    )
    const values = givesWay
      ? { next_sync_at: at }
      : { sync_claim: token, claimed_until: until, next_sync_at: until }
    const taken = await updateUnclaimed(trx, connectionId, { at, queuedAt, values })
    return givesWay ? null : taken
  })
}

/** Locks a connection and the owner's other connections, in the standard order. */
async function lockOtherConnections(
  trx: Trx,
  connectionId: string,
): Promise<{ id: string; claimed_until: Date | null }[]> {
  return trx
    .selectFrom('calendar_connections')
    .select(['id', 'claimed_until'])
    .where('user_id', '=', ({ selectFrom }) =>
      selectFrom('calendar_connections as one').select('one.user_id').where('one.id', '=', connectionId),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

async function updateUnclaimed(
  trx: Trx,
  connectionId: string,
  {
    at,
    queuedAt,
    values,
  }: {
    readonly at: Date
    readonly queuedAt: Date | null
    readonly values: {
      readonly next_sync_at: Date
      readonly sync_claim?: string
      readonly claimed_until?: Date
    }
  },
): Promise<ConnectionRow | null> {
  const taken = await trx
    .updateTable('calendar_connections')
    .set(values)
    .where('id', '=', connectionId)
    .where('state', '=', 'active')
    .where(isPastSql('paused_until', at))
    .where(isPastSql('claimed_until', at))
    .$if(queuedAt !== null, (query) =>
      query.where((row) =>
        row.or([
          row('next_sync_at', '<=', at),
          row(sql`greatest(last_success_at, failed_at, '-infinity'::timestamptz)`, '<', queuedAt),
        ]),
      ),
    )
    .returningAll()
    .executeTakeFirst()
  return taken ?? null
}

/**
 * Extends the lease, and locks the connection until the transaction ends, so that a process that lost the lease cannot
 * write. Returns false when the lease is lost.
 */
export async function renewSyncLease(
  db: Db,
  { connectionId, token }: SyncLease,
  { at, until }: Times,
): Promise<boolean> {
  const rows = await runPreparedQuery(
    db,
    db
      .updateTable('calendar_connections')
      .set({
        claimed_until: until,
        // A notification during the sync makes the connection due at once; keep that time.
        next_sync_at: sql<Date>`case when next_sync_at <= ${at} then next_sync_at else ${until}::timestamptz end`,
      })
      .where('id', '=', connectionId)
      .where('sync_claim', '=', token)
      .returning('id')
      .compile(),
  )
  return rows.length > 0
}

/** The result of a sync. `problem` is shown to the owner; null on success. */
type SyncOutcome = {
  readonly at: Date
  readonly nextAt: Date
  readonly problem: string | null
  /** When the pause that the provider requested ends; null when it requested none. */
  readonly pausedUntil: Date | null
  /** True when the next sync should use the workers for slow syncs. */
  readonly isSlow: boolean
}

/**
 * Ends a lease with the result of the sync. If the provider reported a change during the sync, another sync is due at
 * once, except after a failure.
 */
export async function endSyncLease(
  trx: Trx,
  { connectionId, token }: SyncLease,
  ending: SyncOutcome,
): Promise<void> {
  const { at, nextAt, problem, pausedUntil, isSlow } = ending
  const isHurried = sql<Date>`case when next_sync_at <= ${at} then next_sync_at else ${nextAt}::timestamptz end`
  await trx
    .updateTable('calendar_connections')
    .set((row) => ({
      sync_claim: null,
      claimed_until: null,
      problem,
      paused_until: pausedUntil,
      is_slow: isSlow,
      ...(problem === null
        ? {
            failed_attempts: 0,
            failed_at: null,
            failing_since: null,
            trouble_told_at: null,
            last_success_at: at,
            next_sync_at: isHurried,
          }
        : {
            failed_attempts: row('failed_attempts', '+', 1),
            failed_at: at,
            failing_since: row.fn.coalesce('failing_since', row.val(at)),
            next_sync_at: nextAt,
          }),
      updated_at: at,
    }))
    .where('id', '=', connectionId)
    .where('sync_claim', '=', token)
    .where('state', '=', 'active')
    .execute()
}

/**
 * Finds, among an owner's connections that are due, the one whose last sync ended longest ago. Null when none is due.
 */
export async function findLongestOverdueConnection(
  trx: Trx,
  ownerId: string,
  at: Date,
): Promise<string | null> {
  const row = await trx
    .selectFrom('calendar_connections')
    .select('id')
    .where('user_id', '=', ownerId)
    .where('state', '=', 'active')
    .where('next_sync_at', '<=', at)
    .where(isPastSql('paused_until', at))
    .where(isPastSql('claimed_until', at))
    .orderBy(sql`greatest(last_success_at, failed_at, '-infinity'::timestamptz)`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Releases a lease without a result, because the connection expired or was renewed during the sync. */
export async function releaseSyncLease(db: Db, claim: SyncLease): Promise<void> {
  await releaseClaim(db, claim, {})
}

/** Releases a lease and hands the connection to the workers for slow syncs. Source: rule G15. */
export async function deferToSlowSync(db: Db, claim: SyncLease): Promise<void> {
  await releaseClaim(db, claim, { is_slow: true })
}

async function releaseClaim(
  db: Db,
  { connectionId, token }: SyncLease,
  values: { readonly is_slow?: boolean },
): Promise<void> {
  await db
    .updateTable('calendar_connections')
    .set({ sync_claim: null, claimed_until: null, ...values })
    .where('id', '=', connectionId)
    .where('sync_claim', '=', token)
    .execute()
}

/**
 * Requests a full sync including the list of calendars: at once, or when the pause requested by the provider ends.
 * Returns the connections that are due at once.
 */
export async function requestFullSync(
  trx: Trx,
  connectionIds: readonly string[],
  at: Date,
): Promise<string[]> {
  const rows = await trx
    .updateTable('calendar_connections')
    // SQL's `greatest` ignores null.
    .set((row) => ({
      next_sync_at: row.fn<Date>('greatest', [row.val(at), 'paused_until']),
      listed_at: null,
    }))
    .where('id', 'in', connectionIds)
    .where('state', '=', 'active')
    .returning(['id', 'next_sync_at'])
    .execute()
  return rows.filter(({ next_sync_at }) => next_sync_at <= at).map(({ id }) => id)
}

/** Claims the connections whose sync is due. They become due again at `againAt` in case no worker gets to them. */
export async function acquireDueSyncLeases(
  trx: Trx,
  { at, againAt, most }: { readonly at: Date; readonly againAt: Date; readonly most: number },
): Promise<string[]> {
  const rows = await trx
    .updateTable('calendar_connections')
    .set({ next_sync_at: againAt })
    .where('id', 'in', (connections) =>
      connections
        .selectFrom('calendar_connections as due')
        .select('due.id')
        .where('due.state', '=', 'active')
        .where('due.next_sync_at', '<=', at)
        .where(isPastSql('due.paused_until', at))
        // Sync only one account per owner at a time; the next account follows when the sync ends.
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('calendar_connections as synced')
                .select('synced.id')
                .whereRef('synced.user_id', '=', 'due.user_id')
                .where('synced.claimed_until', '>', at),
            ),
          ),
        )
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('external_calendars')
              .innerJoin(
                'used_external_calendars',
                'used_external_calendars.external_calendar_id',
                'external_calendars.id',
              )
              .select('external_calendars.id')
              .whereRef('external_calendars.connection_id', '=', 'due.id'),
          ),
        )
        .orderBy('due.next_sync_at')
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
