import { afterEach, describe, expect, test } from 'vitest'
import type { ExternalChange } from '#server/ports/external-calendar.ts'
import { catchCalendarProviderError as failureOf } from '#tests/support/calendar-access.ts'
import { type ScriptedGoogle, startScriptedGoogle } from '#tests/support/scripted-google.ts'
import type { ScriptedResponse } from '#tests/support/scripted-server.ts'

const CALENDAR = {
  externalId: 'grace@gmail.example',
  timeZone: 'Europe/Berlin',
  readerZones: ['Australia/Sydney'] as const,
}
const WINDOW = { startMs: Date.parse('2027-01-01T00:00:00Z'), endMs: Date.parse('2028-01-01T00:00:00Z') }

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function start(...given: Parameters<typeof startScriptedGoogle>): Promise<ScriptedGoogle> {
  const google = await startScriptedGoogle(...given)
  stops.push(google.stop)
  return google
}

async function read({ provider, access }: ScriptedGoogle, cursor: string | null = null) {
  const changes: ExternalChange[] = []
  const cursors: (string | null)[] = []
  for await (const page of provider.readChanges(access, { calendar: CALENDAR, cursor, window: WINDOW })) {
    changes.push(...page.changes)
    cursors.push(page.cursor)
  }
  return { changes, cursors }
}

function makeEvents(first: number, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const startMs = WINDOW.startMs + (first + index) * 600_000
    return {
      id: `event${first + index}`,
      status: 'confirmed',
      start: { dateTime: new Date(startMs).toISOString() },
      end: { dateTime: new Date(startMs + 300_000).toISOString() },
    }
  })
}

function refusal(status: number, reason: string, headers: Record<string, string> = {}): ScriptedResponse {
  const message = 'a message with grace@gmail.example in it'
  return {
    status,
    headers,
    body: { error: { errors: [{ domain: 'global', reason, message }], code: status, message } },
  }
}

test('10,000 events are read, page after page, and the cursor is on the last page only', async () => {
  const google = await start((asked) => {
    const page = Number(asked.searchParams.get('pageToken') ?? 0)
    const isLast = page === 9
    const items = makeEvents(page * 1_000, 1_000)
    return { body: { items, ...(isLast ? { nextSyncToken: 'sync' } : { nextPageToken: String(page + 1) }) } }
  })
  const { changes, cursors } = await read(google)
  expect(new Set(changes.map(({ eventId }) => eventId)).size).toBe(10_000)
  expect(changes.every(({ event }) => event?.occurrences.length === 1)).toBe(true)
  expect(cursors).toEqual([...Array(9).fill(null), 'sync'])
})

test('a full sync names the window, and a later one the cursor instead; all else is asked alike', async () => {
  const google = await start(() => ({ body: { items: [], nextSyncToken: 'sync' } }))
  await read(google)
  await read(google, 'before')
  const [full, later] = google.asked.map(({ searchParams }) => Object.fromEntries(searchParams))
  const { timeMin, timeMax, ...same } = full ?? {}
  expect({ timeMin, timeMax }).toEqual({
    timeMin: '2027-01-01T00:00:00.000Z',
    timeMax: '2028-01-01T00:00:00.000Z',
  })
  expect(later).toEqual({ ...same, syncToken: 'before' })
  expect(same).toMatchObject({ singleEvents: 'true' })
})

test('the zone that the calendar has now counts, and one that does not exist does not', async () => {
  const allDay = { id: 'a', start: { date: '2027-05-03' }, end: { date: '2027-05-04' } }
  const startIn = async (timeZone: string) => {
    const google = await start(() => ({ body: { timeZone, items: [allDay], nextSyncToken: 'sync' } }))
    const { changes } = await read(google)
    const [startMs = 0] = changes.flatMap(({ event }) => event?.occurrences ?? []).map((at) => at.startMs)
    return new Date(startMs).toISOString()
  }
  expect(await startIn('America/New_York')).toBe('2027-05-03T04:00:00.000Z')
  expect(await startIn('Mars/Olympus')).toBe('2027-05-02T22:00:00.000Z')
})

