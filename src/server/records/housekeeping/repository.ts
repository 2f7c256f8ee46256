import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { RETENTION_DAYS, RETENTION_HOURS } from '#contract/shared/retention.ts'
import { DAY_MS, HOUR_MS } from '#core/shared/duration.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { deleteCustomersWithoutAppointments } from '#server/records/appointments/customer-record-repository.ts'

/** The longest window of a rate limit counted in `request_counts`: that of full exports. */
const LONGEST_WINDOW_MS = HOUR_MS

/** Number of rows deleted per statement, so that no statement exceeds the time limit. */
const BATCH = 5_000

/**
 * Deletes expired records: idempotency keys after a day; expired holds, their customers, refused bookings, and payment
 * provider events after 30 days (billing events after 60); changes of settings after 400 days; the network and email address of a hold after an hour; the choices of email
 * recipients after a year; group sessions without appointments; waiting-list requests 30 days after their end, or after two days if unconfirmed; past events
 * of external calendars after 30 days; expired sessions, links, notification channels and OAuth states; request counts
 * older than an hour, and rate limit windows that have ended. Source: rule D6.
 */
export async function deleteExpiredRecords(db: Db, nowMs: number): Promise<void> {
  const endOf = (kept: keyof typeof RETENTION_DAYS) => new Date(nowMs - RETENTION_DAYS[kept] * DAY_MS)
  await removeAll(db, 'idempotency_keys', sql`created_at < ${endOf('idempotencyKey')}`)
  await removeEndedHolds(db, endOf('endedHold'))
  await removeAll(db, 'group_sessions', IS_ABANDONED)
  await removeAll(db, 'refusals', sql`at < ${endOf('refusal')}`)
  await removeAll(db, 'setting_history', sql`at < ${endOf('settingChange')}`)
  await removeAll(db, 'registrations', sql`created_at < ${endOf('registration')}`)
  await removeAll(db, 'invitations', sql`expires_at < ${new Date(nowMs)}`)
  await removeAll(db, 'email_recipients', sql`since < ${endOf('emailRecipient')}`)
  await removeAll(db, 'payment_events', sql`received_at < ${endOf('paymentEvent')}`)
  await removeAll(db, 'billing_events', sql`received_at < ${endOf('billingEvent')}`)
  await removeAll(db, 'payment_connections', sql`expires_at < ${new Date(nowMs)}`)
  await removeAll(db, 'calendar_authorizations', sql`expires_at < ${new Date(nowMs)}`)
  await removeAll(db, 'sync_channels', sql`expires_at < ${new Date(nowMs)}`)
  await removeAll(db, 'external_busy_times', sql`ends_at < ${endOf('externalEvent')}`)
  await removeAll(db, 'external_changes', sql`not exists (${upcomingOf('external_changes', nowMs)})`)
  await removeAll(
    db,
    'waiting_entries',
    sql`ended_at < ${endOf('waitingRequest')} or valid_until < ${endOf('waitingRequest')}
      or state = 'unconfirmed' and created_at < ${endOf('unconfirmedRequest')}`,
  )
  await removeAll(db, 'waiting_free_times', sql`starts_at < ${new Date(nowMs)}`)
  await removeAll(db, 'request_counts', sql`window_start_ms < ${nowMs - LONGEST_WINDOW_MS}`)
  await removeHolders(db, new Date(nowMs - RETENTION_HOURS.holder * HOUR_MS))
  await removeAll(db, 'budget_uses', sql`ends_at < ${new Date(nowMs)}`)
  // Use the database's clock here, because the account library sets these expiries by the system clock and not by ours.
  await removeAll(db, 'sessions', sql`expires_at < now()`)
  await removeAll(db, 'verifications', sql`expires_at < now()`)
}

/**
 * True when a session has no appointments: the last one was moved away or deleted. A cancelled appointment keeps its session, so
 * that it can be restored (rule B56). Nobody joins a session without taken seats, so no booking waits for the deletion.
 */
