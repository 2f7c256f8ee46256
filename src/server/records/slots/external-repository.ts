import { HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'

/** Age from which the stored copy of an external calendar counts as unchecked (rule G8), in milliseconds. */
const OLDEST_TRUSTED_MS = 24 * HOUR_MS
/**
 * The same age for owners who want no times offered while a calendar is unchecked, in milliseconds: three missed polls.
 */
const OLDEST_CHECKED_MS = 30 * MINUTE_MS

/**
 * SQL for the external calendars whose busy times count for calendar `own`: all those (`used`) that any calendar of the
 * same person (`reader`) reads. The argument is SQL for the calendar's id. Source: rule G31.
 */
function fromRead(calendarId: string): string {
  return `calendars as own
      join calendars as reader on reader.host_id = own.host_id
      join used_external_calendars as used on used.calendar_id = reader.id and used.reads_busy_times
        and own.id = ${calendarId}`
}

/**
 * SQL for the ids of the external calendars whose busy times count for a calendar; an id can occur several times. The
 * argument is SQL.
 */
export function selectReadExternalCalendarIds(calendarId: string): string {
  return `select used.external_calendar_id from ${fromRead(calendarId)}`
}

/**
 * SQL that is true when the busy time `taken` is the event of one of the person's appointments, which already counts as
 * an appointment. Source: rule G5.
 */
function isOwnEvent(personId: string): string {
  return `(select holder.host_id from calendars as holder where holder.id = taken.appointment_calendar_id)
          is not distinct from ${personId}`
}

/**
 * SQL for the external busy times of a calendar that overlap `[from, until)`, as `starts_at` and `ends_at`. The
 * arguments are SQL. An external calendar that several calendars of the person read counts once. Events of the person's
 * own appointments are left out. Source: rules G5, G6 and G31.
 *
 * The range is in a subquery so that PostgreSQL keeps one generic plan for the statement. With the plain range, it
 * estimates fewer rows for a concrete range than for a generic one, and replans the statement for every booking, which
 * takes 1 ms.
 */
export function selectExternalBusyTimes(calendarId: string, from: string, until: string): string {
  return `select taken.starts_at, taken.ends_at
      from (
        select distinct own.host_id, used.external_calendar_id from ${fromRead(calendarId)}
      ) as counting
      join external_busy_times as taken on taken.external_calendar_id = counting.external_calendar_id
      where not ${isOwnEvent('counting.host_id')}
        and tstzrange(taken.starts_at, taken.ends_at) && (select tstzrange(${from}, ${until}))`
}

/**
 * SQL that is true when any calendar of a person reads an external calendar. The argument is SQL for the person's id.
 */
export function readsExternalCalendarSql(personId: string): string {
  return `exists (
      select from calendars as reader
      join used_external_calendars as used on used.calendar_id = reader.id and used.reads_busy_times
      where reader.host_id = ${personId}
    )`
}

/**
 * SQL for the external calendars (`external`, with their `connection`) whose busy times count for a calendar and that
 * cannot be checked, where the owner wants no times offered then. The calendar's own setting applies if it reads the external calendar itself, otherwise
 * the settings of the person's other calendars that read it. The arguments are SQL. Source: rules G8 and G31.
 */
function fromUnchecked(calendarId: string, now: string): string {
  const isOlderThan = (ms: number) =>
    `(external.synced_at is null or external.synced_at < ${now} - interval '${ms / 1_000} seconds')`
  return `${fromRead(calendarId)}
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
        end`
}

/** SQL that is true when a calendar offers nothing because of an external calendar. The arguments are SQL. Source: rule G8. */
export function hasUncheckedExternalCalendarSql(calendarId: string, now: string): string {
  return `exists (select from ${fromUnchecked(calendarId, now)})`
}

const selectUnchecked = prepareStatement<{ is_unchecked: boolean }>(
  'external-calendars-unchecked',
  `select ${hasUncheckedExternalCalendarSql('$1::uuid', '$2::timestamptz')} as is_unchecked`,
)

/**
 * True when customers are currently offered no times, because an external calendar cannot be checked. Source: rule G8.
 */
export async function hasUncheckedExternalCalendar(
  db: Db,
  { calendarId, nowMs }: { readonly calendarId: string; readonly nowMs: number },
): Promise<boolean> {
  const [row] = await selectUnchecked(db, [calendarId, new Date(nowMs)])
  return row?.is_unchecked ?? false
}

/** The most external calendars that are named as unchecked. */
const NAMED_UNCHECKED = 5

/** An external calendar that cannot be checked, as its owner sees it. */
export type UncheckedCalendarLabel = {
  readonly name: string
  readonly account_name: string
  /** When it was last read; null when never. */
  readonly read_at: string | null
}

const selectUncheckedCalendars = prepareStatement<
  Omit<UncheckedCalendarLabel, 'read_at'> & { readonly synced_at: Date | null }
>(
  'external-calendars-unchecked-named',
  `select distinct external.id, external.name, connection.account_name, external.synced_at
  from ${fromUnchecked('$1::uuid', '$2::timestamptz')}
  order by external.synced_at nulls first, external.id limit ${NAMED_UNCHECKED}`,
)

/** Lists the external calendars that cannot be checked, the longest unread first. Source: rule G8. */
export async function listUncheckedCalendars(
  db: Db,
  { calendarId, nowMs }: { readonly calendarId: string; readonly nowMs: number },
): Promise<UncheckedCalendarLabel[]> {
  const rows = await selectUncheckedCalendars(db, [calendarId, new Date(nowMs)])
  return rows.map(({ name, account_name, synced_at }) => ({
    name,
    account_name,
    read_at: synced_at?.toISOString() ?? null,
  }))
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

/** Finds the first event in the person's external calendars that overlaps an interval. Null when there is none. */
export async function findExternalEvent(
  db: Db,
  { calendarId, during }: { readonly calendarId: string; readonly during: Interval },
): Promise<ExternalEventLabel | null> {
  const [row] = await selectEvent(db, [calendarId, new Date(during.startMs), new Date(during.endMs)])
  return row ?? null
}
