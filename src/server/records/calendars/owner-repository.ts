import type { Db } from '#server/platform/db/database.ts'

/** The name and email address of the calendar's owner, and the calendar's name. Null when the calendar was deleted. */
export async function findOwnerOfCalendar(db: Db, calendarId: string) {
  const row = await db
    .selectFrom('calendars')
    .innerJoin('profiles', 'profiles.id', 'calendars.user_id')
    .select(['profiles.full_name as name', 'profiles.email', 'calendars.name as calendarName'])
    .where('calendars.id', '=', calendarId)
    .executeTakeFirst()
  return row ?? null
}
