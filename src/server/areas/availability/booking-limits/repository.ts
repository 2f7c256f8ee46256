import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { type BookingLimit, LIMIT_PERIODS } from '#core/slots/booking-limits.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** Whose limits: those of a calendar, or of one of its types. */
export type LimitsKey = { readonly calendarId: string; readonly typeId: string | null }

/** SQL for the limits of a calendar, or of one of its types, as a list. The arguments are SQL. */
export function limitsSql(calendarId: RawBuilder<unknown>, typeId: RawBuilder<unknown>) {
  return sql<BookingLimit[]>`(
    select coalesce(
      jsonb_agg(
        jsonb_build_object('most', most, 'unit', unit, 'period', period)
        order by unit, array_position(${[...LIMIT_PERIODS]}::text[], period)
      ),
      '[]'
    ) from booking_limits
    where booking_limits.calendar_id = ${calendarId} and appointment_type_id is not distinct from ${typeId}
  )`
}

export async function listLimits(db: Db, { calendarId, typeId }: LimitsKey): Promise<BookingLimit[]> {
  const { limits } = await db
    .selectNoFrom(limitsSql(sql`${calendarId}::uuid`, sql`${typeId}::uuid`).as('limits'))
    .executeTakeFirstOrThrow()
  return limits
}

/** Replaces the limits of a locked calendar, or of one of its types. */
export async function replaceLimits(
  trx: Trx,
  { calendarId, typeId }: LimitsKey,
  limits: readonly BookingLimit[],
): Promise<void> {
  await trx
    .deleteFrom('booking_limits')
    .where('calendar_id', '=', calendarId)
    .where(sql<boolean>`appointment_type_id is not distinct from ${typeId}::uuid`)
    .execute()
  if (limits.length === 0) return
  await trx
    .insertInto('booking_limits')
    .values(
      limits.map(({ period, unit, most }) => ({
        calendar_id: calendarId,
        id: randomUUID(),
        appointment_type_id: typeId,
        period,
        unit,
        most,
      })),
    )
    .execute()
}

/** Counts the limits of a calendar, including those of its types. */
export async function countLimitRows(db: Db, calendarId: string): Promise<number> {
  const { count } = await db
    .selectFrom('booking_limits')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('calendar_id', '=', calendarId)
    .executeTakeFirstOrThrow()
  return count
}
