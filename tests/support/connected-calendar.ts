import type { LightMyRequestResponse } from 'fastify'
import type {
  CalendarAuthorizationBody,
  ExternalCalendars,
} from '#contract/external-calendars/external-calendars.ts'
import { PENDING_EVENTS_JOB } from '#server/areas/external-calendars/events/job-definitions.ts'
import { makeCalendar, makeOwner, type TestMeridian, type TestOwner } from './meridian.ts'
import { waitUntil } from './race-track.ts'

/** Providers with a consent page. */
export type ConsentProvider = 'google' | 'microsoft'

/** Starts to connect a provider. Returns the parameters in the consent page's URL. */
export async function startConnecting(
  meridian: TestMeridian,
  { owner, calendarId }: { readonly owner: TestOwner; readonly calendarId: string },
  payload: CalendarAuthorizationBody = {},
  provider: ConsentProvider = 'google',
): Promise<URL> {
  const answer = await meridian
    .as(owner)
    .post(`/api/calendars/${calendarId}/external-calendars/${provider}/authorization`, payload)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return new URL(answer.json().authorization_url)
}

/** Sends the request that the browser sends when the provider redirects it back. */
export function returnFromProvider(
  meridian: TestMeridian,
  cookie: string | undefined,
  query: Readonly<Record<string, string>>,
  provider: ConsentProvider = 'google',
): Promise<LightMyRequestResponse> {
  const url = `/api/calendar-connections/callback/${provider}?${new URLSearchParams(query)}`
  return meridian.as({ cookie }).get(url)
}

/** Reads the calendar's external-calendar settings. */
export async function readExternalCalendars(
  meridian: TestMeridian,
  { owner, calendarId }: { readonly owner: TestOwner; readonly calendarId: string },
): Promise<ExternalCalendars> {
  const answer = await meridian.as(owner).get(`/api/calendars/${calendarId}/external-calendars`)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json()
}

export type ConnectedOwner = {
  readonly owner: TestOwner
  readonly calendarId: string
  readonly connectionId: string
  /** The id of the external calendar that is read. */
  readonly externalCalendarId: string
}

/** Makes an owner whose new calendar reads the main calendar of `account` at the fake Google. */
export async function makeConnectedOwner(
  meridian: TestMeridian,
  account: string,
  {
    owner: given,
    access = 'read' as 'read' | 'write',
  }: { owner?: TestOwner; access?: 'read' | 'write' } = {},
): Promise<ConnectedOwner & { readonly slug: string; readonly personName: string }> {
  const owner = given ?? (await makeOwner(meridian, { tier: 'business' }))
  const { id: calendarId, slug, person } = await makeCalendar(meridian, owner)
  const url = await startConnecting(meridian, { owner, calendarId }, { access })
  const state = url.searchParams.get('state') ?? ''
  const answer = await returnFromProvider(meridian, owner.cookie, { state, code: account })
  if (answer.headers.location?.includes('success') !== true) throw new Error(`${answer.headers.location}`)
  const { connections } = await readExternalCalendars(meridian, { owner, calendarId })
  const connection = connections.find(({ account_name }) => account_name === `${account}@example.com`)
  const calendar = connection?.calendars.find(({ reads_busy_times }) => reads_busy_times)
  if (connection === undefined || calendar === undefined) throw new Error('nothing is read')
  return {
    owner,
    calendarId,
    slug,
    connectionId: connection.id,
    externalCalendarId: calendar.id,
    personName: person.name,
  }
}

/** Lists other people's busy times in our copy of an external calendar, as sorted `start end` lines. */
export async function listStoredBusyTimes(
  { database }: TestMeridian,
  externalCalendarId: string,
): Promise<string[]> {
  const rows = await database.db
    .selectFrom('external_busy_times')
    .select(['starts_at', 'ends_at'])
    .where('external_calendar_id', '=', externalCalendarId)
    .where('appointment_calendar_id', 'is', null)
    .execute()
  return rows.map((row) => `${row.starts_at.toISOString()} ${row.ends_at.toISOString()}`).sort()
}

/** Waits until no job about external calendars is running or due, including the job that writes waiting events. */
export function waitUntilCalendarJobsFinish(meridian: TestMeridian): Promise<void> {
  return waitUntilJobsFinish(meridian, ['calendar-%', PENDING_EVENTS_JOB.name])
}

/** Waits until no job with a matching name is running or due. `patterns` are SQL `like` patterns. Fails after 60 s. */
export async function waitUntilJobsFinish(
  { database }: TestMeridian,
  patterns: readonly string[],
): Promise<void> {
  await waitUntil(async () => {
    const { rows } = await database.execute(
      `select name, state from pgboss.job where name like any ($1::text[])
        and state in ('created', 'active', 'retry') and start_after <= now() limit 1`,
      [patterns],
    )
    return rows.length === 0 || JSON.stringify(rows)
  })
}
