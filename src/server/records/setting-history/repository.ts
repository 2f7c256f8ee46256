import { type RawBuilder, sql } from 'kysely'
import { KIND_OF_CALENDAR_COLUMN, KIND_OF_TABLE, type SettingKind } from '#core/calendars/setting-kinds.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'

export type StoredColumns = Readonly<Record<string, unknown>> | null

/** A changed row as its trigger recorded it. */
export type StoredSettingChange = {
  /** The driver returns a bigint as text. */
  readonly number: string
  readonly at: Date
  readonly by: 'you' | 'other' | 'meridian'
  readonly what: string
  readonly name: string | null
  readonly before: StoredColumns
  readonly after: StoredColumns
}

/** Lists the changed rows of a calendar, newest first: those before a number, and only those of one kind if given. */
export async function listSettingChanges(
  db: Db,
  ownerId: OwnerId,
  calendarId: string,
  {
    before,
    kind,
    limit,
  }: { readonly before: string | undefined; readonly kind: SettingKind | undefined; readonly limit: number },
): Promise<StoredSettingChange[]> {
  const { rows } = await sql<StoredSettingChange>`
    select number, at, what, name, before, after,
      case when who is null then 'meridian' when who = ${ownerId} then 'you' else 'other' end as by
    from setting_history
    where calendar_id = ${calendarId}
      ${before === undefined ? sql`` : sql`and number < ${before}`}
      ${kind === undefined ? sql`` : sql`and (${isOfKind(kind)})`}
    order by number desc, id
    limit ${limit}`.execute(db)
  return rows
}

function isOfKind(kind: SettingKind): RawBuilder<boolean> {
  const keysOf = (kinds: Readonly<Record<string, SettingKind>>) =>
    Object.keys(kinds).filter((key) => kinds[key] === kind)
  const changes =
    kind === 'general'
      ? sql`exists (select from jsonb_object_keys(before) as key where key <> all (${Object.keys(KIND_OF_CALENDAR_COLUMN)}::text[]))`
      : sql`jsonb_exists_any(before, ${keysOf(KIND_OF_CALENDAR_COLUMN)}::text[])`
  return sql<boolean>`what = any (${keysOf(KIND_OF_TABLE)}::text[]) or what = 'calendars' and ${changes}`
}

/** Returns the present names of appointment types, locations and external calendars by their ids. */
export async function findNames(
  db: Db,
  calendarId: string,
  ids: readonly string[],
): Promise<Record<string, string>> {
  if (ids.length === 0) return {}
  const wanted = sql`any (${[...ids]}::uuid[])`
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from appointment_types where calendar_id = ${calendarId} and id = ${wanted}
    union all select id, name from locations where id = ${wanted}
    union all select id, name from external_calendars where id = ${wanted}`.execute(db)
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]))
}
