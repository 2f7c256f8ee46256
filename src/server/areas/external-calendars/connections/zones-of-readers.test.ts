import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { buildCaldavProvider } from '#server/integrations/caldav/adapter.ts'
import { CALDAV_PARSERS } from '#server/integrations/caldav/parsers.ts'
import { buildIcsProvider } from '#server/integrations/ics/adapter.ts'
import { ICS_PARSERS } from '#server/integrations/ics/parsers.ts'
import { buildOwnerUrlFetcher } from '#server/platform/http/fetch-owner-url.ts'
import { toAllowedNetworks } from '#server/platform/http/reachable-networks.ts'
import {
  listStoredBusyTimes,
  readExternalCalendars,
  waitUntilCalendarJobsFinish,
} from '#tests/support/connected-calendar.ts'
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
import { buildCheckBeforeBooking } from './check-before-booking.ts'
import { queueDueSyncs } from './sync-use-cases.ts'

/**
 * These tests compute the busy times of an external calendar without a time zone, in the zones of the Meridian
 * calendars that read it. Source: rule G4.
 */
let meridian: TestMeridian
let radicale: Radicale
let owner: TestOwner
/** The file that the URL returns. */
let file = ''

beforeAll(async () => {
  radicale = await startRadicale()
  meridian = await startMeridian({
    env: { DEFAULT_PLAN: 'enterprise', BUDGETS: `${GENEROUS_BUDGETS},calendar_rewrites=1` },
    calendarProviders: {
      ics: buildIcsProvider({
        fetchAddress: async () => new Response(file),
        ownUidHost: 'localhost',
        read: runReadingsInProcess(ICS_PARSERS),
      }),
      caldav: buildCaldavProvider({
        fetchAddress: buildOwnerUrlFetcher({ allowedNetworks: toAllowedNetworks(['127.0.0.1']) }),
        ownUidHost: 'localhost',
        read: runReadingsInProcess(CALDAV_PARSERS),
        now: () => meridian.clock.ms,
      }),
    },
  })
  await askRadicale('MKCALENDAR', '')
  for (const [index, lines] of [...DAYS.map(day), FLOATING].entries()) {
    await askRadicale('PUT', `${index}.ics`, toCalendarText(lines))
  }
})
afterAll(async () => {
  await meridian.stop()
  await radicale.stop()
})
beforeEach(async () => {
  meridian.clock.ms = TEST_MONDAY
  owner = await makeOwner(meridian)
  file = toCalendarText([...DAYS.flatMap(day), ...FLOATING])
})

// The clocks change in Los Angeles on 14 March, in Berlin on 28 March, in Sydney on 4 April and on 3 October.
const DAYS = ['20270106', '20270314', '20270328', '20270404', '20271003']
const FLOATING = [
  ...['BEGIN:VEVENT', 'UID:floating', 'DTSTAMP:20260101T000000Z', 'DTSTART:20270701T090000'],
  ...['DTEND:20270701T100000', 'SUMMARY:Floating', 'END:VEVENT'],
]

const BUSY: Readonly<Record<string, readonly string[]>> = {
  'Australia/Sydney': [
    '2027-01-05T13:00 2027-01-06T13:00',
    '2027-03-13T13:00 2027-03-14T13:00',
    '2027-03-27T13:00 2027-03-28T13:00',
    '2027-04-03T13:00 2027-04-04T14:00',
    '2027-06-30T23:00 2027-07-01T00:00',
    '2027-10-02T14:00 2027-10-03T13:00',
  ],
  'America/Los_Angeles': [
    '2027-01-06T08:00 2027-01-07T08:00',
    '2027-03-14T08:00 2027-03-15T07:00',
    '2027-03-28T07:00 2027-03-29T07:00',
    '2027-04-04T07:00 2027-04-05T07:00',
    '2027-07-01T16:00 2027-07-01T17:00',
    '2027-10-03T07:00 2027-10-04T07:00',
  ],
  'Europe/Berlin': [
    '2027-01-05T23:00 2027-01-06T23:00',
    '2027-03-13T23:00 2027-03-14T23:00',
    '2027-03-27T23:00 2027-03-28T22:00',
    '2027-04-03T22:00 2027-04-04T22:00',
    '2027-07-01T07:00 2027-07-01T08:00',
    '2027-10-02T22:00 2027-10-03T22:00',
  ],
}
const ZONES = Object.keys(BUSY)

