import { sql } from 'kysely'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'

/** The party that caused a history entry. */
export type HistoryCause = 'owner' | 'customer' | 'external_calendar' | 'product'

export type StoredHistoryEntry = {
  readonly id: string
  readonly at: Date
  readonly kind: string
  readonly causedBy: HistoryCause
  /** The details as stored, possibly by another version of the product. */
  readonly details: Record<string, unknown>
  /** The time zone of the appointment. */
  readonly timeZone: string
  readonly hourCycle: HourCycle
}

/** Inserts the same history entry for several appointments of a calendar. */
export async function insertHistoryEntries(
  trx: Trx,
  { calendarId, ids }: { readonly calendarId: string; readonly ids: readonly string[] },
  entry: {
    readonly at: Date
    readonly kind: string
    readonly causedBy: HistoryCause
    readonly details: object
  },
): Promise<void> {
  await sql`
    insert into appointment_history (calendar_id, id, appointment_id, at, kind, caused_by, details)
    select ${calendarId}::uuid, gen_random_uuid(), appointment_id, ${entry.at}::timestamptz, ${entry.kind}, ${entry.causedBy},
      ${JSON.stringify(entry.details)}::jsonb
    from unnest(${[...ids]}::uuid[]) as about (appointment_id)`.execute(trx)
}

/**
 * Counts the entries of a kind that one party caused. Moves that followed the owner's offer of other times are left
 * out.
 */
export async function countHistoryEntries(
  db: Db,
  { calendarId, id }: AppointmentKey,
  { kind, causedBy }: { readonly kind: string; readonly causedBy: HistoryCause },
): Promise<number> {
  const row = await db
    .selectFrom('appointment_history')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('calendar_id', '=', calendarId)
    .where('appointment_id', '=', id)
    .where('kind', '=', kind)
    .where('caused_by', '=', causedBy)
    .where(sql<boolean>`details -> 'follows_offer' is null`)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/**
 * Returns the newest history entries of an appointment, at most `limit`. Null when the owner has no such appointment.
 */
export async function listHistoryEntries(
  db: Db,
  ownerId: OwnerId,
  { calendarId, id }: AppointmentKey,
  limit: number,
): Promise<StoredHistoryEntry[] | null> {
  const appointment = await db
    .selectFrom('appointments')
    .innerJoin('calendars', 'calendars.id', 'appointments.calendar_id')
    .select(['appointments.time_zone', 'calendars.hour_cycle'])
    .where('calendars.user_id', '=', ownerId)
    .where('appointments.calendar_id', '=', calendarId)
    .where('appointments.id', '=', id)
    .where('released_at', 'is', null)
    .executeTakeFirst()
  if (appointment === undefined) return null
  const rows = await db
    .selectFrom('appointment_history')
    .select(['id', 'at', 'kind', 'caused_by', 'details'])
    .where('calendar_id', '=', calendarId)
    .where('appointment_id', '=', id)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ caused_by: causedBy, ...row }) => ({
    ...row,
    causedBy,
    timeZone: appointment.time_zone,
    hourCycle: appointment.hour_cycle,
  }))
}
