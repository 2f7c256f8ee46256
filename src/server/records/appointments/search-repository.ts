import { type RawBuilder, sql } from 'kysely'
import type { AppointmentFilter } from '#contract/appointments/appointments.ts'
import type { AppointmentSearch } from '#core/appointments/appointment-search.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isInCalendars } from '#server/platform/db/in-calendars.ts'
import { containsWordsSql, matchesPersonSql } from '#server/platform/db/matches-person.ts'
import {
  type AppointmentListScope,
  listInOrder,
  matchesFilterSql,
  type SortDirection,
} from './list-repository.ts'

/**
 * Counts all appointments of the calendars that match a search. It reads one row per customer, which stores the number
 * of that customer's appointments.
 */
export async function countMatches(
  db: Db,
  scope: AppointmentListScope,
  search: AppointmentSearch,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (
      (select coalesce(sum(appointments), 0) from appointment_people where ${isFoundPerson(scope, search)})
      + (
        select count(*) from appointments
        where ${matchesAppointment(scope, search)} and not ${isOfFoundPerson(scope, search)}
      )
    )::integer as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** Lists the ids of all matches within a filter. Use it only for searches with few matches. */
export async function listMatchIds(
  db: Db,
  scope: AppointmentListScope,
  query: {
    readonly filter: AppointmentFilter
    readonly search: AppointmentSearch
    readonly direction: SortDirection
  },
): Promise<string[]> {
  const people = sql`select person_key from appointment_people where ${isFoundPerson(scope, query.search)}`
  const order = sql.raw(query.direction)
  const listed = sql`${isInCalendars(sql`calendar_id`, scope.calendarIds)} and ${matchesFilterSql(scope, query.filter)}`
  const { rows } = await sql<{ id: string }>`
    select id, starts_at from appointments where ${listed} and person_key in (${people})
    union
    select id, starts_at from appointments where ${listed} and ${matchesAppointment(scope, query.search)}
    order by starts_at ${order}, id ${order}`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * Counts the matches within a filter. It reads the whole filter from the index, so call it for the smaller of the two
 * filters (past or upcoming).
 */
export async function countMatchesInFilter(
  db: Db,
  scope: AppointmentListScope,
  filter: AppointmentFilter,
  search: AppointmentSearch,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from appointments
    where ${isInCalendars(sql`calendar_id`, scope.calendarIds)}
      and ${matchesFilterSql(scope, filter)} and ${matchesSearchSql(scope, search)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Lists one page of the matches: `limit` rows after `offset`, in `direction`. */
export async function listMatchesPage(
  db: Db,
  scope: AppointmentListScope,
  page: {
    readonly filter: AppointmentFilter
    readonly search: AppointmentSearch
    readonly direction: SortDirection
    readonly offset: number
    readonly limit: number
  },
): Promise<string[]> {
  const where = sql`${matchesFilterSql(scope, page.filter)} and ${matchesSearchSql(scope, page.search)}`
  const rows = await listInOrder(db, scope.calendarIds, { ...page, where })
  return rows.map((row) => row.id)
}

/**
 * SQL that is true when an appointment matches. The index contains all columns, and the list is read in order until the
 * page is full. `is true` keeps the planner from turning the lookups into a join, which would sort all rows.
 */
export function matchesSearchSql(
  scope: AppointmentListScope,
  search: AppointmentSearch,
): RawBuilder<unknown> {
  const byPerson = isOfFoundPerson(scope, search)
  const matchingIds = sql`select id from appointments where ${matchesAppointment(scope, search)}`
  return sql`(${byPerson} or (id in (${matchingIds})) is true)`
}

function isOfFoundPerson(scope: AppointmentListScope, search: AppointmentSearch): RawBuilder<unknown> {
  const people = sql`select person_key from appointment_people where ${isFoundPerson(scope, search)}`
  return sql`(person_key in (${people})) is true`
}

function isFoundPerson(
  { calendarIds }: AppointmentListScope,
  search: AppointmentSearch,
): RawBuilder<unknown> {
  return sql`${isInCalendars(sql`calendar_id`, calendarIds)} and ${matchesPersonSql(sql`search_text`, search)}`
}

/** SQL that is true when the booking reference or an entered title matches, whoever the customer is. */
function matchesAppointment(
  { calendarIds }: AppointmentListScope,
  { referencePrefix, words }: AppointmentSearch,
): RawBuilder<unknown> {
  // Written like the condition of the partial index, so that PostgreSQL uses it. The index is small, because most
  // titles come from appointment types.
  const byTitle = sql`(typed_title is not null and ${containsWordsSql(sql`search_letters(typed_title)`, words)})`
  const byReference = sql`booking_reference like ${`${referencePrefix}%`}`
  const found = referencePrefix === null ? byTitle : sql`(${byReference} or ${byTitle})`
  return sql`${isInCalendars(sql`calendar_id`, calendarIds)} and released_at is null and ${found}`
}
