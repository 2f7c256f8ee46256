import { afterEach, describe, expect, test } from 'vitest'
import type { ExternalChange } from '#server/ports/external-calendar.ts'
import { catchCalendarProviderError as failureOf } from '#tests/support/calendar-access.ts'
import { type ScriptedGraph, startScriptedGraph } from '#tests/support/scripted-graph.ts'
import type { ScriptedResponse } from '#tests/support/scripted-server.ts'

const CALENDAR = {
  externalId: 'calendar',
  timeZone: 'Europe/Berlin',
  readerZones: ['Australia/Sydney'] as const,
}
const WINDOW = { startMs: Date.parse('2027-01-01T00:00:00Z'), endMs: Date.parse('2028-01-01T00:00:00Z') }
const APPOINTMENT = '0191d5a0-1111-4222-8333-444455556666'

/** Base URL of the test's server, for the URLs in its responses. */
let own = ''

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function start(...given: Parameters<typeof startScriptedGraph>): Promise<ScriptedGraph> {
  const graph = await startScriptedGraph(...given)
  stops.push(graph.stop)
  return graph
}

async function read(
  { provider, access }: ScriptedGraph,
  { cursor = null, timeZone = CALENDAR.timeZone }: { cursor?: string | null; timeZone?: string | null } = {},
) {
  const changes: ExternalChange[] = []
  const cursors: (string | null)[] = []
  const calendar = { ...CALENDAR, timeZone }
  for await (const page of provider.readChanges(access, { calendar, cursor, window: WINDOW })) {
    changes.push(...page.changes)
    cursors.push(page.cursor)
  }
  return { changes, cursor: cursors.at(-1) ?? null, cursors }
}

/** Returns the only page of a view, with the URL for the next sync. */
function page(value: readonly unknown[], more: Record<string, string> = {}): ScriptedResponse {
  return { body: { value, '@odata.deltaLink': 'DELTA', ...more } }
}

const at = (clock: string, timeZone = 'UTC') => ({ dateTime: `2027-05-03T${clock}.0000000`, timeZone })
const EVENT = {
  id: 'a',
  type: 'singleInstance',
  subject: 'Dinner',
  start: at('09:00:00'),
  end: at('10:00:00'),
}

test.each([
  ['its date', { start: { dateTime: 'soon', timeZone: 'UTC' } }, 'date'],
  ['its zone', { end: at('10:00:00', 'tzone://Microsoft/Custom') }, 'zone'],
  ['nothing', {}, null],
])('an event says that %s cannot be read (rule G30)', async (_part, over, unreadable) => {
  const graph = await start(() => page([{ ...EVENT, ...over }]))
  expect((await read(graph)).changes).toMatchObject([{ event: { unreadable } }])
})

test('an event of ours that is all-day is found in the zone of its calendar, whatever zone it was made in', async () => {
  const { provider, access } = await start(() => ({
    body: {
      ...EVENT,
      ...{ isAllDay: true, originalStartTimeZone: 'UTC', transactionId: `meridian-${APPOINTMENT}` },
      ...{ start: at('00:00:00'), end: { ...at('00:00:00'), dateTime: '2027-05-04T00:00:00.0000000' } },
    },
  }))
  const found = await provider.events.find(access, { ...CALENDAR, eventRef: 'a' })
  expect(found).toMatchObject({
    appointmentId: APPOINTMENT,
    occurrences: [{ startMs: Date.parse('2027-05-02T22:00:00Z'), endMs: Date.parse('2027-05-03T22:00:00Z') }],
  })
})

async function timesOf(value: readonly unknown[], timeZone: string | null = CALENDAR.timeZone) {
  const { changes } = await read(await start(() => page(value)), { timeZone })
  return toTimes(changes)
}

function toTimes(changes: readonly ExternalChange[]): string[] {
  return changes
    .flatMap(({ event }) => event?.occurrences ?? [])
    .map(({ startMs, endMs }) => `${new Date(startMs).toISOString()} ${new Date(endMs).toISOString()}`)
}

