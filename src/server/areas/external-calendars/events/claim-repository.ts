import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { toEventPauseMs } from '#core/booking/event-write.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'

/** How long a write counts as alive, in milliseconds: longer than the few requests of one write take with their time limits. */
const CLAIM_MS = 5 * MINUTE_MS

/**
 * Claims the event of an appointment, so that nobody else writes it at the same time, in any process. No transaction is open while
 * the provider is asked. Null when somebody else writes it, when it failed by itself a short time ago, or when the appointment is gone.
 */
export async function claimEvent(
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

/** Whether nobody else has taken over a claim since. */
export async function isClaimHeld(db: Db, claim: string): Promise<boolean> {
  const row = await db
    .selectFrom('event_writes')
    .select('claim')
    .where('claim', '=', claim)
    .executeTakeFirst()
  return row !== undefined
}

/** Ends a claim after a write that worked, with what was known of earlier failures. */
export async function finishEventWrite(db: Db, claim: string): Promise<void> {
  await db.deleteFrom('event_writes').where('claim', '=', claim).execute()
}

/** Leaves an event alone for a while that failed by itself, longer each time. The claim is still held. */
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

/** An account works again: events of its owner that failed by themselves may be tried at once. */
export async function endEventPostponements(db: Db, connectionId: string): Promise<void> {
  await sql`
    update event_writes set paused_until = null
    from calendars join calendar_connections on calendar_connections.user_id = calendars.user_id
    where calendars.id = event_writes.calendar_id and calendar_connections.id = ${connectionId}`.execute(db)
}

/** Ends a claim, if it is still held. */
export async function releaseEventClaim(db: Db, claim: string): Promise<void> {
  await db
    .updateTable('event_writes')
    .set({ claim: null, claimed_until: null })
    .where('claim', '=', claim)
    .execute()
}
