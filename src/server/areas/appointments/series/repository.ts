import { type Insertable, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { isFutureAppointment } from '#server/platform/db/future-appointment.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { IS_PAUSED_SQL } from '#server/records/calendars/plan-repository.ts'

export type SeriesKey = { readonly calendarId: string; readonly id: string }

export async function insertSeries(trx: Trx, series: Insertable<Schema['series']>): Promise<void> {
  await trx.insertInto('series').values(series).execute()
}

/** Counts the standing appointments of a calendar that have not ended. */
export async function countStandingSeries(db: Db, calendarId: string): Promise<number> {
  const { count } = await db
    .selectFrom('series')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('calendar_id', '=', calendarId)
    .where(isOpen)
    .executeTakeFirstOrThrow()
  return count
}

const isOpen = sql<boolean>`is_standing and ended_at is null`

/** Finds the rule of a series; null when the series does not exist. */
export async function findSeries(db: Db, key: SeriesKey) {
  return (
    (await selectSeries(db)
      .where('calendar_id', '=', key.calendarId)
      .where('id', '=', key.id)
      .executeTakeFirst()) ?? null
  )
}

/** Finds what decides about series by customers of a type. The calendar and the type exist. */
export async function getSeriesTerms(
  db: Db,
  { calendarId, typeId }: { readonly calendarId: string; readonly typeId: string },
) {
  return db
    .selectFrom('appointment_types')
    .innerJoin('calendars', 'calendars.id', 'appointment_types.calendar_id')
    .select([
      'series_rule',
      'price_cents',
      'appointment_types.payment_required as type_requires_payment',
      'calendars.payment_required as calendar_requires_payment',
      sql.raw<boolean>(IS_PAUSED_SQL).as('is_paused'),
    ])
    .where('calendars.id', '=', calendarId)
    .where('appointment_types.id', '=', typeId)
    .executeTakeFirstOrThrow()
}

/** Lists the standing appointments of all calendars whose next date is at most this date. */
export function listStandingSeries(db: Db, latestDate: string) {
  return selectSeries(db)
    .where(isOpen)
    .where(sql<boolean>`first_date + planned * every_weeks * 7 <= ${latestDate}::date`)
    .orderBy('calendar_id')
    .orderBy('id')
    .execute()
}

function selectSeries(db: Db) {
  return db
    .selectFrom('series')
    .select([
      'calendar_id',
      'id',
      'every_weeks',
      sql<string>`to_char(first_date, 'YYYY-MM-DD')`.as('first_date'),
      sql<number>`extract(epoch from local_time)::integer`.as('seconds_of_day'),
      'planned',
      'overridden',
      isOpen.as('is_open'),
    ])
}
export type StoredSeries = NonNullable<Awaited<ReturnType<typeof findSeries>>>

/** Records that no further dates are booked. */
export async function storeSeriesEnd(trx: Trx, key: SeriesKey, endedAt: Date): Promise<void> {
  await trx
    .updateTable('series')
    .set({ ended_at: endedAt })
    .where('calendar_id', '=', key.calendarId)
    .where('id', '=', key.id)
    .where('ended_at', 'is', null)
    .execute()
}

/** Records how many dates of a series have been decided about. */
export async function storePlannedDates(trx: Trx, key: SeriesKey, planned: number): Promise<void> {
  await trx
    .updateTable('series')
    .set({ planned })
    .where('calendar_id', '=', key.calendarId)
    .where('id', '=', key.id)
    .execute()
}

/** Lists the appointments of a series in their order, cancelled ones too. */
export function listSeriesAppointments(db: Db, { calendarId, id }: SeriesKey) {
  return db
    .selectFrom('appointments')
    .select(['id', 'booking_reference', 'series_number', 'starts_at', 'ends_at', 'status', 'payment_status'])
    .where('calendar_id', '=', calendarId)
    .where('series_id', '=', id)
    .where('released_at', 'is', null)
    .orderBy('series_number')
    .execute()
}

/** Lists the future appointments of a series from a number on, in order. */
export function listFollowingAppointments(
  db: Db,
  { calendarId, id }: SeriesKey,
  { from, now }: { readonly from: number; readonly now: Date },
) {
  return db
    .selectFrom('appointments')
    .select(['id', 'series_number'])
    .where('calendar_id', '=', calendarId)
    .where('series_id', '=', id)
    .where('series_number', '>=', from)
    .where(isFutureAppointment(now))
    .orderBy('starts_at')
    .execute()
}

/** Returns the id and the number of the last appointment of a series, cancelled or not; null when it has none. */
export async function findLastOfSeries(db: Db, { calendarId, id }: SeriesKey) {
  return (
    (await db
      .selectFrom('appointments')
      .select(['id', 'series_number'])
      .where('calendar_id', '=', calendarId)
      .where('series_id', '=', id)
      .orderBy('series_number', 'desc')
      .limit(1)
      .executeTakeFirst()) ?? null
  )
}
