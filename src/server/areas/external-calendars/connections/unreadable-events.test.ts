import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { LIMITS } from '#contract/shared/limits.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { buildCaldavProvider } from '#server/integrations/caldav/adapter.ts'
import { CALDAV_PARSERS } from '#server/integrations/caldav/parsers.ts'
import { buildIcsProvider } from '#server/integrations/ics/adapter.ts'
import { ICS_PARSERS } from '#server/integrations/ics/parsers.ts'
import { buildOwnerUrlFetcher } from '#server/platform/http/fetch-owner-url.ts'
import { toAllowedNetworks } from '#server/platform/http/reachable-networks.ts'
import { readExternalCalendars, waitUntilCalendarJobsFinish } from '#tests/support/connected-calendar.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import {
  makeCalendar,
  makeOwner,
  startMeridian,
  TEST_MONDAY,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { toCalendarText } from '#tests/support/persons-event-file.ts'
import { type Radicale, startRadicale } from '#tests/support/radicale.ts'
import { runReadingsInProcess } from '#tests/support/read-here.ts'
import { queueDueSyncs } from './sync-use-cases.ts'

/** These tests follow unreadable events from the calendar to the owner's screen. Source: rule G30. */
let meridian: TestMeridian
let radicale: Radicale
let owner: TestOwner
/** The file that the URL returns. */
let file = ''

/** A valid start, which the test's server replaces with an invalid one, because Radicale does not accept those. */
const SPOILED = '20270201T090000Z'

beforeAll(async () => {
  radicale = await startRadicale()
  const fetchTyped = buildOwnerUrlFetcher({ allowedNetworks: toAllowedNetworks(['127.0.0.1']) })
  meridian = await startMeridian({
    env: { DEFAULT_PLAN: 'enterprise', BUDGETS: GENEROUS_BUDGETS },
    calendarProviders: {
      ics: buildIcsProvider({
        fetchAddress: async () => new Response(file),
        ownUidHost: 'localhost',
        read: runReadingsInProcess(ICS_PARSERS),
      }),
      caldav: buildCaldavProvider({
        fetchAddress: async (url, request) => {
          const answer = await fetchTyped(url, request)
          const { status, headers } = answer
          const text = (await answer.text()).replaceAll(SPOILED, 'soon')
          return new Response(text === '' ? null : text, { status, headers })
        },
        ownUidHost: 'localhost',
        read: runReadingsInProcess(CALDAV_PARSERS),
        now: () => meridian.clock.ms,
      }),
    },
  })
})
afterAll(async () => {
  await meridian.stop()
  await radicale.stop()
})
beforeEach(async () => {
  meridian.clock.ms = TEST_MONDAY
  owner = await makeOwner(meridian)
})

const CHOIR = toEvent('choir', 'Choir', 'DTSTART:20270201T090000Z', 'DTEND:late')
const TRIP = toEvent('trip', 'Trip', 'DTSTART;TZID=Nowhere:20270202T090000', 'DURATION:PT1H')
const DENTIST = toEvent('dentist', 'Dentist', 'DTSTART:soon')
const LUNCH = toEvent('lunch', 'Lunch', 'DTSTART:20270203T090000Z', 'DURATION:PT1H')

test('the owner sees which events of a file cannot be read, until they are fixed', async () => {
  file = toCalendarText([...CHOIR, ...TRIP, ...LUNCH, ...DENTIST])
  const { readNote } = await connect('ics')
  expect(await readNote()).toEqual({
    count: 3,
    first: [
      { title: 'Dentist', part: 'date' },
      { title: 'Choir', part: 'times' },
      { title: 'Trip', part: 'zone' },
    ],
  })
  const mended = toEvent('dentist', 'Dentist', 'DTSTART:20270204T090000Z', 'DURATION:PT1H')
  const spoiled = toEvent('lunch', 'Late lunch', 'DTSTART:20270203T090000Z', 'DURATION:long')
  file = toCalendarText([...CHOIR, ...spoiled, ...mended])
  await syncWhenDue()
  expect(await readNote()).toEqual({
    count: 2,
    first: [
      { title: 'Choir', part: 'times' },
      { title: 'Late lunch', part: 'times' },
    ],
  })
  file = toCalendarText([...LUNCH, ...mended])
  await syncWhenDue()
  expect(await readNote()).toEqual({ count: 0, first: [] })
})

test('a full sync removes the notes of deleted events', async () => {
  file = toCalendarText([...CHOIR, ...TRIP])
  const { readNote, externalCalendarId } = await connect('ics')
  file = toCalendarText(TRIP)
  await meridian.database.execute('update external_calendars set sync_cursor = null where id = $1', [
    externalCalendarId,
  ])
  await syncWhenDue()
  expect(await readNote()).toEqual({ count: 1, first: [{ title: 'Trip', part: 'zone' }] })
})

