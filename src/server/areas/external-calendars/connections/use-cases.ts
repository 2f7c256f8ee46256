import type { z } from 'zod'
import type {
  CalendarConnection,
  CalendarProviderName,
  ExternalCalendar,
  ExternalCalendars,
  ExternalEvents,
  externalEventsQuery,
} from '#contract/external-calendars/external-calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { listCalendarClocks } from '#server/records/calendars/repository.ts'
import { getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { hasUncheckedExternalCalendar } from '#server/records/slots/external-repository.ts'
import { listOverlappingEvents } from './busy-repository.ts'
import { listSelectableExternalCalendars, type SelectableExternalCalendar } from './calendar-repository.ts'
import { type ConnectionRow, listOwnConnections } from './connection-repository.ts'
import type { ExternalCalendarsDeps } from './deps.ts'
import { countOutdatedEvents, getExternalCalendarSettings } from './settings-repository.ts'
import { listUnreadableEvents, type UnreadableEvents } from './unreadable-repository.ts'

const PROVIDERS = ['google', 'microsoft', 'caldav', 'ics'] as const satisfies readonly CalendarProviderName[]

type Deps = Pick<ExternalCalendarsDeps, 'db' | 'now' | 'baseUrl' | 'calendarProviders'>

/**
 * Lists the owner's accounts at calendar providers, and how one of the owner's calendars uses them.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function getExternalCalendars(
  deps: Deps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<ExternalCalendars> {
  await getOwnCalendar(deps, ownerId, calendarId)
  const connections = await listOwnConnections(deps.db, ownerId)
  const calendars = await listSelectableExternalCalendars(deps.db, ownerId, calendarId)
  const unreadable = await listUnreadableEvents(deps.db, ownerId)
  return {
    offered: PROVIDERS.filter((name) => deps.calendarProviders[name] !== undefined),
    sandbox: PROVIDERS.flatMap((provider) => {
      const page = deps.calendarProviders[provider]?.sandboxPage
      return page === undefined ? [] : [{ provider, page }]
    }),
    connections: connections.map((connection) => toConnection(deps, connection, { calendars, unreadable })),
    settings: await getExternalCalendarSettings(deps.db, calendarId),
    waiting_events: await countOutdatedEvents(deps.db, calendarId),
    offers_nothing: await hasUncheckedExternalCalendar(deps.db, { calendarId, nowMs: deps.now() }),
  }
}

function toConnection(
  deps: Pick<Deps, 'calendarProviders'>,
  connection: ConnectionRow,
  {
    calendars,
    unreadable,
  }: {
    readonly calendars: readonly SelectableExternalCalendar[]
    readonly unreadable: ReadonlyMap<string, UnreadableEvents>
  },
): CalendarConnection {
  return {
    id: connection.id,
    provider: connection.provider,
    account_name: connection.account_name,
    state: connection.state,
    problem: connection.problem,
    troubled_since:
      connection.trouble_told_at === null ? null : (connection.failing_since?.toISOString() ?? null),
    last_success_at: connection.last_success_at?.toISOString() ?? null,
    next_sync_at: connection.next_sync_at.toISOString(),
    can_write: allowsWritingEvents(deps, connection),
    calendars: calendars
      .filter(({ connection_id }) => connection_id === connection.id)
      .map((calendar) => ({
        id: calendar.id,
        name: calendar.name,
        color: calendar.color,
        is_primary: calendar.is_primary,
        can_write: calendar.can_write,
        is_gone: calendar.is_gone,
        synced_at: calendar.synced_at?.toISOString() ?? null,
        reads_busy_times: calendar.reads_busy_times,
        writes_events: calendar.writes_events,
        unreadable_events: unreadable.get(calendar.id) ?? { count: 0, first: [] },
        read_by_other: toReader(calendar),
      })),
  }
}

function toReader({ reader_id, reader_name }: SelectableExternalCalendar): ExternalCalendar['read_by_other'] {
  return reader_id === null || reader_name === null ? null : { id: reader_id, name: reader_name }
}

/**
 * True when an account allows us to write events. Providers without a consent page have no separate permission for
 * writing.
 */
export function allowsWritingEvents(
  { calendarProviders }: Pick<Deps, 'calendarProviders'>,
  connection: Pick<ConnectionRow, 'provider' | 'granted_scopes'>,
): boolean {
  const provider = calendarProviders[connection.provider]
  if (!provider?.events) return false
  return provider.authorization?.allowsWriting(connection.granted_scopes) ?? true
}

/**
 * Lists the events in external calendars that a calendar uses or whose busy times count for it, for the owner's day and
 * week views. Without a calendar, those of all calendars of the owner. Events that we wrote are left out, because they are
 * appointments. Source: rule G23.
 * @throws ProblemError `calendar.*`, `external_calendar.range_invalid`
 */
export async function listExternalEvents(
  deps: Deps,
  ownerId: OwnerId,
  { calendarId, from, until }: z.output<typeof externalEventsQuery> & { readonly calendarId?: string },
): Promise<ExternalEvents> {
  const calendars =
    calendarId === undefined
      ? await listCalendarClocks(deps.db, ownerId)
      : [await getOwnCalendar(deps, ownerId, calendarId)]
  const during = { startMs: Date.parse(from), endMs: Date.parse(until) }
  const lengthMs = during.endMs - during.startMs
  // Allow one more day, because the week in which clocks go back is an hour longer.
  if (lengthMs <= 0 || lengthMs > (LIMITS.daysRange + 1) * DAY_MS) {
    throw new ProblemError('external_calendar.range_invalid')
  }
  const rows = await listOverlappingEvents(
    deps.db,
    calendars.map(({ id }) => id),
    during,
  )
  return {
    events: rows.map((row) => ({
      external_calendar_id: row.external_calendar_id,
      calendar_name: row.name,
      title: row.title,
      color: row.color,
      starts_at: row.starts_at.toISOString(),
      ends_at: row.ends_at.toISOString(),
      is_all_day: row.is_all_day,
    })),
  }
}
