import { sql } from 'kysely'
import { LIMITS } from '#contract/shared/limits.ts'
import type { Interval } from '#core/shared/interval.ts'
import { OWNERS_WORK_LIMITS } from '#core/slots/occupied-time.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** Maximum length of an appointment, in milliseconds. */
export const LONGEST_APPOINTMENT_MS = LIMITS.typeDurationMax * 60_000

/** Selects the appointments at a location that start after `after` and are not over at `now`. */
type AppointmentsAtLocation = { readonly locationId: string; readonly now: Date; readonly after: Date }

/**
 * SQL, for a query of `appointments`, that is true when the calendar is no longer allowed to use the appointment's
 * location. Source: rule L11.
 */
export const HAS_LOST_LOCATION_ACCESS = sql<boolean>`exists (
  select from locations
  join calendars on calendars.id = appointments.calendar_id and calendars.user_id <> locations.user_id
  where locations.id = appointments.location_id and not exists (
    select from location_guests as guests
    where guests.location_id = locations.id and guests.calendar_id = appointments.calendar_id
  )
)`

/**
 * SQL, for a query of `appointments`, that is true when the appointment was detached from its location and keeps only
 * the location's name and address. Source: rule L11.
 */
export const HAS_DETACHED_LOCATION = sql<boolean>`(location_id is null and location_name is not null)`

/**
 * Detaches appointments, up to `end`, from a location that their calendars are no longer allowed to use. Source: rule
 * L11.
 */
export async function detachFromLocation(
  trx: Trx,
  { locationId, now, after }: AppointmentsAtLocation,
  end: Date | null,
): Promise<void> {
  await sql`
    update appointments set location_id = null, conflict_location_id = null
    where location_id = ${locationId} and ends_at > ${now}
      and starts_at > ${after} and starts_at <= ${orInfinity(end)} and ${HAS_LOST_LOCATION_ACCESS}`.execute(
    trx,
  )
}

/** Removes appointments, up to `end`, from the exclusion constraint of their location. */
export async function removeFromLocationConstraint(
  trx: Trx,
  { locationId, now, after }: AppointmentsAtLocation,
  end: Date | null,
): Promise<void> {
  await sql`
    update appointments set conflict_location_id = null
    where location_id = ${locationId} and conflict_location_id is not null and ends_at > ${now}
      and starts_at > ${after} and starts_at <= ${orInfinity(end)}`.execute(trx)
}

/**
 * Adds appointments, up to `end`, to the exclusion constraint of their location. Appointments that overlap another one
 * stay outside the constraint; their time still counts as busy (`selectTimes`). Cancelled appointments and expired
 * holds never overlap: their time is checked when they are restored. An appointment overlaps an earlier one if it
 * starts before all earlier ones have ended, and a later one if the next one starts before it ends. Preparation and
 * wrap-up count. The seats of a session do not overlap each other. Source: rule T48.
 */
export async function addToLocationConstraint(
  trx: Trx,
  { locationId, now, after }: AppointmentsAtLocation,
  end: Date | null,
): Promise<void> {
  const longest = sql`make_interval(mins => ${LIMITS.typeDurationMax + 2 * OWNERS_WORK_LIMITS.minutes})`
  const until = orInfinity(end)
  // Pass the ids as an array instead of joining: the planner would choose a join from outdated table statistics.
  await sql`
    update appointments set conflict_location_id = ${locationId}
    where location_id = ${locationId} and conflict_location_id is null and ends_at > ${now}
      and starts_at > ${after} and starts_at <= ${until}
      and id = any (array (
        select unnest(ids) from (
          select ids, taken_from, taken_to, holds_time,
            lead(taken_from) over in_order as next_start,
            max(taken_to) over (in_order rows between unbounded preceding and 1 preceding) as taken_until
          from (
            select time_key, array_agg(id) as ids, min(lower(occupied)) as taken_from, max(upper(occupied)) as taken_to,
              status <> 'cancelled' and released_at is null as holds_time
            from appointments
            where location_id = ${locationId} and not is_online
              and starts_at > ${after}::timestamptz - ${longest} and starts_at < ${until} + ${longest}
            group by time_key, holds_time
          ) as there
          window in_order as (partition by holds_time order by taken_from, time_key)
        ) as near
        where not holds_time
          or coalesce(taken_until <= taken_from, true) and coalesce(next_start >= taken_to, true)
      ))`.execute(trx)
}

