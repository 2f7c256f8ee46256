import { sql } from 'kysely'
import {
  type ExternalCalendarSettings,
  UNCHECKED_CALENDAR_POLICIES,
} from '#contract/external-calendars/external-calendars.ts'
import { isConfidentialProfession } from '#core/external-calendars/confidential-profession.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** The default settings, except `hide_customer`. Source: rules G8, G9 and G12. */
const DEFAULTS: Omit<ExternalCalendarSettings, 'hide_customer'> = {
  auto_sync: true,
  two_way_sync: true,
  when_unchecked: UNCHECKED_CALENDAR_POLICIES[0],
}

/** Returns the settings for a calendar's use of external calendars. */
export async function getExternalCalendarSettings(
  db: Db,
  calendarId: string,
): Promise<ExternalCalendarSettings> {
  const row = await db
    .selectFrom('external_calendar_settings')
    .select(['auto_sync', 'two_way_sync', 'hide_customer', 'when_unchecked'])
    .where('calendar_id', '=', calendarId)
    .executeTakeFirst()
  return row ?? { ...DEFAULTS, hide_customer: await hidesByDefault(db, calendarId) }
}

async function hidesByDefault(db: Db, calendarId: string): Promise<boolean> {
  const { category } = await db
    .selectFrom('calendars')
    .select('category')
    .where('id', '=', calendarId)
    .executeTakeFirstOrThrow()
  return isConfidentialProfession(category)
}

/**
 * Stores the current default settings, so that a later change of the calendar's category does not change them. Source:
 * rule G29.
 */
export async function storeDefaultExternalCalendarSettings(
  trx: Trx,
  calendarId: string,
  updatedAt: Date,
): Promise<void> {
  await trx
    .insertInto('external_calendar_settings')
    .values({
      calendar_id: calendarId,
      hide_customer: await hidesByDefault(trx, calendarId),
      updated_at: updatedAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Stores the given settings and leaves the others. The caller has locked the calendar. */
export async function saveExternalCalendarSettings(
  trx: Trx,
  calendarId: string,
  settings: Partial<ExternalCalendarSettings> & { readonly updated_at: Date },
): Promise<void> {
  await storeDefaultExternalCalendarSettings(trx, calendarId, settings.updated_at)
  await trx
    .updateTable('external_calendar_settings')
    .set(settings)
    .where('calendar_id', '=', calendarId)
    .execute()
}

/** Counts the appointments of a calendar whose event is out of date. Source: rule G11. */
export async function countOutdatedEvents(db: Db, calendarId: string): Promise<number> {
  const { count } = await db
    .selectFrom('appointments')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('calendar_id', '=', calendarId)
    .where('needs_google_sync', '=', true)
    .executeTakeFirstOrThrow()
  return count
}