describe('cal#28847: recurring meetings are busy at each occurrence', () => {
  const MASTER = { ...EVENT, id: 'series', type: 'seriesMaster', showAs: 'busy' }
  const occurrence = (day: string, more: object = {}) => ({
    id: `series-${day}`,
    type: 'occurrence',
    seriesMasterId: 'series',
    start: { dateTime: `2027-05-${day}T09:00:00.0000000`, timeZone: 'UTC' },
    end: { dateTime: `2027-05-${day}T10:00:00.0000000`, timeZone: 'UTC' },
    ...more,
  })

  test('which comes with its times alone', async () => {
    const graph = await start(() => page([MASTER, occurrence('03'), occurrence('10')]))
    const { changes } = await read(graph)
    expect(changes).toHaveLength(1)
    expect(changes[0]).toMatchObject({ eventId: 'series', event: { title: 'Dinner' } })
    expect(changes[0]?.event?.occurrences.map(({ key }) => key)).toEqual(['series-03', 'series-10'])
    expect(toTimes(changes)).toEqual([
      '2027-05-03T09:00:00.000Z 2027-05-03T10:00:00.000Z',
      '2027-05-10T09:00:00.000Z 2027-05-10T10:00:00.000Z',
    ])
  })

  test('not when the series is free, but an occurrence that was made busy is', async () => {
    const free = { ...MASTER, showAs: 'free' }
    const made = occurrence('10', { type: 'exception', showAs: 'oof' })
    expect(await timesOf([free, occurrence('03'), made])).toEqual([
      '2027-05-10T09:00:00.000Z 2027-05-10T10:00:00.000Z',
    ])
  })

  test('the occurrences of a series can come on several pages', async () => {
    const graph = await start((asked) =>
      asked.searchParams.has('$skiptoken')
        ? page([occurrence('10')])
        : {
            body: {
              value: [MASTER, occurrence('03')],
              '@odata.nextLink': `${own}${asked.pathname}?$skiptoken=b`,
            },
          },
    )
    own = graph.url
    expect(toTimes((await read(graph)).changes)).toHaveLength(2)
  })

  test('a series that does not come with its occurrences is asked for', async () => {
    const graph = await start((asked) => {
      if (asked.pathname.endsWith('/events/series')) return { body: MASTER }
      if (asked.pathname.endsWith('/events/series/instances')) {
        return page([occurrence('03', { showAs: 'busy' }), occurrence('10', { showAs: 'busy' })])
      }
      return page([occurrence('10')])
    })
    const { changes } = await read(graph)
    expect(changes.map(({ eventId }) => eventId)).toEqual(['series'])
    expect(toTimes(changes)).toHaveLength(2)
  })
})

describe('what is said to be deleted', () => {
  const CURSOR = (url: string) => JSON.stringify({ link: `${url}/v1.0/delta`, window: WINDOW })
  const REMOVED = { id: 'a', '@removed': { reason: 'deleted' } }

  test('is gone when Microsoft has it no more', async () => {
    const graph = await start((asked) =>
      asked.pathname.endsWith('/events/a')
        ? { status: 404, body: { error: { code: 'ErrorItemNotFound' } } }
        : page([REMOVED]),
    )
    const { changes } = await read(graph, { cursor: CURSOR(graph.url) })
    expect(changes).toEqual([{ eventId: 'a', event: null }])
  })

  test('is not gone when it was moved out of the window: our own has its new time', async () => {
    const moved = {
      ...EVENT,
      transactionId: `meridian-${APPOINTMENT}`,
      start: { dateTime: '2031-05-03T09:00:00.0000000', timeZone: 'UTC' },
      end: { dateTime: '2031-05-03T10:00:00.0000000', timeZone: 'UTC' },
    }
    const graph = await start((asked) =>
      asked.pathname.endsWith('/events/a') ? { body: moved } : page([REMOVED]),
    )
    const { changes } = await read(graph, { cursor: CURSOR(graph.url) })
    expect(changes).toMatchObject([{ eventId: 'a', event: { appointmentId: APPOINTMENT } }])
    expect(toTimes(changes)).toEqual(['2031-05-03T09:00:00.000Z 2031-05-03T10:00:00.000Z'])
  })

  test('is not said to be gone while the calendar itself is', async () => {
    const graph = await start((asked) =>
      asked.pathname.includes('/me/calendars/')
        ? { status: 404, body: { error: { code: 'ErrorItemNotFound' } } }
        : page([REMOVED]),
    )
    expect(await failureOf(read(graph, { cursor: CURSOR(graph.url) }))).toMatchObject({ kind: 'gone' })
  })
})

