import { type RawBuilder, sql } from 'kysely'
import type { AppointmentFilter } from '#contract/appointments/appointments.ts'
import type { ListCounts } from '#core/shared/list-range.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'

/**
 * The appointments of one calendar. Appointments before `todayStartsAt`, the start of today in the calendar's zone, are
 * past. Source: rule V1.
 */
export type AppointmentListScope = {
  readonly ownerId: OwnerId
  readonly calendarId: string
  readonly todayStartsAt: Date
  /** The calendar's time zone. Its country is assumed when the owner searches for a national phone number. */
  readonly timeZone: string
}

/**
 * The position of an appointment in a list, before its details are loaded. `startsAt` keeps microseconds, which a Date
 * would lose.
 */
export type ListPosition = { readonly id: string; readonly startsAt: string }

export type SortDirection = 'asc' | 'desc'

/**
 * Counts all appointments of the calendar, and the past ones. The database keeps counts per UTC day; only the day in
 * which today begins is counted row by row.
 */
export async function countListedAppointments(db: Db, scope: AppointmentListScope): Promise<ListCounts> {
  const { ownerId, calendarId, todayStartsAt } = scope
  const utcDay = todayStartsAt.toISOString().slice(0, 10)
  const { rows } = await sql<ListCounts>`
    select
      coalesce(sum(counted.appointments), 0)::integer as "all",
      (coalesce(sum(counted.appointments) filter (where counted.day < ${utcDay}), 0) + (
        select count(*) from appointments
        where calendar_id = ${calendarId} and released_at is null
          and starts_at >= ${new Date(utcDay)} and starts_at < ${todayStartsAt}
      ))::integer as past
    from appointment_days as counted
    where counted.calendar_id = (select id from calendars where id = ${calendarId} and user_id = ${ownerId})`.execute(
    db,
  )
  return rows[0] ?? { all: 0, past: 0 }
}

/**
 * Lists the ids of appointments from position `start`, earliest first. The counts per day show on which day that
 * position is, so the query never skips more than one day of appointments.
 */
export async function listIdsFromPosition(
  db: Db,
  scope: AppointmentListScope,
  range: { readonly start: number; readonly length: number },
): Promise<string[]> {
  if (range.length === 0) return []
  const day = await findDayOf(db, scope.calendarId, range.start)
  if (day === null) return []
  const { rows } = await sql<{ id: string }>`
    select id from appointments
    where calendar_id = ${scope.calendarId} and released_at is null and starts_at >= ${new Date(day.date)}
    order by starts_at, id
    limit ${range.length} offset ${range.start - day.before}`.execute(db)
  return rows.map((row) => row.id)
}

async function findDayOf(
  db: Db,
  calendarId: string,
  position: number,
): Promise<{ date: string; before: number } | null> {
  const { rows } = await sql<{ date: string; before: number }>`
    select day::text as date, before::integer
    from (
      select day, sum(appointments) over (order by day) - appointments as before
      from appointment_days where calendar_id = ${calendarId}
    ) as counted
    where before <= ${position}
    order by day desc
    limit 1`.execute(db)
  return rows[0] ?? null
}

/** Lists the appointments of a filter that follow `after`, or the first ones when `after` is null. */
export async function listIdsAfter(
  db: Db,
  scope: AppointmentListScope,
  chunk: {
    readonly filter: AppointmentFilter
    readonly after: ListPosition | null
    readonly direction: SortDirection
    readonly limit: number
    /** Additional SQL conditions, such as those of a search. */
    readonly where?: RawBuilder<unknown>
  },
): Promise<ListPosition[]> {
  const { after, direction } = chunk
  const comes = sql.raw(direction === 'asc' ? '>' : '<')
  const { rows } = await sql<ListPosition>`
    select id, starts_at::text as "startsAt" from appointments
    where ${matchesFilterSql(scope, chunk.filter)} and ${chunk.where ?? sql`true`}
      and ${after === null ? sql`true` : sql`(starts_at, id) ${comes} (${after.startsAt}::timestamptz, ${after.id}::uuid)`}
    order by starts_at ${sql.raw(direction)}, id ${sql.raw(direction)}
    limit ${chunk.limit}`.execute(db)
  return rows
}

/** SQL condition for the filter, which also excludes the appointments that no list shows. */
export function matchesFilterSql(
  scope: AppointmentListScope,
  filter: AppointmentFilter,
): RawBuilder<unknown> {
  const listed = sql`calendar_id = ${scope.calendarId} and released_at is null`
  if (filter === 'all') return listed
  const compares = sql.raw(filter === 'upcoming' ? '>=' : '<')
  return sql`${listed} and starts_at ${compares} ${scope.todayStartsAt}`
}
