import { expect } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { SyncedOwnEvents } from '#server/areas/external-calendars/connections/deps.ts'
import { writePendingEvents } from '#server/areas/external-calendars/events/write-pending-events.ts'
import type { ExternalChange } from '#server/ports/external-calendar.ts'
import { waitUntilCalendarJobsFinish } from './connected-calendar.ts'
import type { FakeCalendarProvider } from './fake-calendar-provider.ts'
import { TEST_MONDAY, type TestMeridian, type TestOwner } from './meridian.ts'
import { waitUntil } from './race-track.ts'

/** A calendar that writes its appointments to an external calendar of a fake provider. */
export type CalendarWritingEvents = {
  readonly connectionId: string
  readonly externalCalendarId: string
  /** The provider's id of the external calendar. */
  readonly externalId: string
}

/** Two years from the Monday on which the tests' clock starts. */
const WINDOW = { startMs: TEST_MONDAY, endMs: TEST_MONDAY + 730 * 24 * 3_600_000 }

/** Connects the account of this name, and makes the calendar write to the account's only calendar. */
export async function connectAccountToWriteTo(
  meridian: TestMeridian,
  { cookie }: TestOwner,
  { id }: Calendar,
  account: string,
): Promise<CalendarWritingEvents> {
  const connected = await meridian.as({ cookie }).post(`/api/calendars/${id}/external-calendars/caldav`, {
    url: 'https://dav.example',
    username: account,
    password: 'secret',
  })
  expect(connected.statusCode, connected.body).toBe(200)
  const connections: { id: string; calendars: { id: string; name: string }[] }[] =
    connected.json().connections
  const connection = connections.find(({ calendars }) => calendars.some(({ name }) => name === account))
  const external = connection?.calendars.find(({ name }) => name === account)
  if (connection === undefined || external === undefined) throw new Error(`no calendar: ${connected.body}`)
  await chooseCalendarToWriteTo(meridian, { cookie }, { id }, external.id)
  // Meridian has queued a sync and a job that writes events. Wait for them, or they would do the work that a test wants to run
  // itself.
  await waitUntilCalendarJobsFinish(meridian)
  await meridian.database.execute(
    `update calendar_connections set next_sync_at = $2::timestamptz where id = $1`,
    [connection.id, new Date(WINDOW.endMs)],
  )
  return { connectionId: connection.id, externalCalendarId: external.id, externalId: account }
}

/** Makes the calendar write to an external calendar, or to none. */
export async function chooseCalendarToWriteTo(
  meridian: TestMeridian,
  { cookie }: Pick<TestOwner, 'cookie'>,
  { id }: Pick<Calendar, 'id'>,
  writes: string | null,
): Promise<void> {
  const chosen = await meridian
    .as({ cookie })
    .put(`/api/calendars/${id}/external-calendars/choice`, { reads: [], writes })
  expect(chosen.statusCode, chosen.body).toBe(200)
}

export async function changeEventSettings(
  meridian: TestMeridian,
  { cookie }: TestOwner,
  { id }: Calendar,
  changes: Record<string, unknown>,
): Promise<void> {
  const changed = await meridian
    .as({ cookie })
    .patch(`/api/calendars/${id}/external-calendars/settings`, changes)
  expect(changed.statusCode, changed.body).toBe(200)
}

/** Waits until every appointment of a calendar has been written to the external calendar. */
export async function waitUntilEventsWritten({ database }: TestMeridian, { id }: Calendar): Promise<void> {
  await waitUntil(async () => {
    const { rows } = await database.execute(
      'select id from appointments where calendar_id = $1 and needs_google_sync',
      [id],
    )
    return rows.length === 0 || `${rows.length} events`
  })
}

/** Runs the sweep that writes waiting events, as Meridian does every minute. */
export function runEventSweep({ deps }: TestMeridian): Promise<void> {
  return writePendingEvents(deps)
}

export type RunSync = (sync?: Partial<SyncedOwnEvents>) => Promise<void>

/**
 * Returns a function that passes the external calendar's changes since the last call to Meridian, as a finished sync does. The
 * first call passes the changes since `buildSyncRunner`.
 */
export async function buildSyncRunner(
  meridian: TestMeridian,
  provider: FakeCalendarProvider,
  { externalCalendarId, externalId }: CalendarWritingEvents,
): Promise<RunSync> {
  let cursor: string | null = null
  const readOn = async () => {
    const changes: ExternalChange[] = []
    const access = { credentials: externalId, saveCredentials: async (renewed: string) => renewed }
    const zone = 'Europe/London'
    const calendar = { externalId, timeZone: zone, readerZones: [zone] as const }
    for await (const page of provider.readChanges(access, { calendar, cursor, window: WINDOW })) {
      changes.push(...page.changes)
      cursor = page.cursor ?? cursor
    }
    return changes
  }
  await readOn()
  return async (sync = {}) => {
    const isGiven = sync.changes !== undefined || sync.isCalendarGone === true
    const changes = isGiven ? [] : await readOn()
    await meridian.deps.applyExternalChanges({
      externalCalendarId,
      changes,
      isFullSync: false,
      isFirstAfterReconnect: false,
      isCalendarGone: false,
      ...sync,
    })
  }
}
