// @module-tag slow
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { buildCheckBeforeBooking } from '#server/areas/external-calendars/connections/check-before-booking.ts'
import { syncConnection } from '#server/areas/external-calendars/connections/sync-use-cases.ts'
import {
  listStoredBusyTimes,
  readExternalCalendars,
  waitUntilCalendarJobsFinish,
} from '#tests/support/connected-calendar.ts'
import {
  makeCalendar,
  makeOwner,
  startMeridian,
  TEST_MONDAY,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { toCalendarText } from '#tests/support/persons-event-file.ts'
import { printDuration } from '#tests/support/race-track.ts'
import { type MaliciousCalendarServer, startMaliciousCalendarServer } from '#tests/support/turning-server.ts'

/**
 * Number of syncs of each file, the pause between syncs in milliseconds, and the maximum slowdown of other requests.
 * `tests/prove/abuse.ts` syncs more often, at the rate that an owner is allowed, and requires the promised ratio.
 */
const ROUNDS = Number(process.env.HOSTILE_ROUNDS ?? 1)
const PAUSE_MS = Number(process.env.HOSTILE_PAUSE_MS ?? 0)
const MOST_TIMES_SLOWER = Number(process.env.HOSTILE_RATIO ?? 10)
/** The number of responses measured while no sync runs, for comparison. */
const USUAL_ANSWERS = 100

const BUSY = ['BEGIN:VEVENT', 'UID:busy', 'DTSTART:20270105T090000Z', 'DTEND:20270105T100000Z', 'END:VEVENT']
const HONEST_FILE = toCalendarText(BUSY)
const EVENT = BUSY.slice(0, -1)

/** Each is smaller than the maximum response size. */
const FILES: readonly (readonly [what: string, text: string, words: RegExp])[] = [
  [
    'a million guests',
    toCalendarText([...EVENT, ...repeat('ATTENDEE:a', 700_000)]),
    /more than 50,000 lines/,
  ],
  [
    'one line',
    toCalendarText([...EVENT, `CATEGORIES:${'x'.repeat(9_000_000)}`]),
    /more than 500,000 characters/,
  ],
  [
    'one parameter',
    toCalendarText([...EVENT, `CATEGORIES;A="${'x'.repeat(9_000_000)}":b`]),
    /500,000 characters/,
  ],
  [
    'a hundred thousand events',
    toCalendarText(repeat('BEGIN:VEVENT\r\nEND:VEVENT', 200_000)),
    /100,000 entries/,
  ],
  [
    'a huge zone',
    toCalendarText(['BEGIN:VTIMEZONE', ...repeat('RDATE:20270101T000000', 300_000)]),
    /50,000 lines/,
  ],
  ['hourly events without end', toCalendarText(toSeries(400)), /more events than can be read/],
  ['more bytes than are read', 'x'.repeat(10_000_001), /too large/],
]

const ANSWERS: readonly (readonly [what: string, text: string, words: RegExp])[] = [
  ['a million empty parts', toAnswer('<response/>'.repeat(800_000)), /50,000 entries/],
  ['tiny elements', toAnswer(`<response>${'<a/>'.repeat(2_000_000)}</response>`), /300,000 elements/],
  ['elements in elements', toAnswer(`<response>${'<a>'.repeat(2_000_000)}</response>`), /nested too deeply/],
  [
    'a huge attribute',
    toAnswer(`<response a="${'x'.repeat(9_000_000)}"/>`),
    /didn’t come from a calendar server/,
  ],
  [
    'entities',
    `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(1_000)}">]>${toAnswer('&b;'.repeat(9_000))}`,
    /didn’t come from a calendar server/,
  ],
]

let server: MaliciousCalendarServer
let meridian: TestMeridian
let owner: TestOwner
let visited: string

beforeAll(async () => {
  server = await startMaliciousCalendarServer({
    file: HONEST_FILE,
    found: toHonestAnswer('PROPFIND'),
    listed: toHonestAnswer('REPORT'),
  })
  meridian = await startMeridian({ env: { DEFAULT_PLAN: 'enterprise' } })
  const practice = await makeOwner(meridian)
  visited = (await makeCalendar(meridian, practice)).slug
  owner = await makeOwner(meridian)
})
afterAll(async () => {
  await meridian.stop()
  await server.stop()
})

/**
 * Responses from a server whose URL an owner entered must not harm other owners, and must not free any busy time. Source: rule
 * G26.
 */
describe.each([
  ['ics', '/calendar.ics', FILES],
  ['caldav', '/dav/', ANSWERS],
] as const)('a server (%s) that turns hostile', (provider, path, attacks) => {
  const typed = () =>
    provider === 'ics'
      ? { url: `${server.url}${path}` }
      : { url: `${server.url}${path}`, username: 'ada', password: 'secret' }
  const connect = (calendarId: string) =>
    owner.post(`/api/calendars/${calendarId}/external-calendars/${provider}`, typed())
  let calendarId: string
  let usualMs: number[]
  beforeAll(async () => {
    await server.turn(null)
    meridian.clock.ms = TEST_MONDAY
    calendarId = (await makeCalendar(meridian, owner)).id
    const connected = await connect(calendarId)
    expect(connected.statusCode, connected.body).toBe(200)
    await waitUntilCalendarJobsFinish(meridian)
    usualMs = await measureVisits(async (visits) => visits.length === USUAL_ANSWERS)
  })

  async function readState() {
    const { connections } = await readExternalCalendars(meridian, { owner, calendarId })
    const connection = connections.find((one) => one.provider === provider)
    const calendar = connection?.calendars.find(({ reads_busy_times }) => reads_busy_times)
    if (connection === undefined || calendar === undefined) throw new Error('the calendar is read')
    return { connection, copy: await listStoredBusyTimes(meridian, calendar.id) }
  }

  test.each(attacks)('by %s frees nothing, says why, and nobody waits', async (_what, text, words) => {
    const { connection, copy: before } = await readState()
    expect(before).toEqual(['2027-01-05T09:00:00.000Z 2027-01-05T10:00:00.000Z'])
    await server.turn(text)
    await meridian.database.execute('update external_calendars set sync_cursor = null')
    const syncs = repeatSyncs(connection.id)
    const visits = await measureVisits(() => syncs.isOver())
    for (const result of await syncs.results) {
      expect(result).toMatchObject({ kind: 'failed', problem: expect.stringMatching(words) })
    }
    const during = { startMs: Date.parse('2027-01-05T09:00:00Z'), endMs: Date.parse('2027-01-05T10:00:00Z') }
    await buildCheckBeforeBooking(meridian.deps)({ calendar: { id: calendarId }, during, wanted: null })
    const after = await readState()
    expect(after.copy).toEqual(before)
    expect(after.connection.problem).toMatch(words)
    const [usual, beside] = [percentile(usualMs, 0.99), percentile(visits, 0.99)]
    printDuration(`p99 of slots beside it (usually ${Math.round(usual)} ms)`, beside)
    expect(beside).toBeLessThan(Math.max(usual, 10) * MOST_TIMES_SLOWER)
  })

  test('is connected by nobody, and is read again when it is honest', async () => {
    const { connection } = await readState()
    const { id: other } = await makeCalendar(meridian, owner)
    const [[, attack = null, words = /./] = []] = attacks
    await server.turn(attack)
    const refused = await connect(other)
    expect(refused.json()).toMatchObject({
      code: 'external_calendar.connect_failed',
      errors: [{ message: expect.stringMatching(words) }],
    })
    await server.turn(null)
    meridian.clock.ms += 15 * MINUTE_MS
    expect(await syncConnection(meridian.deps, connection.id)).toMatchObject({ kind: 'done' })
    expect((await readState()).connection.problem).toBe(null)
  })

  /** Syncs a connection again and again, ROUNDS times. */
  function repeatSyncs(connectionId: string) {
    let over = false
    const run = async () => {
      const results = []
      for (let round = 0; round < ROUNDS; round += 1) {
        // After a failure Meridian waits ten minutes before the next sync.
        meridian.clock.ms += 15 * MINUTE_MS
        results.push(await syncConnection(meridian.deps, connectionId))
        await sleep(PAUSE_MS)
      }
      return results
    }
    const results = run().finally(() => {
      over = true
    })
    return { results, isOver: async () => over }
  }
})

/** Measures the duration of each request for available times until `isOver` returns true. */
async function measureVisits(isOver: (visits: readonly number[]) => Promise<boolean>): Promise<number[]> {
  const visits: number[] = []
  do {
    const startMs = performance.now()
    const url = `/api/public/calendars/${visited}/slots?date=2027-01-11`
    expect((await meridian.get(url)).statusCode).toBe(200)
    visits.push(performance.now() - startMs)
    await sleep(5)
  } while (!(await isOver(visits)))
  return visits
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0
}

function repeat(line: string, times: number): string[] {
  return Array.from({ length: times }, () => line)
}

function toSeries(count: number): string[] {
  return Array.from({ length: count }, (_, index) => [
    ...['BEGIN:VEVENT', `UID:${index}`, 'DTSTART:20270101T000000Z', 'DURATION:PT5M', 'RRULE:FREQ=HOURLY'],
    'END:VEVENT',
  ]).flat()
}

function toAnswer(content: string): string {
  return `<multistatus xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${content}</multistatus>`
}

/** The responses of an account that has one calendar with one event. */
function toHonestAnswer(method: string): string {
  const props =
    method === 'PROPFIND'
      ? [
          '<current-user-principal><href>/dav/</href></current-user-principal>',
          '<c:calendar-home-set><href>/dav/</href></c:calendar-home-set>',
          '<resourcetype><collection/><c:calendar/></resourcetype><displayname>Work</displayname>',
        ].join('')
      : `<getetag>"1"</getetag><c:calendar-data>${HONEST_FILE}</c:calendar-data>`
  const href = method === 'PROPFIND' ? '/dav/' : '/dav/busy.ics'
  const found = `<propstat><prop>${props}</prop><status>HTTP/1.1 200 OK</status></propstat>`
  return toAnswer(`<response><href>${href}</href>${found}</response>`)
}
