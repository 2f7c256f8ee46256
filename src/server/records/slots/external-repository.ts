import { HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'

/** How old the copy of an external calendar may be before it counts as unchecked (rule G8), in milliseconds. */
const OLDEST_TRUSTED_MS = 24 * HOUR_MS
/** Where customers are offered nothing unless the calendar was checked: three polls were missed. */
const OLDEST_CHECKED_MS = 30 * MINUTE_MS

/**
 * SQL for what the person of a calendar has read of external calendars: `used`, of `reader`, for the calendar `own`. `reader` is `own` or
 * another calendar of its person. The argument is SQL. Source: rule G31.
 */
function fromRead(calendarId: string): string {
  return `calendars as own
      join calendars as reader on reader.host_id = own.host_id
      join used_external_calendars as used on used.calendar_id = reader.id and used.reads_busy_times
        and own.id = ${calendarId}`
}

/** SQL for the ids of the external calendars that count as busy for a calendar, some more than once. The argument is SQL. */
export function selectReadCalendarIds(calendarId: string): string {
  return `select used.external_calendar_id from ${fromRead(calendarId)}`
}

/** SQL for whether `taken` is the event of an appointment of the person. It counts as an appointment. Source: rule G5. */
function isOwnEvent(personId: string): string {
  return `(select holder.host_id from calendars as holder where holder.id = taken.appointment_calendar_id)
          is not distinct from ${personId}`
}

/**
 * SQL for the external busy times of a calendar that reach into `[from, until)`, as `starts_at` and `ends_at`. The arguments are
 * SQL. An external calendar that several calendars of the person read is taken once. The events of their appointments are left out.
 * Source: rules G5, G6 and G31.
 *
 * The range is a subquery so that PostgreSQL keeps one plan of the whole statement. With the range itself it estimates fewer rows
 * for each present range than for any range, and plans the statement anew for every booking, which takes 1 ms.
 */
export function selectExternalTimes(calendarId: string, from: string, until: string): string {
  return `select taken.starts_at, taken.ends_at
      from (
        select distinct own.host_id, used.external_calendar_id from ${fromRead(calendarId)}
      ) as counting
      join external_busy_times as taken on taken.external_calendar_id = counting.external_calendar_id
      where not ${isOwnEvent('counting.host_id')}
        and tstzrange(taken.starts_at, taken.ends_at) && (select tstzrange(${from}, ${until}))`
}

/** SQL for whether any calendar of a person reads an external calendar. The argument is SQL. */
export function readsExternalSql(personId: string): string {
  return `exists (
      select from calendars as reader
      join used_external_calendars as used on used.calendar_id = reader.id and used.reads_busy_times
      where reader.host_id = ${personId}
    )`
}

/**
 * SQL for whether an external calendar that counts for a calendar cannot be checked, and its owner wants nothing to be offered then. The
 * setting is that of the calendar itself when it reads the external calendar, else that of each other calendar of its person that does.
 * The arguments are SQL. Source: rules G8 and G31.
 */
export function hasUncheckedCalendarSql(calendarId: string, now: string): string {
  const isOlderThan = (ms: number) =>
    `(external.synced_at is null or external.synced_at < ${now} - interval '${ms / 1_000} seconds')`
  return `exists (
      select from ${fromRead(calendarId)}
      join external_calendars as external on external.id = used.external_calendar_id and not external.is_gone
      join calendar_connections as connection on connection.id = external.connection_id
      left join external_calendar_settings as settings on settings.calendar_id = reader.id
      where (reader.id = own.id or not exists (
          select from used_external_calendars as use_itself
          where use_itself.calendar_id = own.id and use_itself.external_calendar_id = external.id
            and use_itself.reads_busy_times
        ))
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
  `select ${hasUncheckedCalendarSql('$1::uuid', '$2::timestamptz')} as is_unchecked`,
)

/** Whether customers are offered nothing at present, because an external calendar cannot be checked. Source: rule G8. */
export async function hasUncheckedCalendar(
  db: Db,
  { calendarId, nowMs }: { readonly calendarId: string; readonly nowMs: number },
): Promise<boolean> {
  const [row] = await selectUnchecked(db, [calendarId, new Date(nowMs)])
  return row?.is_unchecked ?? false
}

/** An event in an external calendar, as its owner sees it. */
export type ExternalEventLabel = { readonly title: string | null; readonly calendar_name: string }

const selectEvent = prepareStatement<ExternalEventLabel>(
  'external-event-at',
  `select taken.title, external.name as calendar_name
  from ${fromRead('$1')}
  join external_calendars as external on external.id = used.external_calendar_id
  join external_busy_times as taken on taken.external_calendar_id = external.id
  where not ${isOwnEvent('own.host_id')}
    and tstzrange(taken.starts_at, taken.ends_at) && tstzrange($2::timestamptz, $3::timestamptz)
  order by taken.starts_at limit 1`,
)

/** The first event of the person's external calendars that touches a stretch of time; null when there is none. */
export async function findExternalEvent(
  db: Db,
  { calendarId, during }: { readonly calendarId: string; readonly during: Interval },
): Promise<ExternalEventLabel | null> {
  const [row] = await selectEvent(db, [calendarId, new Date(during.startMs), new Date(during.endMs)])
  return row ?? null
}
