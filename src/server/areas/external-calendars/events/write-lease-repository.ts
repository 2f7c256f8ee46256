import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'

/** A lease on writing events to an account: no other process writes to it until the lease ends. Source: rule G11. */
export type WriteLease = { readonly connectionId: string; readonly claim: string }

/**
 * How long a lease lasts after its last write began, in milliseconds. It is longer than one request to the slowest
 * server. If a process is killed, nothing is written to the account for this long.
 */
const LEASE_MS = 2 * MINUTE_MS

/**
 * Acquires the lease of an account. Returns null while another process has it, and queues the appointment to be written
 * next. Also returns null when the account was deleted.
 */
export async function acquireWriteLease(
  db: Db,
  {
    connectionId,
    key,
    now,
  }: { readonly connectionId: string; readonly key: AppointmentKey; readonly now: Date },
): Promise<WriteLease | null> {
  return inTransaction(db, async (trx) => {
    const lease = await claimWriteLease(trx, { connectionId, now, sweptAt: null })
    // The statement above has locked the existing lease, so its holder cannot end it before it can see this queue
    // entry.
    if (lease === null) await queueForLease(trx, connectionId, { key, now })
    return lease
  })
}

/** Like `acquireWriteLease`, for the sweep, which queues no appointment. */
export function acquireWriteLeaseForSweep(
  db: Db,
  connectionId: string,
  now: Date,
): Promise<WriteLease | null> {
  return claimWriteLease(db, { connectionId, now, sweptAt: now })
}

async function claimWriteLease(
  db: Db,
  { connectionId, now, sweptAt }: { connectionId: string; now: Date; sweptAt: Date | null },
): Promise<WriteLease | null> {
  const claim = randomUUID()
  const { rows } = await sql`
    insert into event_turns as turn (connection_id, claim, claimed_until, swept_at)
    select id, ${claim}, ${toEnd(now)}, ${sweptAt}::timestamptz from calendar_connections where id = ${connectionId}
    on conflict (connection_id) do update set claim = excluded.claim, claimed_until = excluded.claimed_until,
        swept_at = coalesce(excluded.swept_at, turn.swept_at)
      where turn.claim is null or turn.claimed_until <= ${now}
    returning claim`.execute(db)
  return rows.length === 0 ? null : { connectionId, claim }
}

async function queueForLease(
  trx: Trx,
  connectionId: string,
  { key, now }: { key: AppointmentKey; now: Date },
): Promise<void> {
  await sql`
    insert into awaited_event_turns (connection_id, calendar_id, appointment_id, turned_away_at)
    select connection_id, ${key.calendarId}, ${key.id}, ${now} from event_turns where connection_id = ${connectionId}
    on conflict do nothing`.execute(trx)
}

/**
 * Extends a lease for another write. Returns false when the lease is lost because this process took so long that it
 * counted as dead.
 */
export async function renewWriteLease(
  db: Db,
  { connectionId, claim }: WriteLease,
  now: Date,
): Promise<boolean> {
  const result = await db
    .updateTable('event_turns')
    .set({ claimed_until: toEnd(now) })
    .where('connection_id', '=', connectionId)
    .where('claim', '=', claim)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Takes the longest-waiting appointment out of the queue for an account. Returns null when the queue is empty. */
export async function dequeueNextAppointment(db: Db, connectionId: string): Promise<AppointmentKey | null> {
  const { rows } = await sql<{ calendar_id: string; appointment_id: string }>`
    delete from awaited_event_turns where connection_id = ${connectionId} and (calendar_id, appointment_id) = (
      select calendar_id, appointment_id from awaited_event_turns where connection_id = ${connectionId}
      order by turned_away_at, appointment_id limit 1
    )
    returning calendar_id, appointment_id`.execute(db)
  const [row] = rows
  return row === undefined ? null : { calendarId: row.calendar_id, id: row.appointment_id }
}

/**
 * Ends a lease and takes the longest-waiting appointment out of the queue. Returns null when the queue is empty, or
 * when the lease was lost.
 */
export async function releaseWriteLease(
  trx: Trx,
  { connectionId, claim }: WriteLease,
): Promise<AppointmentKey | null> {
  const result = await trx
    .updateTable('event_turns')
    .set({ claim: null, claimed_until: null })
    .where('connection_id', '=', connectionId)
    .where('claim', '=', claim)
    .executeTakeFirst()
  return result.numUpdatedRows === 0n ? null : dequeueNextAppointment(trx, connectionId)
}

function toEnd(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS)
}
