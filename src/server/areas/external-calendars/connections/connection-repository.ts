import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { CalendarProviderName } from '#server/ports/external-calendar.ts'

export type ConnectionRow = Selectable<Schema['calendar_connections']>

/** SQL that is true when the time in a column has passed or is null. */
export function isPastSql(column: string, at: Date): RawBuilder<boolean> {
  const moment = sql.ref(column)
  return sql<boolean>`(${moment} is null or ${moment} <= ${at})`
}

export async function findConnection(db: Db, id: string): Promise<ConnectionRow | null> {
  const row = await db.selectFrom('calendar_connections').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Returns the verified email address of a connection's owner. Null when there is none. */
export async function findOwnerEmail(db: Db, connectionId: string): Promise<string | null> {
  const row = await db
    .selectFrom('calendar_connections as connection')
    .innerJoin('profiles as owner', 'owner.id', 'connection.user_id')
    .select('owner.email')
    .where('connection.id', '=', connectionId)
    .where('owner.email_verified', '=', true)
    .executeTakeFirst()
  return row?.email ?? null
}

/** Finds one of the owner's connections. Disconnected ones are left out. */
export async function findOwnConnection(db: Db, ownerId: OwnerId, id: string): Promise<ConnectionRow | null> {
  const row = await db
    .selectFrom('calendar_connections')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', ownerId)
    .where('state', '<>', 'revoked')
    .executeTakeFirst()
  return row ?? null
}

/** Lists the owner's connections, oldest first. Disconnected ones are left out. */
export async function listOwnConnections(db: Db, ownerId: OwnerId): Promise<ConnectionRow[]> {
  return db
    .selectFrom('calendar_connections')
    .selectAll()
    .where('user_id', '=', ownerId)
    .where('state', '<>', 'revoked')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function countOwnConnections(db: Db, ownerId: OwnerId): Promise<number> {
  const { count } = await db
    .selectFrom('calendar_connections')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('user_id', '=', ownerId)
    .where('state', '<>', 'revoked')
    .executeTakeFirstOrThrow()
  return count
}

/** Locks the owner's account, so that concurrent requests count connections one after the other. */
export async function lockOwner(trx: Trx, ownerId: OwnerId): Promise<boolean> {
  const owner = await trx
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', ownerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return owner !== undefined
}

/**
 * Locks all connections of an owner before their calendars are chosen, so that none is disconnected in between.
 * Transactions that also lock external calendars lock the connections first.
 */
export async function lockOwnConnections(trx: Trx, ownerId: OwnerId): Promise<void> {
  await trx
    .selectFrom('calendar_connections')
    .select('id')
    .where('user_id', '=', ownerId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

type AccountKey = {
  readonly ownerId: OwnerId
  readonly provider: CalendarProviderName
  readonly accountId: string
}

/**
 * Locks and returns the owner's connection to an account. It may be a disconnected one that has not been deleted yet.
 */
export async function lockConnectionToAccount(
  trx: Trx,
  { ownerId, provider, accountId }: AccountKey,
): Promise<ConnectionRow | null> {
  const row = await trx
    .selectFrom('calendar_connections')
    .selectAll()
    .where('user_id', '=', ownerId)
    .where('provider', '=', provider)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

export async function insertConnection(
  trx: Trx,
  connection: Insertable<Schema['calendar_connections']>,
): Promise<void> {
  await trx.insertInto('calendar_connections').values(connection).execute()
}

type Renewal = {
  readonly accountName: string
  readonly sealed: Buffer
  readonly grantedScopes: readonly string[]
  readonly renewedAt: Date
}

/** Stores new credentials and resets all failures of a connection. The caller has locked it. Source: rule G18. */
export async function storeRenewedCredentials(trx: Trx, id: string, renewal: Renewal): Promise<void> {
  await trx
    .updateTable('calendar_connections')
    .set((row) => ({
      account_name: renewal.accountName,
      credentials_encrypted: renewal.sealed,
      credentials_version: row('credentials_version', '+', 1),
      granted_scopes: [...renewal.grantedScopes],
      state: 'active',
      problem: null,
      failed_attempts: 0,
      failed_at: null,
      failing_since: null,
      trouble_told_at: null,
      paused_until: null,
      expiry_told_at: null,
      // End a running sync that uses the old credentials.
      sync_claim: null,
      claimed_until: null,
      reconnected_at: renewal.renewedAt,
      next_sync_at: renewal.renewedAt,
      updated_at: renewal.renewedAt,
    }))
    .where('id', '=', id)
    .execute()
}

/**
 * Stores renewed credentials, unless another process stored newer ones since `version` was read. Returns the new
 * version, or null when another process was first.
 */
export async function replaceCredentials(
  db: Db,
  credentials: { readonly id: string; readonly version: number; readonly sealed: Buffer; readonly at: Date },
): Promise<number | null> {
  const row = await db
    .updateTable('calendar_connections')
    .set((column) => ({
      credentials_encrypted: credentials.sealed,
      credentials_version: column('credentials_version', '+', 1),
      updated_at: credentials.at,
    }))
    .where('id', '=', credentials.id)
    .where('credentials_version', '=', credentials.version)
    .returning('credentials_version')
    .executeTakeFirst()
  return row?.credentials_version ?? null
}

/**
 * Records that the provider rejected the credentials of `version`. Returns false when they were renewed in the meantime
 * or the expiry was already recorded. Source: rule G17.
 */
export async function markConnectionExpired(
  trx: Trx,
  expiry: { readonly id: string; readonly version: number; readonly problem: string; readonly at: Date },
): Promise<boolean> {
  const result = await trx
    .updateTable('calendar_connections')
    .set((row) => ({
      state: 'expired',
      problem: expiry.problem,
      failed_attempts: row('failed_attempts', '+', 1),
      failed_at: expiry.at,
      expiry_told_at: expiry.at,
      updated_at: expiry.at,
    }))
    .where('id', '=', expiry.id)
    .where('credentials_version', '=', expiry.version)
    .where('state', '=', 'active')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export type AuthorizationRow = Selectable<Schema['calendar_authorizations']>

/** Stores the OAuth state of an owner who is being redirected to a provider. */
export async function insertAuthorization(
  db: Db,
  authorization: Insertable<Schema['calendar_authorizations']>,
): Promise<void> {
  await db.insertInto('calendar_authorizations').values(authorization).execute()
}

/**
 * Consumes an OAuth state, once, for the session that started it. Returns null when it does not exist or belongs to
 * another session. The caller has to check whether it has expired.
 */
export async function consumeAuthorization(
  db: Db,
  way: {
    readonly stateHash: string
    readonly sessionId: string
    readonly provider: 'google' | 'microsoft'
  },
): Promise<AuthorizationRow | null> {
  const taken = await db
    .deleteFrom('calendar_authorizations')
    .where('state_hash', '=', way.stateHash)
    .where('session_id', '=', way.sessionId)
    .where('provider', '=', way.provider)
    .returningAll()
    .executeTakeFirst()
  return taken ?? null
}