describe.each(['ics', 'caldav'] as const)('an external calendar (%s) without a time zone', (provider) => {
  test.each(ZONES)('is busy on exactly the days and at the times of %s', async (timezone) => {
    const { slug, copy } = await connect(provider, timezone)
    expect(await copy()).toEqual(BUSY[timezone])
    const [before = [], off, after] = await Promise.all(
      ['2027-01-05', '2027-01-06', '2027-01-07'].map((date) => listStarts(slug, date)),
    )
    expect(off).toEqual([])
    expect(before.length).toBeGreaterThan(0)
    expect(after).toHaveLength(before.length)
  })

  test('is read again in the new zone of its calendar: at once, or by the next sync when over the limit', async () => {
    const { calendarId, copy } = await connect(provider, 'Australia/Sydney')
    await changeZone(calendarId, 'America/Los_Angeles')
    await waitUntilCalendarJobsFinish(meridian)
    expect(await copy()).toEqual(BUSY['America/Los_Angeles'])
    await changeZone(calendarId, 'Europe/Berlin')
    await waitUntilCalendarJobsFinish(meridian)
    expect(await copy()).toEqual(BUSY['America/Los_Angeles'])
    await syncWhenDue()
    expect(await copy()).toEqual(BUSY['Europe/Berlin'])
  })

  test('is checked in the new zone before a booking, even right after a sync', async () => {
    const { calendarId, copy } = await connect(provider, 'Australia/Sydney')
    await meridian.database.db
      .updateTable('calendars')
      .set({ timezone: 'America/Los_Angeles' })
      .where('id', '=', calendarId)
      .execute()
    meridian.clock.ms += 1_000
    const during = { startMs: Date.parse('2027-01-07T01:00Z'), endMs: Date.parse('2027-01-07T02:00Z') }
    await buildCheckBeforeBooking(meridian.deps)({ calendar: { id: calendarId }, during, wanted: null })
    expect(await copy()).toContain('2027-01-07T01:00 2027-01-07T02:00')
  })

  test('that an earlier version read in UTC is read again by the next sync', async () => {
    const { externalCalendarId, copy } = await connect(provider, 'Australia/Sydney')
    await meridian.database.execute(
      `update external_busy_times set starts_at = starts_at + interval '11 hours', ends_at = ends_at + interval '11 hours'
        where external_calendar_id = $1`,
      [externalCalendarId],
    )
    await meridian.database.execute(`update external_calendars set read_in_zones = null where id = $1`, [
      externalCalendarId,
    ])
    expect(await copy()).toContain('2027-01-06T00:00 2027-01-07T00:00')
    await syncWhenDue()
    expect(await copy()).toEqual(BUSY['Australia/Sydney'])
  })

  test('is busy in the zones of exactly those calendars that use it', async () => {
    const { externalCalendarId, copy } = await connect(provider, 'Australia/Sydney')
    const { id: calendarId } = await makeCalendar(meridian, owner, { timezone: 'America/Los_Angeles' })
    await choose(calendarId, [externalCalendarId])
    await waitUntilCalendarJobsFinish(meridian)
    const zones = ['Australia/Sydney', 'America/Los_Angeles']
    expect(await copy()).toEqual(zones.flatMap((zone) => BUSY[zone] ?? []).sort())
    await choose(calendarId, [])
    await syncWhenDue()
    expect(await copy()).toEqual(BUSY['Australia/Sydney'])
  })
})

