import { type RawBuilder, sql } from 'kysely'
import type { Interval } from '#core/shared/interval.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** A calendar and an appointment type. */
type OfType = { readonly calendarId: string; readonly typeId: string | null }

/** A free start, and the number of the scan that first found it free. */
type FreeStart = { readonly startMs: number; readonly scanNumber: number }

/**
 * Returns the number of a new scan of a calendar's free times. Scans of one calendar wait for each other here, so a
 * higher number means that its free times were read later.
 */
export async function reserveScanNumber(trx: Trx, calendarId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`free times of ${calendarId}`}, 0))`.execute(trx)
  const { rows } = await sql<{ no: number }>`select nextval('waiting_look_numbers')::float8 as no`.execute(
    trx,
  )
  const [row] = rows
  if (row === undefined) throw new Error('a sequence always has a next value')
  return row.no
}

/**
 * Stores the starts that a scan has found free. New starts get the scan's number; starts within `during` that are no
 * longer free are deleted.
 */
export async function storeFreeTimes(
  trx: Trx,
  { calendarId, typeId }: OfType,
  scan: {
    readonly scanNumber: number
    readonly nowMs: number
    readonly during: Interval
    readonly startsMs: readonly number[]
    readonly durationMinutes: number
  },
): Promise<void> {
  const { scanNumber, nowMs, during, startsMs, durationMinutes } = scan
  const seconds = startsMs.map((startMs) => startMs / 1000)
  await sql`
    with free as (
      select to_timestamp(seconds) as starts_at from unnest(${seconds}::float8[]) as seconds
    ), gone as (
      delete from waiting_free_times
      where calendar_id = ${calendarId} and appointment_type_id is not distinct from ${typeId}::uuid
        and starts_at < ${new Date(during.endMs)}
        and (starts_at >= ${new Date(during.startMs)} or starts_at < ${new Date(nowMs)})
        and starts_at not in (select starts_at from free)
    )
    insert into waiting_free_times (calendar_id, appointment_type_id, starts_at, ends_at, look_no)
    select ${calendarId}::uuid, ${typeId}::uuid, starts_at, starts_at + make_interval(mins => ${durationMinutes}), ${scanNumber}::bigint
    from free
    on conflict (calendar_id, appointment_type_id, starts_at) do update set ends_at = excluded.ends_at
      where waiting_free_times.ends_at <> excluded.ends_at`.execute(trx)
}

/** Lists the starts that were first found free by a scan later than `after`, in order of time. */
export async function listStartsFreedSince(
  db: Db,
  { calendarId, typeId }: OfType,
  { after, during }: { readonly after: number; readonly during: Interval },
): Promise<FreeStart[]> {
  const { rows } = await sql<{ starts_at: Date; look_no: number }>`
    select starts_at, look_no::float8 from waiting_free_times
    where calendar_id = ${calendarId} and appointment_type_id is not distinct from ${typeId}::uuid
      and starts_at >= ${new Date(during.startMs)} and starts_at < ${new Date(during.endMs)} and look_no > ${after}
    order by starts_at`.execute(db)
  return rows.map((row) => ({ startMs: row.starts_at.getTime(), scanNumber: row.look_no }))
}

/**
 * Deletes the stored free times whose own preparation, time or wrap-up is within the time that an appointment occupied,
 * so that the next scan finds them as newly free. On calendars of the same person, the larger buffer of the two calendars
 * is added to that time; on other calendars, no buffer is. Source: rules T12, T13, T39 and T47.
 */
export async function deleteFreeTimes(
  trx: Trx,
  {
    calendarId,
    calendarIds,
    during,
  }: { readonly calendarId: string; readonly calendarIds: readonly string[]; readonly during: Interval },
): Promise<void> {
  const buffer = sql`case when calendars.host_id = own.host_id
    then make_interval(mins => greatest(calendars.buffer_time_minutes, own.buffer_time_minutes)) else interval '0' end`
  const ofType = (minutes: RawBuilder<unknown>) => sql`make_interval(mins => coalesce((
    select ${minutes} from appointment_types as type
    where type.calendar_id = waiting_free_times.calendar_id and type.id = waiting_free_times.appointment_type_id
  ), 0))`
  await sql`
    delete from waiting_free_times using calendars, calendars as own
    where calendars.id = any (${[...calendarIds]}::uuid[]) and waiting_free_times.calendar_id = calendars.id
      and own.id = ${calendarId}
      and starts_at - ${ofType(sql`prepare_minutes`)} < ${new Date(during.endMs)}::timestamptz + (${buffer})
      and ends_at + ${ofType(sql`wrap_up_minutes`)} > ${new Date(during.startMs)}::timestamptz - (${buffer})`.execute(
    trx,
  )
}