const IS_ABANDONED = sql`seats_taken = 0 and not exists (
  select from appointments
  where appointments.calendar_id = group_sessions.calendar_id and session_id = group_sessions.id
)`

/** SQL for the appointment of a row, as long as somebody can still decide about the row. */
function upcomingOf(table: 'external_changes', nowMs: number) {
  const changes = sql.table(table)
  return sql`select from appointments
    where appointments.calendar_id = ${changes}.calendar_id and appointments.id = ${changes}.appointment_id
      and appointments.status <> 'cancelled' and appointments.starts_at > ${new Date(nowMs)}`
}

/**
 * Deletes the data about who made a hold, once the hold no longer occupies time and no longer counts towards limits.
 * Source: rule H2.
 */
async function removeHolders(db: Db, before: Date): Promise<void> {
  const counts = sql`select from appointments
    where appointments.calendar_id = holds.calendar_id and id = holds.appointment_id
      and status = 'pending_payment' and hold_expires_at is not null
      and (released_at is null or released_at >= ${before})`
  await removeAll(db, 'holds', sql`not exists (${counts})`)
}

/** Processes one calendar per transaction, so that a booking is never blocked by more than one calendar's cleanup. */
async function removeEndedHolds(db: Db, before: Date): Promise<void> {
  const firstOutdated = db
    .selectFrom('appointments')
    .select('calendar_id')
    .where('released_at', '<', before)
    .limit(1)
  for (;;) {
    const outdated = await firstOutdated.executeTakeFirst()
    if (outdated === undefined) return
    await inTransaction(db, (trx) => removeHoldsOf(trx, outdated.calendar_id, before))
  }
}

/** Deletes expired holds and the customers who have no other appointment. Source: rule D8. */
async function removeHoldsOf(trx: Trx, calendarId: string, before: Date): Promise<void> {
  // Lock the calendar: this keeps bookings out until the commit, so none can refer to a customer who is being deleted.
  await trx
    .selectFrom('calendars')
    .select('id')
    .where('id', '=', calendarId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const removed = await trx
    .deleteFrom('appointments')
    .where('calendar_id', '=', calendarId)
    .where('released_at', '<', before)
    .returning('customer_id')
    .execute()
  if (removed.length === 0) return
  await deleteCustomersWithoutAppointments(
    trx,
    calendarId,
    removed.map(({ customer_id }) => customer_id),
  )
}

async function removeAll(db: Db, table: string, outdated: RawBuilder<unknown>): Promise<void> {
  const name = sql.table(table)
  for (let removed = BATCH; removed === BATCH; ) {
    const rows = sql`select ctid from ${name} where ${outdated} limit ${sql.lit(BATCH)}`
    const result = await sql`delete from ${name} where ctid = any (array (${rows}))`.execute(db)
    removed = Number(result.numAffectedRows ?? 0)
  }
}

/**
 * Vacuums the embedded database with the same thresholds as a server's autovacuum. Without it, space is never reused,
 * the planner has no table sizes, and no query can use index-only scans. Tables are vacuumed one at a time, so that
 * requests get their turn in between; 1 s for 200,000 appointments.
 *
 * Source: PostgreSQL manual, "The Autovacuum Daemon".
 */
export async function vacuumEmbeddedDatabase(db: Db): Promise<void> {
  const { rows } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, stats.relname as name
    from pg_stat_user_tables as stats join pg_class on pg_class.oid = stats.relid
    where version() like '%PGlite%' and (
      last_vacuum is null
      or n_dead_tup > 50 + 0.2 * reltuples
      or n_ins_since_vacuum > 1000 + 0.2 * reltuples
      or n_mod_since_analyze > 50 + 0.1 * reltuples
    )`.execute(db)
  for (const { schema, name } of rows) {
    await sql`vacuum (analyze) ${sql.table(`${schema}.${name}`)}`.execute(db)
    await setImmediate()
  }
}