test('a file with a time zone is read in that zone, whatever the zones of its calendars', async () => {
  file = toCalendarText(['X-WR-TIMEZONE:Europe/Berlin', ...DAYS.flatMap(day), ...FLOATING])
  const { calendarId, copy } = await connect('ics', 'Australia/Sydney')
  expect(await copy()).toEqual(BUSY['Europe/Berlin'])
  await changeZone(calendarId, 'America/Los_Angeles')
  await syncWhenDue()
  expect(await copy()).toEqual(BUSY['Europe/Berlin'])
})

test('a file that defines two zones keeps the zones of its events and reads the others in the calendar’s zone', async () => {
  const zones = ['Europe/Berlin', 'Asia/Tokyo'].flatMap((zone) => [
    ...['BEGIN:VTIMEZONE', `TZID:${zone}`, 'END:VTIMEZONE'],
  ])
  const inTokyo = [
    ...['BEGIN:VEVENT', 'UID:tokyo', 'DTSTART;TZID=Asia/Tokyo:20270201T090000'],
    ...['DTEND;TZID=Asia/Tokyo:20270201T100000', 'END:VEVENT'],
  ]
  file = toCalendarText([...zones, ...day('20270106'), ...inTokyo])
  const { copy } = await connect('ics', 'America/Los_Angeles')
  expect(await copy()).toEqual(['2027-01-06T08:00 2027-01-07T08:00', '2027-02-01T00:00 2027-02-01T01:00'])
})

/** Returns an all-day event as holiday calendars contain it. */
function day(date: string): string[] {
  const next = String(Number(date) + 1)
  return [
    ...['BEGIN:VEVENT', `UID:${date}`, 'DTSTAMP:20260101T000000Z', `DTSTART;VALUE=DATE:${date}`],
    ...[`DTEND;VALUE=DATE:${next}`, 'SUMMARY:Day off', 'END:VEVENT'],
  ]
}

async function connect(provider: 'ics' | 'caldav', timezone: string) {
  const { id: calendarId, slug } = await makeCalendar(meridian, owner, { timezone })
  const { url, username, password } = radicale
  const answer = await owner.post(
    `/api/calendars/${calendarId}/external-calendars/${provider}`,
    provider === 'ics'
      ? { url: `https://holidays.example/${randomUUID()}.ics` }
      : { url, username, password },
  )
  expect(answer.statusCode, answer.body).toBe(200)
  await waitUntilCalendarJobsFinish(meridian)
  const { connections } = await readExternalCalendars(meridian, { owner, calendarId })
  const externalCalendarId = connections[0]?.calendars.find((one) => one.reads_busy_times)?.id ?? ''
  const copy = async () =>
    (await listStoredBusyTimes(meridian, externalCalendarId)).map((line) => line.replaceAll(':00.000Z', ''))
  return { calendarId, slug, externalCalendarId, copy }
}

async function changeZone(calendarId: string, timezone: string): Promise<void> {
  const answer = await owner.patch(`/api/calendars/${calendarId}`, { timezone })
  expect(answer.statusCode, answer.body).toBe(200)
}

async function choose(calendarId: string, reads: readonly string[]): Promise<void> {
  const answer = await owner.put(`/api/calendars/${calendarId}/external-calendars/choice`, {
    reads,
    writes: null,
  })
  expect(answer.statusCode, answer.body).toBe(200)
}

async function syncWhenDue(): Promise<void> {
  meridian.clock.ms += 15 * MINUTE_MS
  await queueDueSyncs(meridian.deps)
  await waitUntilCalendarJobsFinish(meridian)
}

async function listStarts(slug: string, date: string): Promise<unknown[]> {
  return (await meridian.get(`/api/public/calendars/${slug}/slots?date=${date}`)).json().slots
}

async function askRadicale(method: string, name: string, body?: string): Promise<void> {
  const { url, username, password } = radicale
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const answer = await fetch(new URL(`/${encodeURIComponent(username)}/days/${name}`, url), {
    method,
    headers: { authorization, 'content-type': 'text/calendar' },
    ...(body === undefined ? {} : { body }),
  })
  if (!answer.ok) throw new Error(`${method} ${name}: ${answer.status}`)
}