test('a file full of such events with long titles leaves a short note, which shrinks as they are fixed', async () => {
  const title = (index: number) =>
    index === 0 ? `\u202Eevil\u0007\u0085 ${'x'.repeat(400_000)}` : `\u05d0${index}\\n\u2066more`
  const spoiled = (index: number) => toEvent(`e${index}`, title(index), 'DTSTART:soon')
  const indices = Array.from({ length: LIMITS.unreadableEvents + 500 }, (_, index) => index)
  file = toCalendarText(indices.flatMap(spoiled))
  const { readNote } = await connect('ics')
  const note = await readNote()
  expect(note.count).toBe(LIMITS.unreadableEvents)
  expect(note.first).toHaveLength(LIMITS.unreadableTitles)
  const titles = note.first.map((event) => event.title ?? '')
  expect(titles[0]).toBe(`evil ${'x'.repeat(95)}`)
  expect(titles.join('')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
  // Of the recorded events, only 101 still exist. The first sync notices that; the next one finds the events that were
  // not recorded.
  file = toCalendarText(indices.filter((index) => index < 1 || index >= 1_400).flatMap(spoiled))
  await syncWhenDue()
  await syncWhenDue()
  expect((await readNote()).count).toBe(101)
})

test('unreadable events on a CalDAV server are noted, and deleted with the account', async () => {
  await askRadicale('MKCALENDAR', '')
  const put = (name: string, ...lines: string[]) =>
    askRadicale('PUT', `${name}.ics`, toCalendarText(toEvent(name, `The ${name}`, ...lines)))
  await put('dentist', `DTSTART:${SPOILED}`)
  await put('trip', 'DTSTART:20270202T090000Z', 'DTEND:20270202T100000Z')
  const { readNote, calendarId, connectionId, externalCalendarId } = await connect('caldav')
  expect(await readNote()).toEqual({ count: 1, first: [{ title: 'The dentist', part: 'date' }] })
  await put('dentist', 'DTSTART:20270204T090000Z', 'DTEND:20270204T100000Z')
  await put('trip', 'DTSTART:20270202T090000Z', `DTEND:${SPOILED}`)
  await syncWhenDue()
  expect(await readNote()).toEqual({ count: 1, first: [{ title: 'The trip', part: 'times' }] })
  const answer = await owner.delete(
    `/api/calendars/${calendarId}/external-calendars/connections/${connectionId}?events=keep`,
  )
  expect(answer.statusCode, answer.body).toBe(200)
  expect(await countNotes(externalCalendarId)).toBe(0)
})

test('a calendar that is no longer used has no note', async () => {
  file = toCalendarText(CHOIR)
  const { calendarId, externalCalendarId } = await connect('ics')
  expect(await countNotes(externalCalendarId)).toBe(1)
  const answer = await owner.put(`/api/calendars/${calendarId}/external-calendars/choice`, {
    reads: [],
    writes: null,
  })
  expect(answer.statusCode, answer.body).toBe(200)
  expect(await countNotes(externalCalendarId)).toBe(0)
})

function toEvent(uid: string, title: string, ...lines: string[]): string[] {
  return [
    ...['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20260101T000000Z', `SUMMARY:${title}`],
    ...[...lines, 'END:VEVENT'],
  ]
}

async function connect(provider: 'ics' | 'caldav') {
  const { id: calendarId } = await makeCalendar(meridian, owner, { timezone: 'Europe/London' })
  const { url, username, password } = radicale
  const answer = await owner.post(
    `/api/calendars/${calendarId}/external-calendars/${provider}`,
    provider === 'ics' ? { url: `https://files.example/${randomUUID()}.ics` } : { url, username, password },
  )
  expect(answer.statusCode, answer.body).toBe(200)
  await waitUntilCalendarJobsFinish(meridian)
  const find = async () => {
    const { connections } = await readExternalCalendars(meridian, { owner, calendarId })
    const [connection] = connections
    const calendar = connection?.calendars.find((one) => one.reads_busy_times)
    if (connection === undefined || calendar === undefined) throw new Error('nothing is read')
    return { connectionId: connection.id, calendar }
  }
  const { connectionId, calendar } = await find()
  const readNote = async () => (await find()).calendar.unreadable_events
  return { calendarId, connectionId, externalCalendarId: calendar.id, readNote }
}

async function countNotes(externalCalendarId: string): Promise<number> {
  const { rows } = await meridian.database.execute(
    'select event_id from unreadable_external_events where external_calendar_id = $1',
    [externalCalendarId],
  )
  return rows.length
}

async function syncWhenDue(): Promise<void> {
  meridian.clock.ms += 15 * MINUTE_MS
  await queueDueSyncs(meridian.deps)
  await waitUntilCalendarJobsFinish(meridian)
}

async function askRadicale(method: string, name: string, body?: string): Promise<void> {
  const { url, username, password } = radicale
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const answer = await fetch(new URL(`/${encodeURIComponent(username)}/own/${name}`, url), {
    method,
    headers: { authorization, 'content-type': 'text/calendar' },
    ...(body === undefined ? {} : { body }),
  })
  if (!answer.ok) throw new Error(`${method} ${name}: ${answer.status}`)
}
