import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { CalendarProviderName } from '#server/ports/external-calendar.ts'

/** The content of an email to an owner about a connection. */
export type ReportedConnection = {
  readonly owner: { readonly name: string; readonly email: string }
  readonly provider: CalendarProviderName
  readonly accountName: string
  readonly problem: string | null
  /** The calendars that use the connection. */
  readonly calendars: readonly { readonly id: string; readonly name: string }[]
}

/** Finds a connection whose owner was notified of its expiry at `toldAt`, and that has not been renewed since. */
export function findExpiredConnection(db: Db, id: string, toldAt: Date): Promise<ReportedConnection | null> {
  return findNotifiedConnection(db, id, { state: 'expired', column: 'expiry_told_at', toldAt })
}

/**
 * Finds a connection whose owner was notified at `toldAt` that it cannot be read, and that has not been read
 * successfully since.
 */
export function findFailingConnection(db: Db, id: string, toldAt: Date): Promise<ReportedConnection | null> {
  return findNotifiedConnection(db, id, { state: 'active', column: 'trouble_told_at', toldAt })
}

/**
 * Marks the owner as notified about a failing connection. Returns false if they were already notified, or if it started
 * failing after `failingBefore`. Source: rule G17.
 */
export async function markFailureReported(
  trx: Trx,
  id: string,
  { at, failingBefore }: { readonly at: Date; readonly failingBefore: Date },
): Promise<boolean> {
  const result = await trx
    .updateTable('calendar_connections')
    .set({ trouble_told_at: at })
    .where('id', '=', id)
    .where('state', '=', 'active')
    .where('trouble_told_at', 'is', null)
    .where('failing_since', '<=', failingBefore)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

async function findNotifiedConnection(
  db: Db,
  id: string,
  {
    state,
    column,
    toldAt,
  }: {
    readonly state: 'active' | 'expired'
    readonly column: 'expiry_told_at' | 'trouble_told_at'
    readonly toldAt: Date
  },
): Promise<ReportedConnection | null> {
  const connection = await db
    .selectFrom('calendar_connections')
    .innerJoin('profiles', 'profiles.id', 'calendar_connections.user_id')
    .select(['provider', 'account_name', 'problem', 'full_name', 'email'])
    .where('calendar_connections.id', '=', id)
    .where('state', '=', state)
    .where(column, '=', toldAt)
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
    problem: connection.problem,
    calendars,
  }
}
