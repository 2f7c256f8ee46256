import { sql } from 'kysely'
import type { HolidayRegion } from '#contract/availability/holidays.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** Finds the region whose holidays are proposed for a calendar. */
export async function findHolidayRegion(db: Db, calendarId: string) {
  const row = await db
    .selectFrom('holiday_regions')
    .select(['country', 'region'])
    .where('calendar_id', '=', calendarId)
    .executeTakeFirst()
  return row ?? null
}

/** Stores the region whose holidays are proposed for a calendar; without a country, removes it. */
export async function setHolidayRegion(
  trx: Trx,
  calendarId: string,
  { country, region }: HolidayRegion,
): Promise<void> {
  if (country === null) {
    await trx.deleteFrom('holiday_regions').where('calendar_id', '=', calendarId).execute()
    return
  }
  await trx
    .insertInto('holiday_regions')
    .values({ calendar_id: calendarId, country, region })
    .onConflict((conflict) => conflict.column('calendar_id').doUpdateSet({ country, region }))
    .execute()
}

/** Lists the dates, from `today` on, whose holidays the owner keeps open. */
export async function listKeptOpen(db: Db, calendarId: string, today: string): Promise<string[]> {
  const rows = await db
    .selectFrom('holiday_choices')
    .select(sql<string>`to_char(date, 'YYYY-MM-DD')`.as('date'))
    .where('calendar_id', '=', calendarId)
    .where('date', '>=', sql<Date>`${today}::date`)
    .execute()
  return rows.map(({ date }) => date)
}

/** Keeps the holidays of these dates open, and forgets the dates before `today`. Source: rule T57. */
export async function keepOpen(
  trx: Trx,
  calendarId: string,
  { dates, today }: { readonly dates: readonly string[]; readonly today: string },
): Promise<void> {
  await trx
    .deleteFrom('holiday_choices')
    .where('calendar_id', '=', calendarId)
    .where('date', '<', sql<Date>`${today}::date`)
    .execute()
  if (dates.length === 0) return
  await trx
    .insertInto('holiday_choices')
    .values(dates.map((date) => ({ calendar_id: calendarId, date })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Forgets that the owner keeps these dates open. */
export async function forgetKeptOpen(trx: Trx, calendarId: string, dates: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('holiday_choices')
    .where('calendar_id', '=', calendarId)
    .where('date', '=', sql<Date>`any(${dates}::date[])`)
    .execute()
}
