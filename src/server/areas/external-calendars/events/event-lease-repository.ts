import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { toEventPauseMs } from '#core/external-calendars/event-write.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'

/**
 * How long the lease of a write lasts, in milliseconds: as long as the lease of its account, so that a killed process
 * delays its event no longer than the account's other events. A write of several requests to a slow server can take
 * longer. Another process may then write the event too, and the slow process writes it again at the end.
 */
const CLAIM_MS = 2 * MINUTE_MS

/**
 * Acquires the lease for writing the event of an appointment, so that no other process writes it at the same time. No
 * transaction is open while the provider is called. Returns null when another process has the lease, when writing this
 * event has recently failed, or when the appointment was deleted.
 */
export async function acquireEventLease(
  db: Db,
  { calendarId, id }: AppointmentKey,
  now: Date,
): Promise<string | null> {
  const claim = randomUUID()
  const until = new Date(now.getTime() + CLAIM_MS)
  const { rows } = await sql`
    insert into event_writes as writing (calendar_id, appointment_id, claim, claimed_until)
    select calendar_id, id, ${claim}, ${until} from appointments where calendar_id = ${calendarId} and id = ${id}
    on conflict (calendar_id, appointment_id) do update
      set claim = excluded.claim, claimed_until = excluded.claimed_until
      where (writing.claim is null or writing.claimed_until <= ${now})
        and (writing.paused_until is null or writing.paused_until <= ${now})
    returning claim`.execute(db)
  return rows.length === 0 ? null : claim
}

/** True as long as no other process has taken over the lease. */
export async function isEventLeaseHeld(db: Db, claim: string): Promise<boolean> {
  const row = await db
    .selectFrom('event_writes')
    .select('claim')
    .where('claim', '=', claim)
    .executeTakeFirst()
  return row !== undefined
}

/** Ends a lease after a successful write, and clears its failures. */
export async function finishEventWrite(db: Db, claim: string): Promise<void> {
  await db.deleteFrom('event_writes').where('claim', '=', claim).execute()
}

/** Postpones the next write of an event whose own write failed, longer each time. The caller still holds the lease. */
export async function postponeEvent(db: Db, claim: string, now: Date): Promise<void> {
  const row = await db
    .selectFrom('event_writes')
    .select('failed_attempts')
    .where('claim', '=', claim)
    .executeTakeFirst()
  if (row === undefined) return
  const failedAttempts = row.failed_attempts + 1
  const pausedUntil = new Date(now.getTime() + toEventPauseMs(failedAttempts))
  await db
    .updateTable('event_writes')
    .set({ paused_until: pausedUntil, failed_attempts: failedAttempts })
    .where('claim', '=', claim)
    .execute()
}

/** Allows postponed events of an owner to be retried at once, because their account works again. */
export async function endEventPostponements(db: Db, connectionId: string): Promise<void> {
  await sql`
    update event_writes set paused_until = null
    from calendars join calendar_connections on calendar_connections.user_id = calendars.user_id
    where calendars.id = event_writes.calendar_id and calendar_connections.id = ${connectionId}`.execute(db)
}

/** Releases a lease if it is still held. */
export async function releaseEventLease(db: Db, claim: string): Promise<void> {
  await db
    .updateTable('event_writes')
    .set({ claim: null, claimed_until: null })
    .where('claim', '=', claim)
    .execute()
}