describe('a page that never ends', () => {
  test('is read up to a bound when each leads to another', async () => {
    let count = 0
    const google = await start(() => ({ body: { items: [], nextPageToken: String(++count) } }))
    expect(await failureOf(read(google))).toMatchObject({ kind: 'refused' })
    expect(count).toBe(200)
  })

  test('is left at once when it leads to itself', async () => {
    const google = await start(() => ({ body: { items: [], nextPageToken: 'again' } }))
    expect(await failureOf(read(google))).toMatchObject({ kind: 'refused' })
    expect(google.asked).toHaveLength(2)
  })

  test('is left after the time limit when its text goes on and on', async () => {
    const google = await start(
      () => (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const dripping = setInterval(() => response.write(' '), 20)
        response.on('close', () => clearInterval(dripping))
      },
      { timeoutMs: 200 },
    )
    expect(await failureOf(read(google))).toMatchObject({ kind: 'unavailable' })
  })
})

test('a server that says nothing is unavailable after the time limit', async () => {
  const google = await start(() => () => {}, { timeoutMs: 200 })
  expect(await failureOf(read(google))).toMatchObject({ kind: 'unavailable' })
})

test('a last page without a cursor is no end of a sync', async () => {
  const google = await start(() => ({ body: { items: makeEvents(0, 1) } }))
  expect(await failureOf(read(google))).toMatchObject({ kind: 'unavailable' })
})

test.each([
  ['410', refusal(410, 'fullSyncRequired')],
  ['400 for a cursor that Google cannot read', refusal(400, 'invalid')],
])('%s asks for a full sync (pipedream#10887)', async (_what, answer) => {
  const google = await start(() => answer)
  expect(await failureOf(read(google, 'old'))).toMatchObject({ kind: 'cursor_lost' })
})

test('404 with a cursor says that the calendar is gone', async () => {
  const google = await start(() => refusal(404, 'notFound'))
  expect(await failureOf(read(google, 'old'))).toMatchObject({ kind: 'gone' })
})

test.each([
  ['429 with seconds', refusal(429, 'rateLimitExceeded', { 'retry-after': '30' }), 'rate_limited', 30_000],
  [
    '429 with a date',
    refusal(429, 'rateLimitExceeded', { 'retry-after': 'Mon, 04 Jan 2027 08:01:00 GMT' }),
    'rate_limited',
    60_000,
  ],
  ['429 without a time', refusal(429, 'rateLimitExceeded'), 'rate_limited', null],
  ['403 rateLimitExceeded', refusal(403, 'rateLimitExceeded'), 'rate_limited', null],
  ['403 userRateLimitExceeded', refusal(403, 'userRateLimitExceeded'), 'rate_limited', null],
  ['403 for a missing scope', refusal(403, 'insufficientPermissions'), 'forbidden', null],
  ['403 for an API that is switched off', refusal(403, 'accessNotConfigured'), 'refused', null],
  ['404', refusal(404, 'notFound'), 'gone', null],
  ['400', refusal(400, 'invalid'), 'refused', null],
  ['500', refusal(500, 'backendError'), 'unavailable', null],
  [
    '503 of a proxy',
    { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>no</h1>' },
    'unavailable',
    null,
  ],
] as const)(
  '%s is said in the words of the port, and nothing else of it',
  async (_what, answer, kind, retryAfterMs) => {
    const google = await start(() => answer)
    const failure = await failureOf(read(google))
    expect(failure).toMatchObject({ kind, retryAfterMs })
    expect(`${failure} ${failure.cause}`).not.toMatch(/grace@|ya29|lasting/)
  },
)

test('one calendar that fails makes the answer about busy times unknown', async () => {
  const google = await start((asked) =>
    asked.pathname.includes('broken')
      ? refusal(404, 'notFound')
      : { body: { items: makeEvents(0, 1), nextSyncToken: 'sync' } },
  )
  const ask = (...names: string[]) =>
    google.provider.readBusyTimes(google.access, {
      calendars: names.map((externalId) => ({ ...CALENDAR, externalId, timeZone: null })),
      during: WINDOW,
      signal: AbortSignal.timeout(20_000),
    })
  expect(await ask('one', 'two')).toMatchObject([{ externalId: 'one' }, { externalId: 'two' }])
  expect(await failureOf(ask('one', 'broken'))).toMatchObject({ kind: 'gone' })
})

test('the question about busy times ends when whoever asks does not wait any longer', async () => {
  const google = await start(() => () => {}, { timeoutMs: 60_000 })
  const question = google.provider.readBusyTimes(google.access, {
    calendars: [CALENDAR],
    during: WINDOW,
    signal: AbortSignal.timeout(50),
  })
  expect(await failureOf(question)).toMatchObject({ kind: 'unavailable' })
})