test('10,000 events are read, page after page, and the cursor is on the last page only', async () => {
  const graph = await start((asked) => {
    const first = Number(asked.searchParams.get('$skiptoken') ?? 0)
    const value = Array.from({ length: 200 }, (_, index) => ({ ...EVENT, id: `event${first + index}` }))
    const following = first + 200
    return following < 10_000
      ? { body: { value, '@odata.nextLink': `${own}${asked.pathname}?$skiptoken=${following}` } }
      : page(value)
  })
  own = graph.url
  const { changes, cursors } = await read(graph)
  expect(new Set(changes.map(({ eventId }) => eventId)).size).toBe(10_000)
  expect(cursors.filter((cursor) => cursor !== null)).toHaveLength(1)
  expect(cursors.at(-1)).toContain('DELTA')
})

test('a new window begins with a full sync, and a later sync asks at the address of the first', async () => {
  const graph = await start(() => page([], { '@odata.deltaLink': `${own}/v1.0/next?$deltatoken=1` }))
  own = graph.url
  const { cursor } = await read(graph)
  await read(graph, { cursor })
  const [full, later] = graph.asked
  expect(full?.pathname).toBe('/v1.0/me/calendars/calendar/calendarView/delta')
  expect(Object.fromEntries(full?.searchParams ?? [])).toEqual({
    startDateTime: '2027-01-01T00:00:00.000Z',
    endDateTime: '2028-01-01T00:00:00.000Z',
  })
  expect(`${later?.pathname}${later?.search}`).toBe('/v1.0/next?$deltatoken=1')
})

describe('a page that never ends', () => {
  test('is read up to a bound when each leads to another', async () => {
    let count = 0
    const graph = await start((asked) => ({
      body: { value: [], '@odata.nextLink': `${own}${asked.pathname}?$skiptoken=${++count}` },
    }))
    own = graph.url
    expect(await failureOf(read(graph))).toMatchObject({ kind: 'refused' })
    expect(count).toBe(500)
  })

  test('is left at once when it leads to itself', async () => {
    const graph = await start(() => ({ body: { value: [], '@odata.nextLink': `${own}/v1.0/again` } }))
    own = graph.url
    expect(await failureOf(read(graph))).toMatchObject({ kind: 'refused' })
    expect(graph.asked).toHaveLength(2)
  })

  test('is left after the time limit when its text goes on and on', async () => {
    const graph = await start(
      () => (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const dripping = setInterval(() => response.write(' '), 20)
        response.on('close', () => clearInterval(dripping))
      },
      { timeoutMs: 200 },
    )
    expect(await failureOf(read(graph))).toMatchObject({ kind: 'unavailable' })
  })

  test('is left at 32 MiB', async () => {
    const graph = await start(() => ({ body: ' '.repeat(33 * 1024 * 1024) }), { timeoutMs: 20_000 })
    expect(await failureOf(read(graph))).toMatchObject({ kind: 'refused' })
  })
})

test('the token goes to Graph only, whatever address a page names', async () => {
  const other = await start(() => page([]))
  const graph = await start(() => ({ body: { value: [], '@odata.nextLink': `${other.url}/v1.0/more` } }))
  expect(await failureOf(read(graph))).toMatchObject({ kind: 'refused' })
  expect(other.asked).toEqual([])
})

