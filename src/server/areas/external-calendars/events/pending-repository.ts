import { type RawBuilder, sql } from 'kysely'
import { toAccountPauseMs } from '#core/external-calendars/event-write.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'

type Waiting = {
  readonly now: Date
  /** The ids of appointments to leave out. */
  readonly except: readonly string[]
}

/**
 * SQL for the appointments whose event is out of date, joined with the state of their account.
 *
 * These are left out:
 * - the account is expired or paused;
 * - the external calendar that they would be written to is gone;
 * - their calendar currently does not write events;
 * - writing this event failed recently;
 * - a change to the event waits for the owner's decision.
 *
 * An event in an external calendar that is gone counts as not written.
 */
function selectWaiting({ now, except }: Waiting): RawBuilder<unknown> {
  return sql`from appointments
    left join external_calendar_settings as settings on settings.calendar_id = appointments.calendar_id
    left join appointment_events as written
      on written.calendar_id = appointments.calendar_id and written.appointment_id = appointments.id
    left join external_calendars as place on place.id = written.external_calendar_id and not place.is_gone
    left join used_external_calendars as used on used.calendar_id = appointments.calendar_id and used.writes_events
    left join external_calendars as external on external.id = coalesce(place.id, used.external_calendar_id)
    left join calendar_connections as connection on connection.id = external.connection_id
    left join event_turns as turn on turn.connection_id = connection.id
    left join event_pauses as pause on pause.connection_id = connection.id
    left join event_writes as writing
      on writing.calendar_id = appointments.calendar_id and writing.appointment_id = appointments.id
    where needs_google_sync
      and settings.auto_sync is not false
      and (connection.id is null or connection.state = 'active')
      and (external.is_gone is not true or appointments.status = 'cancelled')
      and (pause.until is null or pause.until <= ${now})
      and (writing.paused_until is null or writing.paused_until <= ${now})
      and appointments.id <> all (${except}::uuid[])
      and (appointments.status = 'cancelled' or not exists (
        select from external_changes as undecided
        where undecided.calendar_id = appointments.calendar_id and undecided.appointment_id = appointments.id
      ))`
}

/**
 * Finds, among the accounts with pending events, the one that the sweep visited longest ago. Accounts that another
 * process is writing to are left out. Null when there is none. A null id stands for appointments without an account.
 */
export async function findAccountWithPendingEvents(
  db: Db,
  waiting: Waiting,
): Promise<{ readonly connectionId: string | null } | null> {
  const { rows } = await sql<{ connectionId: string | null }>`
    select connection.id as "connectionId" ${selectWaiting(waiting)}
      and (turn.claimed_until is null or turn.claimed_until <= ${waiting.now})
    order by turn.swept_at nulls first, appointments.updated_at, appointments.id
    limit 1`.execute(db)
  return rows[0] ?? null
}

/**
 * Finds the account's next appointment whose event must still be written: the oldest change first, changes that have
 * failed before last.
 */
export async function findAppointmentWithPendingEvent(
  db: Db,
  connectionId: string | null,
  waiting: Waiting,
): Promise<AppointmentKey | null> {
  const { rows } = await sql<{ calendar_id: string; id: string }>`
    select appointments.calendar_id, appointments.id ${selectWaiting(waiting)}
      and connection.id is not distinct from ${connectionId}::uuid
    order by coalesce(writing.failed_attempts, 0), appointments.updated_at, appointments.id
    limit 1`.execute(db)
  const [row] = rows
  return row === undefined ? null : { calendarId: row.calendar_id, id: row.id }
}

export async function isAccountPaused(db: Db, connectionId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('event_pauses')
    .select('until')
    .where('connection_id', '=', connectionId)
    .where('until', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Pauses writes to an account, longer each time. Simultaneous writes that fail together count as one failure; otherwise
 * one minute of downtime would cause the longest pause for a busy calendar.
 */
export async function pauseEventWrites(
  db: Db,
  connectionId: string,
  { now, retryAfterMs }: { readonly now: Date; readonly retryAfterMs: number | null },
): Promise<void> {
  const earlier = await db
    .selectFrom('event_pauses')
    .select(['failed_attempts', 'until'])
    .where('connection_id', '=', connectionId)
    .executeTakeFirst()
  const pausedMs = (earlier?.until.getTime() ?? 0) - now.getTime()
  const isKnown = pausedMs > 0
  const failedAttempts = (earlier?.failed_attempts ?? 0) + (isKnown ? 0 : 1)
  const pauseMs = isKnown
    ? Math.max(pausedMs, retryAfterMs ?? 0)
    : toAccountPauseMs(failedAttempts, retryAfterMs)
  const until = new Date(now.getTime() + pauseMs)
  const asked = retryAfterMs === null ? null : new Date(now.getTime() + retryAfterMs)
  // This changes nothing if the account was disconnected in the meantime.
  await sql`
    insert into event_pauses (connection_id, until, asked_until, failed_attempts)
    select id, ${until}, ${asked}, ${failedAttempts} from calendar_connections where id = ${connectionId}
    on conflict (connection_id) do update set until = excluded.until,
      asked_until = greatest(event_pauses.asked_until, excluded.asked_until),
      failed_attempts = excluded.failed_attempts`.execute(db)
}

/** Ends the pause of an account that responds again, except for a pause that the provider requested. */
export async function endWritePause(db: Db, connectionId: string, now: Date): Promise<void> {
  await sql`
    with ended as (
      delete from event_pauses where connection_id = ${connectionId} and coalesce(asked_until <= ${now}, true)
    )
    update event_pauses set until = asked_until where connection_id = ${connectionId} and asked_until > ${now}`.execute(
    db,
  )
}
