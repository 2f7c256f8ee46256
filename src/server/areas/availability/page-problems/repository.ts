import { type Insertable, sql } from 'kysely'
import type { PageProblem } from '#core/calendars/page-problems.ts'
import { typeHoursSql } from '#server/areas/availability/appointment-types/hours-repository.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { IS_PAUSED_SQL } from '#server/records/calendars/plan-repository.ts'

/** Lists the calendars that take bookings and existed at `before`, in the order of their ids. */
export function listOpenCalendars(db: Db, before: Date) {
  return db
    .selectFrom('calendars')
    .select(['id', 'slug'])
    .where(sql<boolean>`not ${sql.raw(IS_PAUSED_SQL)}`)
    .where('created_at', '<', before)
    .orderBy('id')
    .execute()
}

/** Lists the owner's calendars in which the last check found problems. */
export function listCalendarsWithProblems(db: Db, ownerId: OwnerId) {
  return db
    .selectFrom('calendars')
    .select(['id', 'slug'])
    .where('user_id', '=', ownerId)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('page_problems').whereRef('calendar_id', '=', 'calendars.id').select('kind')),
    )
    .execute()
}

/** Lists the types of a calendar with their terms of payment. */
export function listTypesToCheck(db: Db, calendarId: string) {
  return db
    .selectFrom('appointment_types as types')
    .innerJoin('calendars', 'calendars.id', 'types.calendar_id')
    .where('calendar_id', '=', calendarId)
    .orderBy('position')
    .select([
      'types.id',
      'types.duration',
      'types.prepare_minutes',
      'types.wrap_up_minutes',
      'types.booking_window',
      'types.price_cents',
      'types.payment_required',
      'calendars.payment_required as calendar_requires_payment',
      'calendars.payment_enabled',
    ])
    .select(typeHoursSql(sql.ref('types.calendar_id'), sql.ref('types.id')).as('hours'))
    .execute()
}

/** Replaces the stored problems of a calendar, and returns true when any of them is new. */
export async function replaceProblems(
  trx: Trx,
  { calendarId, problems, now }: { calendarId: string; problems: readonly PageProblem[]; now: Date },
): Promise<boolean> {
  const kinds = problems.map(({ kind }) => kind)
  const typeIds = problems.map(({ typeId }) => typeId)
  const found = sql`unnest(${kinds}::text[], ${typeIds}::uuid[]) as found (kind, type_id)`
  await sql`delete from page_problems where calendar_id = ${calendarId} and series_id is null and not exists (
      select from ${found}
      where found.kind = page_problems.kind and found.type_id is not distinct from appointment_type_id
    )`.execute(trx)
  const { rows } = await sql`
    insert into page_problems (calendar_id, kind, appointment_type_id, found_at)
    select ${calendarId}, kind, type_id, ${now} from ${found}
    where type_id is null or type_id in (select id from appointment_types where calendar_id = ${calendarId})
    on conflict do nothing
    returning kind`.execute(trx)
  return rows.length > 0
}

/** Stores a date of a standing appointment that could not be booked. */
export async function insertMissedDate(
  trx: Trx,
  missed: Pick<
    Insertable<Schema['page_problems']>,
    'calendar_id' | 'series_id' | 'date' | 'reason' | 'found_at'
  >,
): Promise<void> {
  await trx
    .insertInto('page_problems')
    .values({ ...missed, kind: 'standing_date_missed', appointment_type_id: null })
    .execute()
}

/** Deletes the missed dates of standing appointments before a date. */
export async function deleteMissedDates(db: Db, before: string): Promise<void> {
  await sql`delete from page_problems where date < ${before}::date`.execute(db)
}

/** Lists stored problems with the names that a sentence about them needs. */
export function listStoredProblems(db: Db, calendarIds: readonly string[]) {
  return db
    .selectFrom('page_problems as problem')
    .innerJoin('calendars', 'calendars.id', 'problem.calendar_id')
    .leftJoin('appointment_types as types', (join) =>
      join
        .onRef('types.calendar_id', '=', 'problem.calendar_id')
        .onRef('types.id', '=', 'problem.appointment_type_id'),
    )
    .where('problem.calendar_id', 'in', [...calendarIds])
    .orderBy('calendars.name')
    .orderBy('calendars.id')
    .orderBy('problem.kind')
    .orderBy('types.position')
    .orderBy('problem.date')
    .select([
      'problem.calendar_id',
      'problem.kind',
      'problem.appointment_type_id',
      'problem.found_at',
      'calendars.name as calendar_name',
      'types.name as appointment_type_name',
      sql<string | null>`to_char(problem.date, 'YYYY-MM-DD')`.as('date'),
      'problem.reason',
      sql<string | null>`(
        select customer_name from appointments
        where appointments.calendar_id = problem.calendar_id and appointments.series_id = problem.series_id
        order by series_number desc limit 1
      )`.as('customer_name'),
    ])
    .execute()
}
