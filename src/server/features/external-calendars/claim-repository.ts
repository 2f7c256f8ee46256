import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { listRowsPrepared } from '#server/platform/db/prepared-statement.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { ConnectionRow } from './connection-repository.ts'

/** The right to sync a connection: nobody else does until it ends. Source: rule G15. */
export type Claim = { readonly connectionId: string; readonly token: string }

type Times = { readonly at: Date; readonly until: Date }

/**
 * Takes the right to sync an active connection. It becomes due again when the claim ends, so that another process goes on after
 * one that was killed. Null when somebody has the right, when the connection is not active, or when a sync ended since
 * `queuedAt` and none is due.
 */
export async function takeClaim(
  db: Db,
  { connectionId, token }: Claim,
  { at, until, queuedAt }: Times & { readonly queuedAt: Date | null },
): Promise<ConnectionRow | null> {
  const taken = await db
    .updateTable('calendar_connections')
    .set({ sync_claim: token, claimed_until: until, next_sync_at: until })
    .where('id', '=', connectionId)
    .where('state', '=', 'active')
    .where((row) => row.or([row('claimed_until', 'is', null), row('claimed_until', '<=', at)]))
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
 * Prolongs a claim, and holds the connection until the transaction ends: whoever has lost the claim writes nothing. False when
 * it is lost.
 */
export async function renewClaim(
  db: Db,
  { connectionId, token }: Claim,
  { at, until }: Times,
): Promise<boolean> {
  const rows = await listRowsPrepared(
    db,
    db
      .updateTable('calendar_connections')
      .set({
        claimed_until: until,
        // A notification during the sync makes it due at once, and stays.
        next_sync_at: sql<Date>`case when next_sync_at <= ${at} then next_sync_at else ${until}::timestamptz end`,
      })
      .where('id', '=', connectionId)
      .where('sync_claim', '=', token)
      .returning('id')
      .compile(),
  )
  return rows.length > 0
}

/** How a sync ended. `problem`: what its owner reads; null when all went well. */
export type Ending = {
  readonly at: Date
  readonly nextAt: Date
  readonly problem: string | null
  /** Until when the provider wants to be left alone; null when it asked for nothing. */
  readonly pausedUntil: Date | null
}

/**
 * Ends a claim with the result of the sync. True when another sync is due at once, because something changed meanwhile. After a
 * failure it waits all the same.
 */
export async function endClaim(trx: Trx, { connectionId, token }: Claim, ending: Ending): Promise<boolean> {
  const { at, nextAt, problem, pausedUntil } = ending
  const isHurried = sql<Date>`case when next_sync_at <= ${at} then next_sync_at else ${nextAt}::timestamptz end`
  const ended = await trx
    .updateTable('calendar_connections')
    .set((row) => ({
      sync_claim: null,
      claimed_until: null,
      problem,
      paused_until: pausedUntil,
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
    .returning('next_sync_at')
    .executeTakeFirst()
  return ended !== undefined && ended.next_sync_at.getTime() <= at.getTime()
}

/** Gives a claim back without a result: the connection has expired, or was renewed meanwhile. */
export async function dropClaim(db: Db, { connectionId, token }: Claim): Promise<void> {
  await db
    .updateTable('calendar_connections')
    .set({ sync_claim: null, claimed_until: null })
    .where('id', '=', connectionId)
    .where('sync_claim', '=', token)
    .execute()
}

/** Has connections synced at once, with the list of their calendars. Returns those that are active. */
export async function askForWholeSync(
  trx: Trx,
  connectionIds: readonly string[],
  at: Date,
): Promise<string[]> {
  const rows = await trx
    .updateTable('calendar_connections')
    .set({ next_sync_at: at, listed_at: null })
    .where('id', 'in', connectionIds)
    .where('state', '=', 'active')
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Takes the connections whose sync is due. They become due again at `againAt`, should nobody get round to it.
 */
export async function takeDueConnections(
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
        .where((row) => row.or([row('due.claimed_until', 'is', null), row('due.claimed_until', '<=', at)]))
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
