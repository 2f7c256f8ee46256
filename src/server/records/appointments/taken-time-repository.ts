import { sql } from 'kysely'
import { LIMITS } from '#contract/limits.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** Nothing lasts longer than a type may. In milliseconds. */
export const LONGEST_APPOINTMENT_MS = LIMITS.typeDurationMax * 60_000

/** The appointments at a location that begin after `after` and have not ended by `now`. */
export type AppointmentsAtLocation = { readonly locationId: string; readonly now: Date; readonly after: Date }

/** SQL of `appointments`: the calendar no longer may use the location that the appointment names. Source: rule L11. */
export const HAS_LOST_LOCATION_ACCESS = sql<boolean>`exists (
  select from locations
  join calendars on calendars.id = appointments.calendar_id and calendars.user_id <> locations.user_id
  where locations.id = appointments.location_id and not exists (
    select from location_guests as guests
    where guests.location_id = locations.id and guests.calendar_id = appointments.calendar_id
  )
)`

/** SQL of `appointments`: it no longer names a location, only the name and address that were agreed. Source: rule L11. */
export const HAS_DETACHED_LOCATION = sql<boolean>`(location_id is null and location_name is not null)`

/** Takes the appointments of a stretch from a location that their calendars no longer may use. Source: rule L11. */
export async function detachFromLocation(
  trx: Trx,
  { locationId, now, after }: AppointmentsAtLocation,
  end: Date | null,
): Promise<void> {
  await sql`
    update appointments set location_id = null, conflict_location_id = null
    where location_id = ${locationId} and ends_at > ${now}
      and starts_at > ${after} and starts_at <= ${orForever(end)} and ${HAS_LOST_LOCATION_ACCESS}`.execute(
    trx,
  )
}

/** Takes the appointments of a stretch out of the constraint of their place. */
export async function removeFromLocationConstraint(
  trx: Trx,
  { locationId, now, after }: AppointmentsAtLocation,
  end: Date | null,
): Promise<void> {
  await sql`
    update appointments set conflict_location_id = null
    where location_id = ${locationId} and conflict_location_id is not null and ends_at > ${now}
      and starts_at > ${after} and starts_at <= ${orForever(end)}`.execute(trx)
}

/**
 * Puts the appointments of a stretch under the constraint of their place.
 * Appointments that overlap stay as they were booked, and count as busy all the same (`selectTimes`). Cancelled ones and
 * ended holds overlap nothing: their time is checked on the day they are restored. An appointment overlaps an earlier
 * one when it begins before all of those have ended, and a later one when the next begins before its end.
 */
export async function addToLocationConstraint(
  trx: Trx,
  { locationId, now, after }: AppointmentsAtLocation,
  end: Date | null,
): Promise<void> {
  const longest = sql`make_interval(secs => ${LONGEST_APPOINTMENT_MS / 1_000})`
  const until = orForever(end)
  // An array, as a join would be planned by how full the table was when it was last looked at.
  await sql`
    update appointments set conflict_location_id = ${locationId}
    where location_id = ${locationId} and conflict_location_id is null and ends_at > ${now}
      and starts_at > ${after} and starts_at <= ${until}
      and id = any (array (
        select id from (
          select id, starts_at, ends_at, holds_time, lead(starts_at) over in_order as next_start,
            max(ends_at) over (in_order rows between unbounded preceding and 1 preceding) as taken_until
          from (
            select id, starts_at, ends_at, status <> 'cancelled' and released_at is null as holds_time
            from appointments
            where location_id = ${locationId} and not is_online
              and starts_at > ${after}::timestamptz - ${longest} and starts_at < ${until} + ${longest}
          ) as there
          window in_order as (partition by holds_time order by starts_at, id)
        ) as near
        where not holds_time
          or coalesce(taken_until <= starts_at, true) and coalesce(next_start >= ends_at, true)
      ))`.execute(trx)
}

/**
 * Gives the appointments of a calendar that have not ended to a person, none of whose other appointments they overlap. Past ones stay
 * those of the person who had them. The calendar and both people are locked. Source: rule T41.
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

function orForever(end: Date | null) {
  return sql`coalesce(${end}::timestamptz, 'infinity')`
}

/**
 * Leaves no appointment with more buffer than `bufferMinutes`: it blocks until `ends_at + least(its buffer, the new
 * one)`. A raised buffer leaves the rows alone, so that appointments which are closer than that can stay; slots keep
 * new ones away from them. An appointment that stopped blocking by `earliestStart` matters to nobody: nothing is booked
 * before that, and a restored one there makes its own room. Source: rule T19.
 */
export async function shortenBuffers(
  trx: Trx,
  calendarId: string,
  bufferMinutes: number,
  earliestStart: Date,
): Promise<void> {
  const blockedUntil = sql`ends_at + make_interval(mins => ${bufferMinutes}::integer)`
  for (let last: string | undefined = BEFORE_ALL_IDS; last !== undefined; ) {
    const { rows } = await sql<{ id: string }>`
      with longer as (
        select id from appointments
        where calendar_id = ${calendarId} and id > ${last}
          and upper(blocked) > ${earliestStart} and upper(blocked) > ${blockedUntil}
        order by id limit ${sql.lit(CHANGED_AT_ONCE)}
      ), shortened as (
        update appointments set blocked = tstzrange(starts_at, ${blockedUntil})
        where calendar_id = ${calendarId} and id = any (array (select id from longer))
      )
      select id from longer order by id desc limit 1`.execute(trx)
    last = rows[0]?.id
  }
}

/** Appointments of one statement, so that no statement meets the time limit, however many there are. */
const CHANGED_AT_ONCE = 2_000
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000'

/**
 * Shortens the appointments whose buffer reaches into a time that is taken again with the present buffer. Past ones can
 * have a longer buffer, because lowering the buffer does not change them. The calendar is locked.
 */
export async function shortenBuffersAt(
  trx: Trx,
  calendarId: string,
  { time, bufferMinutes }: { time: Interval; bufferMinutes: number },
): Promise<void> {
  const blockedUntil = sql`ends_at + make_interval(mins => ${bufferMinutes}::integer)`
  await trx
    .updateTable('appointments')
    .set({ blocked: sql<string>`tstzrange(starts_at, ${blockedUntil})` })
    .where('calendar_id', '=', calendarId)
    .where('status', '<>', 'cancelled')
    .where('released_at', 'is', null)
    // The index of the exclusion constraint answers the range operator.
    .where(sql<boolean>`blocked && tstzrange(${new Date(time.startMs)}, ${new Date(time.endMs)})`)
    .where(sql<boolean>`upper(blocked) > ${blockedUntil}`)
    .execute()
}