describe('what Microsoft refuses', () => {
  test.each([
    [401, 'InvalidAuthenticationToken', 'expired'],
    [403, 'ErrorAccessDenied', 'forbidden'],
    [404, 'ErrorItemNotFound', 'gone'],
    [404, 'MailboxNotEnabledForRESTAPI', 'refused'],
    [400, 'ErrorInvalidRequest', 'refused'],
    [429, 'ApplicationThrottled', 'rate_limited'],
    [500, 'ErrorInternalServerError', 'unavailable'],
    [503, 'ServiceUnavailable', 'unavailable'],
  ])('%i %s', async (status, code, kind) => {
    const graph = await start((asked) =>
      asked.pathname.endsWith('/token')
        ? { status: 400, body: { error: 'invalid_grant' } }
        : { status, body: { error: { code, message: 'with grace@outlook.example in it' } } },
    )
    const failure = await failureOf(read(graph))
    expect(failure).toMatchObject({ kind, retryAfterMs: null })
    expect(`${failure.message} ${failure.cause}`).not.toContain('grace')
  })

  test.each([
    [429, '30', 30_000],
    [503, 'Mon, 04 Jan 2027 08:02:00 GMT', 120_000],
  ])('%i says when to come back', async (status, retryAfter, retryAfterMs) => {
    const graph = await start(() => ({ status, headers: { 'retry-after': retryAfter }, body: {} }))
    expect(await failureOf(read(graph))).toMatchObject({ kind: 'rate_limited', retryAfterMs })
  })

  test.each([
    [410, 'syncStateNotFound'],
    [410, 'resyncRequired'],
    [400, 'ErrorInvalidSyncStateData'],
    [404, 'SyncStateNotFound'],
  ])('%i %s begins a full sync', async (status, code) => {
    const graph = await start(() => ({ status, body: { error: { code } } }))
    const cursor = JSON.stringify({ link: `${graph.url}/v1.0/delta`, window: WINDOW })
    expect(await failureOf(read(graph, { cursor }))).toMatchObject({ kind: 'cursor_lost' })
  })

  test('a cursor that cannot be read begins a full sync', async () => {
    const graph = await start(() => page([]))
    expect(await failureOf(read(graph, { cursor: 'other' }))).toMatchObject({ kind: 'cursor_lost' })
  })
})

describe('a time zone that does not exist', () => {
  const inZone = (timeZone: string) => ({
    ...EVENT,
    start: at('09:00:00', timeZone),
    end: at('10:00:00', timeZone),
  })

  test('is that of the calendar', async () => {
    expect(await timesOf([inZone('tzone://Microsoft/Custom')])).toEqual([
      '2027-05-03T07:00:00.000Z 2027-05-03T08:00:00.000Z',
    ])
  })

  test('a name of Windows exists', async () => {
    expect(await timesOf([inZone('Eastern Standard Time')])).toEqual([
      '2027-05-03T13:00:00.000Z 2027-05-03T14:00:00.000Z',
    ])
  })

  test('an all-day event lies in the zone of the mailbox, and else in the one in which it was made', async () => {
    const day = { isAllDay: true, originalStartTimeZone: 'Eastern Standard Time' }
    const event = {
      ...EVENT,
      ...day,
      start: at('00:00:00'),
      end: { ...at('00:00:00'), dateTime: '2027-05-04T00:00:00' },
    }
    expect(await timesOf([event])).toEqual(['2027-05-02T22:00:00.000Z 2027-05-03T22:00:00.000Z'])
    expect(await timesOf([event], null)).toEqual(['2027-05-03T04:00:00.000Z 2027-05-04T04:00:00.000Z'])
  })
})

test.each([
  ['free', {}, 0],
  ['workingElsewhere', {}, 0],
  ['tentative', {}, 1],
  ['oof', {}, 1],
  ['unknown', {}, 1],
  ['somethingNew', {}, 1],
  ['busy', { isCancelled: true }, 0],
  ['busy', { responseStatus: { response: 'declined' } }, 0],
  ['tentative', { responseStatus: { response: 'notResponded' } }, 1],
])('shown as %s with %j', async (showAs, more, busy) => {
  expect(await timesOf([{ ...EVENT, showAs, ...more }])).toHaveLength(busy)
})

test('one odd event does not end the reading', async () => {
  const odd = [
    null,
    'text',
    {},
    { id: 'b' },
    { id: 'c', start: { dateTime: 'soon' }, end: null },
    { id: 'd', start: at('25:00:00'), end: at('26:00:00') },
    { id: 'e', subject: 7, showAs: [], responseStatus: 'no', start: at('12:00:00'), end: at('12:00:00') },
  ]
  expect(await timesOf([...odd, EVENT])).toEqual(['2027-05-03T09:00:00.000Z 2027-05-03T10:00:00.000Z'])
})
