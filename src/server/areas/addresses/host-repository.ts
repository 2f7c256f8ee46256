import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { DomainStatus } from '#core/addresses/domain-status.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { CertificateState, Schema } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

export type HostRow = Selectable<Schema['calendar_hosts']>

/** States of a host that a calendar either uses or has claimed. */
const CLAIMED_STATES = ['pending', 'live', 'failing'] as const
/** States in which a host belongs to exactly one calendar. */
const OWNED_STATES = ['live', 'failing', 'retired'] as const

/** Locks the decision about who owns a domain. This must be the first lock of its transaction. */
export async function lockDomain(trx: Trx, host: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`domain ${host}`}, 0))`.execute(trx)
}

/** Finds the host that a calendar uses or has claimed. Null when it has only a path. */
export async function findCurrentHost(db: Db, calendarId: string): Promise<HostRow | null> {
  const row = await db
    .selectFrom('calendar_hosts')
    .selectAll()
    .where('calendar_id', '=', calendarId)
    .where('state', 'in', CLAIMED_STATES)
    .executeTakeFirst()
  return row ?? null
}

/** Finds a calendar's row for a host, in any state. */
export async function findHostOfCalendar(db: Db, calendarId: string, host: string): Promise<HostRow | null> {
  const row = await db
    .selectFrom('calendar_hosts')
    .selectAll()
    .where('calendar_id', '=', calendarId)
    .where('host', '=', host)
    .executeTakeFirst()
  return row ?? null
}

export async function lockHost(trx: Trx, id: string): Promise<HostRow | null> {
  return (
    (await trx
      .selectFrom('calendar_hosts')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()) ?? null
  )
}

export async function findHost(db: Db, id: string): Promise<HostRow | null> {
  return (await db.selectFrom('calendar_hosts').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** Lists the subdomains that a calendar has or had, the latest first. */
export async function listSubdomainsOf(db: Db, calendarId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('calendar_hosts')
    .select('host')
    .where('calendar_id', '=', calendarId)
    .where('kind', '=', 'subdomain')
    .orderBy('verified_at', 'desc')
    .execute()
  return rows.map(({ host }) => host)
}

/**
 * Assigns a subdomain to a calendar, or reactivates one that it had. Returns false when another calendar has or had it.
 * Source: rule I3.
 */
export async function tryClaimSubdomain(
  trx: Trx,
  {
    host,
    calendarId,
    certificate,
    at,
  }: {
    readonly host: string
    readonly calendarId: string
    /** The certificate state of a new subdomain. A reactivated one keeps its state. */
    readonly certificate: CertificateState
    readonly at: Date
  },
): Promise<boolean> {
  const regained = await trx
    .updateTable('calendar_hosts')
    .set({ state: 'live', verified_at: at })
    .where('host', '=', host)
    .where('calendar_id', '=', calendarId)
    .where('kind', '=', 'subdomain')
    .returning('id')
    .executeTakeFirst()
  if (regained !== undefined) return true
  const taken = await trx
    .insertInto('calendar_hosts')
    .values({
      ...newHost({ host, calendarId, at }),
      kind: 'subdomain',
      state: 'live',
      challenge: null,
      verified_at: at,
      certificate,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}

/**
 * Claims a domain for a calendar that currently has no other host.
 *
 * A domain that still redirects to this calendar is reactivated at once: its owner may have removed the TXT record, and
 * published links must keep working. A calendar that lost the domain gets a new challenge, because the old one may
 * still be in the DNS of the domain's current owner. Source: rules I6, I11 and I14.
 */
export async function claimDomain(
  trx: Trx,
  {
    host,
    calendarId,
    challenge,
    at,
  }: {
    readonly host: string
    readonly calendarId: string
    readonly challenge: string
    readonly at: Date
  },
): Promise<void> {
  const regained = await trx
    .updateTable('calendar_hosts')
    .set({ state: 'live' })
    .where('host', '=', host)
    .where('calendar_id', '=', calendarId)
    .where('state', '=', 'retired')
    .returning('id')
    .executeTakeFirst()
  if (regained !== undefined) return
  await trx
    .insertInto('calendar_hosts')
    .values({
      ...newHost({ host, calendarId, at }),
      kind: 'custom',
      state: 'pending',
      challenge,
      verified_at: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['calendar_id', 'host'])
        .doUpdateSet({ state: 'pending', challenge, failing_since: null }),
    )
    .execute()
}

function newHost({ host, calendarId, at }: { host: string; calendarId: string; at: Date }) {
  const nothingYet = { last_checked_at: null, failing_since: null }
  return { id: randomUUID(), host, calendar_id: calendarId, created_at: at, ...nothingYet }
}

/**
 * Retires the host of a calendar. A host that customers may still use redirects to the current address; a domain that
 * was never verified, or has pointed elsewhere for long, is deleted. Source: rules I7 and I14.
 */
export async function retireHost(trx: Trx, { id, kind, state }: HostRow): Promise<void> {
  if (kind === 'subdomain' || state === 'live') {
    await trx.updateTable('calendar_hosts').set({ state: 'retired' }).where('id', '=', id).execute()
    return
  }
  await deleteHost(trx, id)
}

export async function deleteHost(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('calendar_hosts').where('id', '=', id).execute()
}

/** Returns when the account was created. */
export async function findAccountCreationTime(db: Db, ownerId: OwnerId): Promise<Date> {
  const row = await db
    .selectFrom('profiles')
    .select('created_at')
    .where('id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return row.created_at
}

/** Age from which a subdomain may be in customers' links, even if nobody has booked. */
const LINKED_AFTER_MS = 7 * DAY_MS

/**
 * Releases the hosts of a calendar that is being deleted: others can then use its domains, and also its subdomain if it
 * is new and nobody ever booked. Other subdomains stay retired for good. Source: rule I3.
 */
export async function releaseHostsOfCalendar(trx: Trx, calendarId: string, now: Date): Promise<void> {
  await trx
    .deleteFrom('calendar_hosts')
    .where('calendar_id', '=', calendarId)
    .where((row) =>
      row.or([
        row('kind', '=', 'custom'),
        row.and([
          row('created_at', '>', new Date(now.getTime() - LINKED_AFTER_MS)),
          row.not(
            row.exists(
              row.selectFrom('appointments').select('id').where('appointments.calendar_id', '=', calendarId),
            ),
          ),
        ]),
      ]),
    )
    .execute()
  await trx
    .updateTable('calendar_hosts')
    .set({ state: 'retired' })
    .where('calendar_id', '=', calendarId)
    .execute()
}

/** Locks the rows of other calendars for the same domain. At most one of them owns it. */
export async function lockOtherHostsOfDomain(
  trx: Trx,
  { id, host }: Pick<HostRow, 'id' | 'host'>,
): Promise<HostRow[]> {
  return trx
    .selectFrom('calendar_hosts')
    .selectAll()
    .where('host', '=', host)
    .where('id', '<>', id)
    .forUpdate()
    .execute()
}

/** Takes a domain away from a calendar. A new claim gets a new challenge. Source: rule I11. */
export async function revokeDomain(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('calendar_hosts')
    .set({ state: 'released', failing_since: null })
    .where('id', '=', id)
    .execute()
}

/**
 * Stores new challenges for claims, a different one for each, so that a TXT record verifies a domain for only one
 * calendar. Source: rule I11.
 */
export async function storeChallenges(
  trx: Trx,
  claims: readonly { readonly id: string; readonly challenge: string }[],
): Promise<void> {
  if (claims.length === 0) return
  await sql`
    update calendar_hosts as host set challenge = given.challenge
    from unnest(${claims.map(({ id }) => id)}::uuid[], ${claims.map(({ challenge }) => challenge)}::text[])
      as given (id, challenge)
    where host.id = given.id
  `.execute(trx)
}

/** Activates a verified domain: it now serves its calendar. */
export async function activateHost(
  trx: Trx,
  id: string,
  { certificate, at }: { readonly certificate: CertificateState; readonly at: Date },
): Promise<void> {
  await trx
    .updateTable('calendar_hosts')
    .set({ state: 'live', verified_at: at, last_checked_at: at, failing_since: null, certificate })
    .where('id', '=', id)
    .execute()
}

export async function storeCheckTime(trx: Trx, id: string, at: Date): Promise<void> {
  await trx.updateTable('calendar_hosts').set({ last_checked_at: at }).where('id', '=', id).execute()
}

export async function writeDomainStatus(
  trx: Trx,
  id: string,
  { state, failingSinceMs }: DomainStatus,
  at: Date,
): Promise<void> {
  await trx
    .updateTable('calendar_hosts')
    .set({
      state,
      failing_since: failingSinceMs === null ? null : new Date(failingSinceMs),
      last_checked_at: at,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Lists domains in use that have not been checked since `checkedBefore`, the longest unchecked first. Source: rule I10.
 */
export async function listDomainsDueForCheck(db: Db, checkedBefore: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('calendar_hosts')
    .select('id')
    .where('kind', '=', 'custom')
    .where('state', 'in', OWNED_STATES)
    .where((row) => row.or([row('last_checked_at', 'is', null), row('last_checked_at', '<', checkedBefore)]))
    .orderBy('last_checked_at', (order) => order.asc().nullsFirst())
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** True when a domain has not been checked since `checkedBefore`. */
export async function isDomainDueForCheck(db: Db, id: string, checkedBefore: Date): Promise<boolean> {
  const host = await findHost(db, id)
  return host !== null && (host.last_checked_at === null || host.last_checked_at < checkedBefore)
}

/**
 * Stores the result of requesting a certificate. A host that already has a certificate keeps it, because the proxy
 * renews it.
 */
export async function writeCertificate(
  db: Db,
  {
    host,
    certificate,
    at,
  }: { readonly host: string; readonly certificate: CertificateState; readonly at: Date },
): Promise<void> {
  await db
    .updateTable('calendar_hosts')
    .set({ certificate, certificate_tried_at: at })
    .where('host', '=', host)
    .where('state', 'in', OWNED_STATES)
    .where('certificate', '<>', 'ready')
    .execute()
}

/**
 * Lists active hosts without a certificate for which none has been requested since `triedBefore`, the longest waiting
 * first. Source: rule I16.
 */
export async function listHostsWithoutCertificate(
  db: Db,
  triedBefore: Date,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('calendar_hosts')
    .select('host')
    .where('state', '=', 'live')
    .where('certificate', '<>', 'ready')
    .where((row) => row(row.fn.coalesce('certificate_tried_at', 'verified_at'), '<', triedBefore))
    .orderBy('certificate_tried_at', (order) => order.asc().nullsFirst())
    .limit(limit)
    .execute()
  return rows.map(({ host }) => host)
}