/**
 * Reassigns the upcoming appointments of a calendar to a person. The caller has checked that they do not overlap the
 * person's other appointments, and has locked the calendar and both people. Past appointments remain with the previous
 * person. Source: rule T41.
 */
export async function moveAppointmentsToPerson(
  trx: Trx,
  calendarId: string,
  { personId, now }: { readonly personId: string; readonly now: Date },
): Promise<void> {
  for (let last: string | undefined = BEFORE_ALL_IDS; last !== undefined; ) {
    const { rows } = await sql<{ id: string }>`
      with others as (
        select id from appointments
        where calendar_id = ${calendarId} and id > ${last} and ends_at > ${now} and host_id <> ${personId}
        order by id limit ${sql.lit(CHANGED_AT_ONCE)}
      ), given as (
        update appointments set host_id = ${personId}, allows_overlap = false
        where calendar_id = ${calendarId} and id = any (array (select id from others))
      )
      select id from others order by id desc limit 1`.execute(trx)
    last = rows[0]?.id
  }
}

function orInfinity(end: Date | null) {
  return sql`coalesce(${end}::timestamptz, 'infinity')`
}

/** SQL for the time that an appointment blocks with a buffer of so many minutes. Source: rule T47. */
function blockedSql(bufferMinutes: number) {
  return sql<string>`tstzrange(lower(occupied), ${blockedUntilSql(bufferMinutes)})`
}

function blockedUntilSql(bufferMinutes: number) {
  return sql<Date>`upper(occupied) + make_interval(mins => ${bufferMinutes}::integer)`
}

/**
 * Lowers the buffer of every appointment to at most `bufferMinutes`, so that the appointment blocks time until the end
 * of its wrap-up + `least(its buffer, the new buffer)`. Raising the buffer changes no rows, so existing appointments may be closer
 * together than the new buffer; the slot search applies it to new bookings. Appointments that block no time after
 * `earliestStart` are skipped: nothing can be booked near them, and restoring an appointment shortens the buffers of
 * its neighbours. Source: rule T19.
 */
export async function shortenBuffers(
  trx: Trx,
  calendarId: string,
  bufferMinutes: number,
  earliestStart: Date,
): Promise<void> {
  const blockedUntil = blockedUntilSql(bufferMinutes)
  for (let last: string | undefined = BEFORE_ALL_IDS; last !== undefined; ) {
    const { rows } = await sql<{ id: string }>`
      with longer as (
        select id from appointments
        where calendar_id = ${calendarId} and id > ${last}
          and upper(blocked) > ${earliestStart} and upper(blocked) > ${blockedUntil}
        order by id limit ${sql.lit(CHANGED_AT_ONCE)}
      ), shortened as (
        update appointments set blocked = ${blockedSql(bufferMinutes)}
        where calendar_id = ${calendarId} and id = any (array (select id from longer))
      )
      select id from longer order by id desc limit 1`.execute(trx)
    last = rows[0]?.id
  }
}

/** Number of appointments changed per statement, so that no statement exceeds the time limit. */
const CHANGED_AT_ONCE = 2_000
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000'

/**
 * Shortens the buffers that reach into a time which an appointment is about to occupy again. Past appointments can have
 * a longer buffer than the current one, because lowering the buffer skips them. The calendar is locked.
 */
export async function shortenOverlappingBuffers(
  trx: Trx,
  calendarId: string,
  { occupied, bufferMinutes }: { occupied: Interval; bufferMinutes: number },
): Promise<void> {
  await trx
    .updateTable('appointments')
    .set({ blocked: blockedSql(bufferMinutes) })
    .where('calendar_id', '=', calendarId)
    .where('status', '<>', 'cancelled')
    .where('released_at', 'is', null)
    // This range operator lets PostgreSQL use the index of the exclusion constraint.
    .where(sql<boolean>`blocked && tstzrange(${new Date(occupied.startMs)}, ${new Date(occupied.endMs)})`)
    .where(sql<boolean>`upper(blocked) > ${blockedUntilSql(bufferMinutes)}`)
    .execute()
}
