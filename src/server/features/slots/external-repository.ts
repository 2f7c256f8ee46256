import { HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'

/** How old the copy of an external calendar may be before it counts as unchecked (rule G8), in milliseconds. */
const OLDEST_TRUSTED_MS = 24 * HOUR_MS
/** Where customers are offered nothing unless the calendar was checked: three polls were missed. */
const OLDEST_CHECKED_MS = 30 * MINUTE_MS

/**
 * SQL for the external busy times of a calendar that reach into `[from, until)`, as `starts_at` and `ends_at`. The arguments are
 * SQL. The events of its own appointments are left out. Source: rules G5 and G6.
 *
 * The range is a subquery so that PostgreSQL keeps one plan of the whole statement. With the range itself it estimates fewer rows
 * for each present range than for any range, and plans the statement anew for every booking, which takes 1 ms.
 */
export function selectExternalTimes(calendarId: string, from: string, until: string): string {
  return `select taken.starts_at, taken.ends_at from used_external_calendars as used
      join external_busy_times as taken on taken.external_calendar_id = used.external_calendar_id
      where used.calendar_id = ${calendarId} and used.reads_busy_times
        and taken.appointment_calendar_id is distinct from used.calendar_id
        and tstzrange(taken.starts_at, taken.ends_at) && (select tstzrange(${from}, ${until}))`
}

/** SQL for whether a calendar reads any external calendar. The argument is SQL. */
export function readsExternalSql(calendarId: string): string {
  return `exists (select from used_external_calendars where calendar_id = ${calendarId} and reads_busy_times)`
}

/**
 * SQL for whether an external calendar that a calendar reads cannot be checked, and its owner wants nothing to be offered then.
 * The arguments are SQL. Source: rule G8.
 */
export function isUncheckedSql(calendarId: string, now: string): string {
  const isOlderThan = (ms: number) =>
    `(external.synced_at is null or external.synced_at < ${now} - interval '${ms / 1_000} seconds')`
  return `exists (
      select from used_external_calendars as used
      join external_calendars as external on external.id = used.external_calendar_id and not external.is_gone
      join calendar_connections as connection on connection.id = external.connection_id
      left join external_calendar_settings as settings on settings.calendar_id = used.calendar_id
      where used.calendar_id = ${calendarId} and used.reads_busy_times
        and case coalesce(settings.when_unchecked, 'trust_copy')
          when 'trust_copy' then ${isOlderThan(OLDEST_TRUSTED_MS)}
          when 'offer_nothing' then connection.state <> 'active' or connection.failed_attempts > 0
            or external.missing_since is not null or ${isOlderThan(OLDEST_CHECKED_MS)}
          else false
        end
    )`
}

const selectUnchecked = prepareStatement<{ is_unchecked: boolean }>(
  'external-calendars-unchecked',
  `select ${isUncheckedSql('$1::uuid', '$2::timestamptz')} as is_unchecked`,
)

/** Whether customers are offered nothing at present, because an external calendar cannot be checked. Source: rule G8. */
export async function isUnchecked(
  db: Db,
  { calendarId, nowMs }: { readonly calendarId: string; readonly nowMs: number },
): Promise<boolean> {
  const [row] = await selectUnchecked(db, [calendarId, new Date(nowMs)])
  return row?.is_unchecked ?? false
}

/** An event in an external calendar, as its owner sees it. */
export type ExternalEventName = { readonly title: string | null; readonly calendar_name: string }

const selectEvent = prepareStatement<ExternalEventName>(
  'external-event-at',
  `select taken.title, external.name as calendar_name
  from used_external_calendars as used
  join external_calendars as external on external.id = used.external_calendar_id
  join external_busy_times as taken on taken.external_calendar_id = external.id
  where used.calendar_id = $1 and used.reads_busy_times
    and taken.appointment_calendar_id is distinct from used.calendar_id
    and tstzrange(taken.starts_at, taken.ends_at) && tstzrange($2::timestamptz, $3::timestamptz)
  order by taken.starts_at limit 1`,
)

/** The first event of the owner's external calendars that touches a stretch of time; null when there is none. */
export async function findExternalEvent(
  db: Db,
  { calendarId, during }: { readonly calendarId: string; readonly during: Interval },
): Promise<ExternalEventName | null> {
  const [row] = await selectEvent(db, [calendarId, new Date(during.startMs), new Date(during.endMs)])
  return row ?? null
}
