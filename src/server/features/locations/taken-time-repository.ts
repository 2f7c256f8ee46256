import { sql } from 'kysely'
import type { Trx } from '#server/platform/db/transaction.ts'
import { LONGEST_MS, type LocationAt, lockCalendars } from './usage-repository.ts'

/** A part of the appointments at a location: those that begin after `after`, the earliest first. */
export type Stretch = LocationAt & { readonly after: Date }

/** The number of appointments of one stretch. 500 take about 100 ms, in which bookings at the location wait. */
const AT_ONCE = 500

/** The first stretch of the appointments that have not ended. */
export function firstStretch(place: LocationAt): Stretch {
  return { ...place, after: new Date(place.now.getTime() - LONGEST_MS) }
}

/** Like `adjustTakenTime`, where neither the calendars nor the location are locked yet. */
export async function lockAndAdjust(trx: Trx, stretch: Stretch): Promise<Date | null> {
  const end = await findEnd(trx, stretch)
  const rows = await appointmentsIn(trx, stretch, end).select('calendar_id').distinct().execute()
  await lockCalendars(
    trx,
    rows.map((row) => row.calendar_id),
  )
  return adjustTakenTime(trx, stretch)
}

/**
 * Puts the appointments of a stretch under the constraint of their location, or takes them out of it, as the location
 * is now. Their calendars are locked.
 * @returns after which start the next stretch begins; null when this was the last one
 */
export async function adjustTakenTime(trx: Trx, stretch: Stretch): Promise<Date | null> {
  const place = await trx
    .selectFrom('locations')
    .select(['type', 'exclusive'])
    .where('id', '=', stretch.locationId)
    .forShare()
    .executeTakeFirst()
  // Appointments at a location that was deleted stay as they are.
  if (place === undefined) return null
  const end = await findEnd(trx, stretch)
  if (place.type === 'physical' && place.exclusive) await claimTime(trx, stretch, end)
  else await releaseTime(trx, stretch, end)
  return end
}

/** The start of the last appointment of the stretch; null when fewer are left than one stretch has. */
async function findEnd(trx: Trx, stretch: Stretch): Promise<Date | null> {
  const row = await appointmentsIn(trx, stretch, null)
    .select('starts_at')
    .orderBy('starts_at')
    .offset(AT_ONCE - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.starts_at ?? null
}

function appointmentsIn(trx: Trx, { locationId, after }: Stretch, end: Date | null) {
  const following = trx
    .selectFrom('appointments')
    .where('location_id', '=', locationId)
    .where('starts_at', '>', after)
  return end === null ? following : following.where('starts_at', '<=', end)
}

async function releaseTime(trx: Trx, { locationId, now, after }: Stretch, end: Date | null): Promise<void> {
  await sql`
    update appointments set conflict_location_id = null
    where location_id = ${locationId} and conflict_location_id is not null and ends_at > ${now}
      and starts_at > ${after} and starts_at <= ${orForever(end)}`.execute(trx)
}

/**
 * Appointments that overlap stay as they were booked, and count as busy all the same (`selectTimes`). Cancelled ones
 * and ended holds overlap nothing: their time is checked on the day they are restored. An appointment overlaps an
 * earlier one when it begins before all of those have ended, and a later one when the next begins before its end.
 * Source: rule L8.
 */
async function claimTime(trx: Trx, { locationId, now, after }: Stretch, end: Date | null): Promise<void> {
  const longest = sql`make_interval(secs => ${LONGEST_MS / 1_000})`
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

function orForever(end: Date | null) {
  return sql`coalesce(${end}::timestamptz, 'infinity')`
}
