import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { DomainStatus } from '#core/publishing/domain-standing.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { CertificateState, Schema } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

export type HostRow = Selectable<Schema['calendar_hosts']>

/** The states of the host that a calendar has, or has claimed. */
const CURRENT = ['pending', 'live', 'failing'] as const
/** The states in which a host belongs to its calendar alone. */
const SERVED = ['live', 'failing', 'retired'] as const

/** Waits until nobody else decides to whom a domain belongs. It is the first lock of its transaction. */
export async function lockDomain(trx: Trx, host: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`domain ${host}`}, 0))`.execute(trx)
}

/** The host that a calendar has, or has claimed; null when it has only a path. */
export async function findCurrentHost(db: Db, calendarId: string): Promise<HostRow | null> {
  const row = await db
    .selectFrom('calendar_hosts')
    .selectAll()
    .where('calendar_id', '=', calendarId)
    .where('state', 'in', CURRENT)
    .executeTakeFirst()
  return row ?? null
}

/** What a calendar knows of a host, in whatever state. */
export async function findHostOf(db: Db, calendarId: string, host: string): Promise<HostRow | null> {
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

/** The subdomains that a calendar has or had, the last one first. */
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
 * Gives a calendar a subdomain, or gives it back one that it had. False when another calendar has or had it. Source: rule I3.
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
    /** Of a new one. One that the calendar had keeps its own. */
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
 * Claims a domain for a calendar that has no other host now.
 *
 * A domain that still redirects to this calendar becomes its address again at once. Its owner may have removed the text for the proof, and
 * published links must keep working. A calendar that has lost the domain gets a new text, because the old one may still be in the DNS of
 * the domain's present owner. Source: rules I6, I11 and I14.
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
 * Gives up the host of a calendar. One at which customers may still come leads to the present address from now on; a domain that was
 * never proven, or that has long pointed elsewhere, is forgotten. Source: rules I7 and I14.
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

/** When an owner opened their account. */
export async function findAccountStart(db: Db, ownerId: OwnerId): Promise<Date> {
  const row = await db
    .selectFrom('profiles')
    .select('created_at')
    .where('id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return row.created_at
}

/** A subdomain that its calendar had for longer than this may be in links of customers, booked or not. */
const KNOWN_AFTER_MS = 7 * DAY_MS

/**
 * Before a calendar is deleted: its domains are free for others, and so is a new subdomain of a calendar that nobody ever booked. Its
 * other subdomains stay retired for good. Source: rule I3.
 */
export async function releaseHostsOfCalendar(trx: Trx, calendarId: string, now: Date): Promise<void> {
  await trx
    .deleteFrom('calendar_hosts')
    .where('calendar_id', '=', calendarId)
    .where((row) =>
      row.or([
        row('kind', '=', 'custom'),
        row.and([
          row('created_at', '>', new Date(now.getTime() - KNOWN_AFTER_MS)),
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

/** What other calendars have or know of a domain. It belongs to one of them at most. They are locked. */
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

/** Takes a domain from a calendar. A new claim gets a new text for the proof. Source: rule I11. */
export async function revokeDomain(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('calendar_hosts')
    .set({ state: 'released', failing_since: null })
    .where('id', '=', id)
    .execute()
}

/** Gives claims other texts for their proofs: one for each, so that a text proves a domain for one calendar alone. Source: rule I11. */
export async function writeChallenges(
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

/** A domain that was proven leads to its calendar from now on. */
export async function makeLive(
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

export async function writeCheckTime(trx: Trx, id: string, at: Date): Promise<void> {
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

/** The domains in use that were not checked since, those that wait longest first. Source: rule I10. */
export async function listDueDomains(db: Db, checkedBefore: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('calendar_hosts')
    .select('id')
    .where('kind', '=', 'custom')
    .where('state', 'in', SERVED)
    .where((row) => row.or([row('last_checked_at', 'is', null), row('last_checked_at', '<', checkedBefore)]))
    .orderBy('last_checked_at', (order) => order.asc().nullsFirst())
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether a domain in use was not checked since. */
export async function isDueDomain(db: Db, id: string, checkedBefore: Date): Promise<boolean> {
  const host = await findHost(db, id)
  return host !== null && (host.last_checked_at === null || host.last_checked_at < checkedBefore)
}

/** Writes what a try to get the certificate of a host has shown. One that was there stays there: the proxy renews it. */
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
    .where('state', 'in', SERVED)
    .where('certificate', '<>', 'ready')
    .execute()
}

/** The addresses without a certificate that was asked for since, those that wait longest first. Source: rule I16. */
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
