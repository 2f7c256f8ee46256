import type { Db } from '#server/platform/db/database.ts'

/** Whom to write to about a calendar. Null when the calendar is gone. */
export async function findOwnerOfCalendar(db: Db, calendarId: string) {
  const row = await db
    .selectFrom('calendars')
    .innerJoin('profiles', 'profiles.id', 'calendars.user_id')
    .select(['profiles.full_name as name', 'profiles.email', 'calendars.name as calendarName'])
    .where('calendars.id', '=', calendarId)
    .executeTakeFirst()
  return row ?? null
}
