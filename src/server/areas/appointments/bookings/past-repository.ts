import { sql } from 'kysely'
import type { RecordedChange, SettingTables } from '#core/calendars/rewind-settings.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { PastAppointment } from '#core/slots/past-start.ts'
import type { Db } from '#server/platform/db/database.ts'
import { readsExternalCalendarSql } from '#server/records/slots/external-repository.ts'

/** The tables whose rows decide about times, except `calendars` and `locations`. */
const TIME_TABLES = [
  'availability',
  'type_hours',
  'special_days',
  'special_hours',
  'booking_limits',
  'appointment_types',
  'calendar_locations',
] as const

/** Loads the present rows of the settings that decide about times. Null when the calendar does not exist. */
export async function findSettingTables(db: Db, calendarId: string): Promise<SettingTables | null> {
  const rowsOf = (table: string) => sql`
    (select coalesce(jsonb_agg(to_jsonb(own)), '[]') from ${sql.table(table)} as own where calendar_id = calendars.id)`
  const lists = TIME_TABLES.map((table) => sql`, ${rowsOf(table)} as ${sql.ref(table)}`)
  const { rows } = await sql<Record<string, SettingTables[string]>>`
    select jsonb_build_array(to_jsonb(calendars)) as calendars,
      (select coalesce(jsonb_agg(to_jsonb(locations)), '[]') from locations where user_id = calendars.user_id or id in (
        select location_id from calendar_locations where calendar_id = calendars.id
      )) as locations
      ${sql.join(lists, sql``)}
    from calendars where id = ${calendarId}`.execute(db)
  return rows[0] ?? null
}

/** Lists the changes of a calendar's settings after a moment, newest first. */
export async function listChangesSince(db: Db, calendarId: string, moment: Date): Promise<RecordedChange[]> {
  const { rows } = await sql<RecordedChange>`
    select what, row_key, before from setting_history
    where calendar_id = ${calendarId} and at > ${moment}
    order by number desc, id`.execute(db)
  return rows
}

/**
 * Returns the moment from which the settings of a calendar are known: the first change that any calendar has kept, or the start of
 * the history. A calendar with as many changes as are kept may have lost older ones.
 */
export async function findKnownSince(db: Db, calendarId: string, most: number): Promise<Date> {
  const { rows } = await sql<{ since: Date }>`
    select case
      when (select count(*) from setting_history where calendar_id = ${calendarId}) >= ${most}
        then (select at from setting_history where calendar_id = ${calendarId} order by number limit 1)
      else least(
        (select min(at) from setting_history),
        (select applied_at from schema_migrations where name = '0068-setting-history.sql')
      )
    end as since`.execute(db)
  const since = rows[0]?.since
  if (since === undefined) throw new Error('this statement has one row')
  return since
}

/** True when one of a person's calendars reads an external calendar. */
export async function hasExternalCalendars(db: Db, hostId: string): Promise<boolean> {
  const { rows } = await sql<{ reads: boolean }>`
    select ${sql.raw(readsExternalCalendarSql('own.id'))} as reads from (select ${hostId}::uuid as id) as own`.execute(
    db,
  )
  return rows[0]?.reads === true
}

type AppointmentRow = {
  readonly starts_at: Date
  readonly ends_at: Date
  readonly prepare_minutes: number
  readonly wrap_up_minutes: number
  readonly appointment_type_id: string | null
  readonly session_id: string | null
  readonly session_seats: number | null
  readonly is_test: boolean
  readonly place: PastAppointment['on']
  readonly more_buffer: number
}

/**
 * Lists the appointments that took time at a moment and started within `during`: on the calendar, on the other calendars of a person, and
 * at an exclusive location. Moves, cancellations and restored appointments since then are undone by their history. Source: rule T78.
 */
export async function listPastAppointments(
  db: Db,
  {
    calendarId,
    hostId,
    locationId,
    bufferMinutes,
    moment,
    during,
  }: {
    readonly calendarId: string
    readonly hostId: string
    /** The exclusive location of the wanted appointment; null without one. */
    readonly locationId: string | null
    readonly bufferMinutes: number
    readonly moment: Date
    readonly during: Interval
  },
): Promise<PastAppointment[]> {
  const [from, until] = [new Date(during.startMs), new Date(during.endMs)]
  const { rows } = await sql<AppointmentRow>`
    with places as (
      select id, case when id = ${calendarId} then 'calendar' else 'person' end as place,
        greatest(buffer_time_minutes - ${bufferMinutes}::integer, 0) as more_buffer
      from calendars where id = ${calendarId} or host_id = ${hostId}
    ), near as (
      select appointments.calendar_id, appointments.id, place, more_buffer
      from places join appointments on calendar_id = places.id
      where starts_at >= ${from} and starts_at < ${until}
      union
      select calendar_id, appointment_id, place, more_buffer
      from places join appointment_history on calendar_id = places.id
      where at > ${moment} and kind in ('moved', 'moved_back')
      union
      select calendar_id, id, 'location', 0 from appointments
      where (conflict_location_id = ${locationId} or location_id = ${locationId} and not is_online)
        and calendar_id <> ${calendarId} and starts_at >= ${from} and starts_at < ${until}
    ), past as (
      select near.place, near.more_buffer, appointments.*, sessions.seats as session_seats,
        coalesce((moved.from_time ->> 'starts_at')::timestamptz, appointments.starts_at) as was_start,
        coalesce((moved.from_time ->> 'ends_at')::timestamptz, appointments.ends_at) as was_end,
        coalesce(ended.kind <> 'restored', status <> 'cancelled') as took_time
      from near
      join appointments on appointments.calendar_id = near.calendar_id and appointments.id = near.id
      left join group_sessions as sessions
        on sessions.calendar_id = appointments.calendar_id and sessions.id = appointments.session_id
      left join lateral (
        select details -> 'from' as from_time from appointment_history as history
        where history.calendar_id = near.calendar_id and history.appointment_id = near.id
          and history.at > ${moment} and history.kind in ('moved', 'moved_back')
        order by history.at limit 1
      ) as moved on true
      left join lateral (
        select history.kind from appointment_history as history
        where history.calendar_id = near.calendar_id and history.appointment_id = near.id
          and history.at > ${moment} and history.kind in ('cancelled', 'cancellation_approved', 'restored')
        order by history.at limit 1
      ) as ended on true
      where appointments.created_at <= ${moment}
        and (appointments.released_at is null or appointments.released_at > ${moment})
    )
    select was_start as starts_at, was_end as ends_at, prepare_minutes, wrap_up_minutes, appointment_type_id, session_id,
      session_seats, is_test, place, more_buffer
    from past where took_time and was_start >= ${from} and was_start < ${until}`.execute(db)
  return rows.map((row) => ({
    startMs: row.starts_at.getTime(),
    endMs: row.ends_at.getTime(),
    prepareMinutes: row.prepare_minutes,
    wrapUpMinutes: row.wrap_up_minutes,
    typeId: row.appointment_type_id,
    session:
      row.session_id === null || row.session_seats === null
        ? null
        : { id: row.session_id, seats: row.session_seats },
    isTest: row.is_test,
    on: row.place,
    moreBufferMinutes: row.more_buffer,
  }))
}
