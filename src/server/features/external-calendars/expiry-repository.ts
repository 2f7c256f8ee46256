import type { Db } from '#server/platform/db/database.ts'
import type { CalendarProviderName } from '#server/ports/external-calendar.ts'

export type ExpiredConnection = {
  readonly owner: { readonly name: string; readonly email: string }
  readonly provider: CalendarProviderName
  readonly accountName: string
  /** Those that use it. */
  readonly calendars: readonly { readonly id: string; readonly name: string }[]
}

/** A connection that expired at that time and was not renewed since. */
export async function findExpiredConnection(
  db: Db,
  id: string,
  toldAt: Date,
): Promise<ExpiredConnection | null> {
  const connection = await db
    .selectFrom('calendar_connections')
    .innerJoin('profiles', 'profiles.id', 'calendar_connections.user_id')
    .select(['provider', 'account_name', 'full_name', 'email'])
    .where('calendar_connections.id', '=', id)
    .where('state', '=', 'expired')
    .where('expiry_told_at', '=', toldAt)
    .executeTakeFirst()
  if (connection === undefined) return null
  const calendars = await db
    .selectFrom('calendars')
    .select(['calendars.id', 'calendars.name'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('used_external_calendars as used')
          .innerJoin('external_calendars as external', 'external.id', 'used.external_calendar_id')
          .select('used.calendar_id')
          .whereRef('used.calendar_id', '=', 'calendars.id')
          .where('external.connection_id', '=', id),
      ),
    )
    .orderBy('calendars.created_at')
    .execute()
  return {
    owner: { name: connection.full_name, email: connection.email },
    provider: connection.provider,
    accountName: connection.account_name,
    calendars,
  }
}
