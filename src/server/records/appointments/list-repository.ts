import { type RawBuilder, sql } from 'kysely'
import type { AppointmentFilter } from '#contract/appointments/appointments.ts'
import type { ListCounts } from '#core/shared/list-range.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isInCalendars, isInOwnCalendars, type OwnCalendars } from '#server/platform/db/in-calendars.ts'

/**
 * The appointments of one calendar, or of several calendars of the owner. Appointments before `todayStartsAt`, the start
 * of today in the time zone of the list, are past. Source: rule V1.
 */
export type AppointmentListScope = OwnCalendars & {
  readonly todayStartsAt: Date
  /** The country of this time zone is assumed when the owner searches for a national phone number. */
  readonly phoneTimeZone: string
}

/**
 * The position of an appointment in a list, before its details are loaded. `startsAt` keeps microseconds, which a Date
 * would lose.
 */
export type ListPosition = { readonly id: string; readonly startsAt: string }

export type SortDirection = 'asc' | 'desc'

/**
 * Counts all appointments of the calendars, and the past ones. The database keeps counts per UTC day; only the day in
 * which today begins is counted row by row.
 */
export async function countListedAppointments(db: Db, scope: AppointmentListScope): Promise<ListCounts> {
  const { calendarIds, todayStartsAt } = scope
  const utcDay = todayStartsAt.toISOString().slice(0, 10)
  const { rows } = await sql<ListCounts>`
    select
      coalesce(sum(counted.appointments), 0)::integer as "all",
      (coalesce(sum(counted.appointments) filter (where counted.day < ${utcDay}), 0) + (
        select count(*) from appointments
        where ${isInCalendars(sql`calendar_id`, calendarIds)} and released_at is null
          and starts_at >= ${new Date(utcDay)} and starts_at < ${todayStartsAt}
      ))::integer as past
    from appointment_days as counted
    where ${isInOwnCalendars(sql`counted.calendar_id`, scope)}`.execute(db)
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
  const day = await findDayOf(db, scope.calendarIds, range.start)
  if (day === null) return []
  const rows = await listInOrder(db, scope.calendarIds, {
    where: sql`released_at is null and starts_at >= ${new Date(day.date)}`,
    direction: 'asc',
    limit: range.length,
    offset: range.start - day.before,
  })
  return rows.map((row) => row.id)
}

/**
 * Lists appointments in order. Each of several calendars is read in the order of its index, and only as far as needed;
 * then the parts are merged. Otherwise PostgreSQL would sort all appointments of all calendars for each page.
 */
export async function listInOrder(
  db: Db,
  calendarIds: readonly string[],
  {
    where,
    direction,
    limit,
    offset = 0,
  }: {
    readonly where: RawBuilder<unknown>
    readonly direction: SortDirection
    readonly limit: number
    readonly offset?: number
  },
): Promise<ListPosition[]> {
  const inOrder = sql`order by starts_at ${sql.raw(direction)}, id ${sql.raw(direction)}`
  const found = (calendarId: RawBuilder<unknown>) =>
    sql`select id, starts_at from appointments where calendar_id = ${calendarId} and ${where} ${inOrder}`
  const [only] = calendarIds
  const all =
    calendarIds.length === 1
      ? found(sql`${only}`)
      : sql`
        select part.id, part.starts_at from unnest(${calendarIds}::uuid[]) as own (own_id)
        cross join lateral (${found(sql`own_id`)} limit ${offset + limit}) as part
        ${inOrder}`
  const { rows } = await sql<ListPosition>`
    select id, starts_at::text as "startsAt" from (${all} limit ${limit} offset ${offset}) as page`.execute(
    db,
  )
  return rows
}

async function findDayOf(
  db: Db,
  calendarIds: readonly string[],
  position: number,
): Promise<{ date: string; before: number } | null> {
  const { rows } = await sql<{ date: string; before: number }>`
    select day::text as date, before::integer
    from (
      select day, sum(sum(appointments)) over (order by day) - sum(appointments) as before
      from appointment_days where ${isInCalendars(sql`calendar_id`, calendarIds)}
      group by day
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
  const { after, direction, limit } = chunk
  const comes = sql.raw(direction === 'asc' ? '>' : '<')
  const where = sql`${matchesFilterSql(scope, chunk.filter)} and ${chunk.where ?? sql`true`}
    and ${after === null ? sql`true` : sql`(starts_at, id) ${comes} (${after.startsAt}::timestamptz, ${after.id}::uuid)`}`
  return listInOrder(db, scope.calendarIds, { where, direction, limit })
}

/** SQL condition for the filter, which also excludes the appointments that no list shows. */
export function matchesFilterSql(
  { todayStartsAt }: Pick<AppointmentListScope, 'todayStartsAt'>,
  filter: AppointmentFilter,
): RawBuilder<unknown> {
  if (filter === 'all') return sql`released_at is null`
  const compares = sql.raw(filter === 'upcoming' ? '>=' : '<')
  return sql`released_at is null and starts_at ${compares} ${todayStartsAt}`
}
