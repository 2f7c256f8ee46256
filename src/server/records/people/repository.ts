import { sql } from 'kysely'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'

/** An appointment, with the names needed to show a conflict. */
export type ConflictingAppointment = {
  readonly id: string
  readonly calendar_id: string
  readonly calendar_name: string
  readonly customer_name: string
  readonly title: string
  readonly starts_at: string
  readonly ends_at: string
  readonly time_zone: string
  readonly hour_cycle: HourCycle
}

/** Two appointments that overlap. */
export type OverlapRow = { readonly first: ConflictingAppointment; readonly second: ConflictingAppointment }

export type OverlapsWithTotal = { readonly total: number; readonly overlaps: readonly OverlapRow[] }

/**
 * Lists the upcoming appointments of a calendar that would overlap other appointments of a person, the earliest first.
 * Cancelled appointments and expired holds are left out; active holds and offers count.
 */
export function listOverlapsWithPerson(
  db: Db,
  calendarId: string,
  { personId, now, limit }: { readonly personId: string; readonly now: Date; readonly limit: number },
): Promise<OverlapsWithTotal> {
  const pairs = sql`
    select mine.calendar_id as first_calendar_id, mine.id as first_id, theirs.calendar_id as second_calendar_id,
      theirs.id as second_id, mine.starts_at
    from appointments as mine
    join calendars as others on others.host_id = ${personId} and others.id <> ${calendarId}
    join appointments as theirs on theirs.calendar_id = others.id
      and theirs.occupied && mine.occupied and theirs.ends_at > ${now}
      and ${holdsTime('theirs')}
    where mine.calendar_id = ${calendarId} and mine.ends_at > ${now} and ${holdsTime('mine')}`
  return listPairs(db, pairs, limit)
}

/**
 * Lists, in pairs, the owner's upcoming appointments that already overlapped when the product began to prevent
 * overlaps, the earliest first. The list is empty once the owner has dismissed it.
 */
export function listExistingOverlaps(
  db: Db,
  ownerId: OwnerId,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<OverlapsWithTotal> {
  // In each pair, the appointment that starts later is marked. If a third appointment overlaps them, both may be
  // marked.
  const pairs = sql`
    select earlier.calendar_id as first_calendar_id, earlier.id as first_id, later.calendar_id as second_calendar_id,
      later.id as second_id, earlier.starts_at
    from hosts
    join appointments as later on later.host_id = hosts.id and later.allows_overlap and later.ends_at > ${now}
      and ${holdsTime('later')}
    join calendars on calendars.host_id = hosts.id
    join appointments as earlier on earlier.calendar_id = calendars.id and earlier.host_id = hosts.id
      and earlier.starts_at < later.ends_at and earlier.ends_at > later.starts_at and earlier.ends_at > ${now}
      and (earlier.starts_at, earlier.calendar_id, earlier.id) < (later.starts_at, later.calendar_id, later.id)
      and ${holdsTime('earlier')}
    where hosts.user_id = ${ownerId} and hosts.overlaps_seen_at is null`
  return listPairs(db, pairs, limit)
}

function holdsTime(appointment: string) {
  const column = (name: string) => sql.ref(`${appointment}.${name}`)
  return sql`${column('status')} <> 'cancelled' and ${column('released_at')} is null`
}

/** Loads both appointments of each pair with display names. */
async function listPairs(db: Db, pairs: ReturnType<typeof sql>, limit: number): Promise<OverlapsWithTotal> {
  const named = (side: string) => sql`(
    select json_build_object(
      'id', appointments.id, 'calendar_id', calendars.id, 'calendar_name', calendars.name,
      'customer_name', appointments.customer_name, 'title', appointments.title,
      'starts_at', appointments.starts_at, 'ends_at', appointments.ends_at,
      'time_zone', calendars.timezone, 'hour_cycle', calendars.hour_cycle
    )
    from appointments join calendars on calendars.id = appointments.calendar_id
    where appointments.calendar_id = ${sql.ref(`listed.${side}_calendar_id`)} and appointments.id = ${sql.ref(`listed.${side}_id`)}
  )`
  const { rows } = await sql<{
    total: number
    first: ConflictingAppointment
    second: ConflictingAppointment
  }>`
    with pairs as (${pairs}), listed as (
      select * from pairs order by starts_at, first_id, second_id limit ${limit}
    )
    select (select count(*)::integer from pairs) as total, ${named('first')} as first, ${named('second')} as second
    from listed order by starts_at, first_id, second_id`.execute(db)
  const overlaps = rows.map(({ first, second }) => ({ first: toIso(first), second: toIso(second) }))
  return { total: rows[0]?.total ?? 0, overlaps }
}

/** Converts the times to UTC, because PostgreSQL writes timestamps in JSON with the offset of its own zone. */
function toIso(appointment: ConflictingAppointment): ConflictingAppointment {
  const { starts_at, ends_at } = appointment
  return {
    ...appointment,
    starts_at: new Date(starts_at).toISOString(),
    ends_at: new Date(ends_at).toISOString(),
  }
}
