import { sql } from 'kysely'
import { LIMITS } from '#contract/shared/limits.ts'
import type { StartReason } from '#core/slots/explain-start.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { RefusedStart } from './start-refusal.ts'

/**
 * Inserts a refusal, or counts it if the same one was stored in the same hour. Deletes the oldest beyond the limit of a
 * calendar. Takes no lock on the calendar; refusals at the same moment can get the same number.
 */
export async function insertRefusal(
  db: Db,
  { calendarId, typeId, startsAtMs, reasons }: RefusedStart,
  at: Date,
): Promise<void> {
  await sql`
    with kept as (
      insert into refusals (calendar_id, number, at, starts_at, appointment_type_id, reasons)
      select ${calendarId}::uuid, coalesce(max(number), 0) + 1, ${at}::timestamptz, ${new Date(startsAtMs)}::timestamptz,
        ${typeId}::uuid, ${[...reasons]}::text[]
      from refusals where calendar_id = ${calendarId}
      on conflict (calendar_id, starts_at, appointment_type_id, reasons, date_trunc('hour', at at time zone 'UTC'))
        do update set times = refusals.times + 1, at = excluded.at
      returning number
    )
    delete from refusals using kept
    where calendar_id = ${calendarId} and refusals.number <= kept.number - ${LIMITS.refusalsPerCalendar}`.execute(
    db,
  )
}

export type StoredRefusal = {
  readonly id: string
  /** The driver returns a bigint as text. */
  readonly number: string
  readonly at: Date
  readonly times: number
  readonly starts_at: Date
  readonly reasons: StartReason[]
  /** The type's current name; null when it was deleted, or when no type was wanted. */
  readonly appointment_type_name: string | null
}

/** Lists refusals of a calendar by number, newest first: those before a number, and only those of one start if given. */
export function listRefusals(
  db: Db,
  calendarId: string,
  {
    before,
    startsAt,
    typeId,
    limit,
  }: {
    readonly before?: string | undefined
    readonly startsAt?: Date
    /** The type of the refusals; undefined for all, null for those without a type. */
    readonly typeId?: string | null
    readonly limit: number
  },
): Promise<StoredRefusal[]> {
  return db
    .selectFrom('refusals')
    .leftJoin('appointment_types as types', (join) =>
      join
        .onRef('types.calendar_id', '=', 'refusals.calendar_id')
        .onRef('types.id', '=', 'refusals.appointment_type_id'),
    )
    .select([
      'refusals.id',
      'number',
      'at',
      'times',
      'starts_at',
      'reasons',
      'types.name as appointment_type_name',
    ])
    .where('refusals.calendar_id', '=', calendarId)
    .$if(before !== undefined, (query) => query.where('number', '<', before ?? ''))
    .$if(startsAt !== undefined, (query) => query.where('starts_at', '=', startsAt ?? new Date(0)))
    .$if(typeId !== undefined, (query) =>
      query.where('appointment_type_id', 'is not distinct from', typeId ?? null),
    )
    .orderBy('number', 'desc')
    .orderBy('refusals.id')
    .limit(limit)
    .execute()
}
