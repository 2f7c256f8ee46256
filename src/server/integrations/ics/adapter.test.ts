import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildOwnerUrlFetcher } from '#server/platform/http/fetch-owner-url.ts'
import { toAllowedNetworks } from '#server/platform/http/reachable-networks.ts'
import {
  CalendarTooLargeError,
  type ChangesPage,
  type ExternalChange,
  ResponseTooLargeError,
} from '#server/ports/external-calendar.ts'
import {
  CONTRACT_TEST_WINDOW,
  type EventAddedByPerson,
  type ProviderTestAccount,
  testCalendarProviderContract,
} from '#tests/support/calendar-provider-contract.ts'
import { collectAsync } from '#tests/support/collect.ts'
import { shortestTimeMs } from '#tests/support/least-time.ts'
import { BERLIN_TIME_ZONE_LINES, toCalendarText, toEventLines } from '#tests/support/persons-event-file.ts'
import { runReadingsInProcess } from '#tests/support/read-here.ts'
import { buildIcsProvider } from './adapter.ts'
import { ICS_PARSERS } from './parsers.ts'

const OWNER = 'ada@example.com'
const BERLIN = { externalId: 'file', timeZone: 'Europe/Berlin', readerZones: ['Australia/Sydney'] as const }
const OWN_APPOINTMENT = '0a1b2c3d-0a1b-4a1b-8a1b-0a1b2c3d4e5f'

testCalendarProviderContract('An .ics address', openWorld)

describe('an address of a file', () => {
  let host: Host
  beforeEach(async () => {
    host = await startHost()
  })
  afterEach(() => host.stop())

  test('is connected by its https form when it is written as webcal', async () => {
    const asked: string[] = []
    const provider = buildIcsProvider({
      ownUidHost: 'meridian.example',
      read: runReadingsInProcess(ICS_PARSERS),
      fetchAddress: async (url) => {
        asked.push(url)
        return new Response(toCalendarText([]))
      },
    })
    const account = await provider.connect?.({
      kind: 'address',
      url: ' webcal://calendar.example/private-1/basic.ics',
    })
    expect(asked).toEqual(['https://calendar.example/private-1/basic.ics'])
    expect(account).toMatchObject({ accountName: 'calendar.example', grantedScopes: [] })
    // The URL is a secret, so it must not be the account's name.
    expect(account?.accountId).not.toContain('private-1')
  })

  test('is fetched only when it changed', async () => {
    host.text = toCalendarText(toEventLines('a', OWNER, EVENT))
    const first = await read(host, null)
    expect(first.changes).toHaveLength(1)
    const second = await read(host, first.cursor)
    expect(second).toEqual({ changes: [], cursor: first.cursor })
    expect(host.answers).toEqual([200, 304])
  })

  test('without versions of its own is compared by its content', async () => {
    host.hasVersions = false
    host.text = toCalendarText(toEventLines('a', OWNER, EVENT))
    const first = await read(host, null)
    expect((await read(host, first.cursor)).changes).toEqual([])
    expect(host.answers).toEqual([200, 200])
  })

  test('is replaced as a whole, and only what differs is a change', async () => {
    host.text = toCalendarText([
      ...toEventLines('stays', OWNER, EVENT),
      ...toEventLines('moves', OWNER, EVENT),
      ...toEventLines('goes', OWNER, EVENT),
    ])
    const before = await read(host, null)
    host.text = toCalendarText([
      ...toEventLines('moves', OWNER, { startsAt: '2027-02-02T09:00:00Z', endsAt: '2027-02-02T10:00:00Z' }),
      ...toEventLines('stays', OWNER, EVENT),
      ...toEventLines('comes', OWNER, EVENT),
    ])
    const after = await read(host, before.cursor)
    const states = after.changes.map(({ eventId, event }) => [eventId, event?.occurrences.length ?? null])
    expect(states.sort()).toEqual([
      ['comes', 1],
      ['goes', null],
      ['moves', 1],
    ])
  })

  test('that was emptied frees everything', async () => {
    host.text = toCalendarText(toEventLines('a', OWNER, EVENT))
    const before = await read(host, null)
    host.text = toCalendarText([])
    expect((await read(host, before.cursor)).changes).toEqual([{ eventId: 'a', event: null }])
  })

  test.each([
    ['<!doctype html><title>Log in</title>', 'a web page'],
    ['', 'no calendar'],
    ['{"error":"maintenance"}', 'no calendar'],
    [
      toCalendarText(
        toEventLines('a', OWNER, { startsAt: '2027-02-01T09:00:00Z', endsAt: '2027-02-01T10:00:00Z' }),
      ).slice(0, -30),
      'cut off',
    ],
  ])('that answers %j frees nothing', async (text, words) => {
    host.text = toCalendarText(toEventLines('a', OWNER, EVENT))
    const { cursor } = await read(host, null)
    host.text = text
    const failed = await read(host, cursor).catch((error: unknown) => error)
    expect(failed).toMatchObject({ kind: 'unavailable', message: expect.stringContaining(words) })
  })

  test.each([
    [401, 'expired'],
    [403, 'expired'],
    [404, 'gone'],
    [410, 'gone'],
    [500, 'unavailable'],
  ])('with status %i is %s', async (status, kind) => {
    host.fault = (answer) => answer.writeHead(status).end()
    await expect(read(host, null)).rejects.toMatchObject({ kind })
  })

  test('says when it wants to be asked again', async () => {
    host.fault = (answer) => answer.writeHead(429, { 'retry-after': '120' }).end()
    await expect(read(host, null)).rejects.toMatchObject({ kind: 'rate_limited', retryAfterMs: 120_000 })
  })

  test('that is too large is refused', async () => {
    const provider = buildIcsProvider({
      ownUidHost: 'meridian.example',
      read: runReadingsInProcess(ICS_PARSERS),
      fetchAddress: (url, request) =>
        buildOwnerUrlFetcher({ allowedNetworks: LOOPBACK })(url, { ...request, maxBytes: 1_000 }),
    })
    host.text = toCalendarText([`X-LONG:${'x'.repeat(2_000)}`])
    const connecting = provider.connect?.({ kind: 'address', url: host.url })
    await expect(connecting).rejects.toMatchObject({ kind: 'refused', message: 'The response is too large.' })
  })

  test.each([
    [401, /needs a password/],
    [403, /needs a password/],
    [404, /^There is nothing at this address/],
  ])('with status %i at the first time is said in words that fit: nothing ended', async (status, words) => {
    host.fault = (answer) => answer.writeHead(status).end()
    const connecting = buildProvider().connect?.({ kind: 'address', url: host.url })
    await expect(connecting).rejects.toMatchObject({ kind: 'refused', message: expect.stringMatching(words) })
  })

  test('that leads into a private network is refused in words of its own', async () => {
    host.fault = (answer) => answer.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end()
    const connecting = buildProvider().connect?.({ kind: 'address', url: host.url })
    await expect(connecting).rejects.toMatchObject({ kind: 'address_refused' })
  })

  test('with 10,000 events is read page by page, and its cursor stays small', async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => {
      const day = new Date(Date.UTC(2027, 0, 1 + (index % 700)))
      return toEventLines(`${index}-0123456789abcdef@google.com`, OWNER, {
        startsAt: day.toISOString().replace('T00', 'T09'),
        endsAt: day.toISOString().replace('T00', 'T10'),
      })
    })
    host.text = toCalendarText([...BERLIN_TIME_ZONE_LINES, ...lines.flat()])
    const pages = await readPages(host, null)
    expect(pages.length).toBeGreaterThanOrEqual(20)
    expect(
      pages.flatMap(({ changes }) => changes.flatMap(({ event }) => event?.occurrences ?? [])),
    ).toHaveLength(10_000)
    const cursor = pages.at(-1)?.cursor ?? ''
    expect(cursor.length).toBeLessThan(500_000)
    host.text = toCalendarText([...BERLIN_TIME_ZONE_LINES, ...lines.slice(1).flat()])
    const { changes } = await read(host, cursor)
    expect(changes).toEqual([{ eventId: '0-0123456789abcdef@google.com', event: null }])
  })

  test('a cursor that cannot be read asks for a full sync', async () => {
    for (const cursor of ['', 'token', '{"format":0}', '{"format":1,"startMs":0,"endMs":1,"known":"x"}']) {
      await expect(read(host, cursor)).rejects.toMatchObject({ kind: 'cursor_lost' })
    }
  })

  test('our own events are recognised by the UID of our emails, and by their property', async () => {
    const copied = toEventLines('copy@google.com', OWNER, EVENT)
    host.text = toCalendarText([
      ...toEventLines(`${OWN_APPOINTMENT}@meridian.example`, OWNER, EVENT),
      ...copied.slice(0, -1),
      `X-MERIDIAN-APPOINTMENT:${OWN_APPOINTMENT}`,
      'END:VEVENT',
      ...toEventLines(`${OWN_APPOINTMENT}@other.example`, OWNER, EVENT),
    ])
    const { changes } = await read(host, null)
    expect(changes.map(({ event }) => event?.appointmentId)).toEqual([OWN_APPOINTMENT, OWN_APPOINTMENT, null])
    const busy = await buildProvider().readBusyTimes(toAccess(host), {
      calendars: [BERLIN],
      during: CONTRACT_TEST_WINDOW,
      signal: AbortSignal.timeout(30_000),
    })
    expect(busy.map(({ eventId, appointmentId }) => [eventId, appointmentId])).toEqual([
      [`${OWN_APPOINTMENT}@meridian.example`, OWN_APPOINTMENT],
      ['copy@google.com', OWN_APPOINTMENT],
      [`${OWN_APPOINTMENT}@other.example`, null],
    ])
  })

  test('with more than five megabytes is read by a sync, and not before a booking', async () => {
    const long = ['BEGIN:VEVENT', `DESCRIPTION:${'x'.repeat(5_000_000)}`, 'END:VEVENT']
    host.text = toCalendarText([...toEventLines('a', OWNER, EVENT), ...long])
    expect((await read(host, null)).changes).toHaveLength(1)
    const asking = buildProvider().readBusyTimes(toAccess(host), {
      calendars: [BERLIN],
      during: CONTRACT_TEST_WINDOW,
      signal: AbortSignal.timeout(30_000),
    })
    await expect(asking).rejects.toBeInstanceOf(ResponseTooLargeError)
  })

  test('with more busy times than can be read is read neither by a sync nor before a booking, and a page of one has few', async () => {
    const hourly = (uid: string) => [
      ...['BEGIN:VEVENT', `UID:${uid}`, 'DTSTART:20270101T000000Z', 'DURATION:P30D', 'RRULE:FREQ=HOURLY'],
      'END:VEVENT',
    ]
    const publish = (count: number) => {
      host.text = toCalendarText(Array.from({ length: count }, (_, index) => hourly(`${index}`)).flat())
    }
    publish(4)
    for (const { changes } of await readPages(host, null)) {
      expect(changes.flatMap(({ event }) => event?.occurrences ?? []).length).toBeLessThan(20_000)
    }
    publish(200)
    await expect(read(host, null)).rejects.toBeInstanceOf(CalendarTooLargeError)
    const startMs = Date.parse('2027-06-01T09:00:00Z')
    const asking = buildProvider().readBusyTimes(toAccess(host), {
      calendars: [BERLIN],
      during: { startMs, endMs: startMs + 3_600_000 },
      signal: AbortSignal.timeout(60_000),
    })
    await expect(asking).rejects.toBeInstanceOf(ResponseTooLargeError)
  })

  test('a slow server does not hold up a booking', async () => {
    host.fault = () => {}
    const limitMs = 2_000
    const tookMs = await shortestTimeMs(limitMs, async () => {
      const asking = buildProvider().readBusyTimes(toAccess(host), {
        calendars: [BERLIN],
        during: CONTRACT_TEST_WINDOW,
        signal: AbortSignal.timeout(200),
      })
      await expect(asking).rejects.toMatchObject({ kind: 'unavailable' })
    })
    expect(tookMs).toBeLessThan(limitMs)
  })
})

const EVENT: EventAddedByPerson = { startsAt: '2027-02-01T09:00:00Z', endsAt: '2027-02-01T10:00:00Z' }
const LOOPBACK = toAllowedNetworks(['127.0.0.1'])

/** A web server with one calendar file. */
type Host = {
  readonly url: string
  text: string
  /** True when it supports conditional requests. */
  hasVersions: boolean
  fault: ((answer: ServerResponse) => void) | null
  /** The statuses of the server's responses. */
  readonly answers: number[]
  readonly stop: () => Promise<void>
}

async function startHost(): Promise<Host> {
  const server = createServer((request, answer) => {
    if (host.fault !== null) return host.fault(answer)
    const status = host.hasVersions && request.headers['if-none-match'] === toEtag(host.text) ? 304 : 200
    host.answers.push(status)
    send(request, answer, status)
  })
  const send = (_request: IncomingMessage, answer: ServerResponse, status: number) => {
    const version = host.hasVersions ? { etag: toEtag(host.text) } : {}
    answer.writeHead(status, { 'content-type': 'text/calendar', ...version })
    answer.end(status === 304 ? undefined : host.text)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const host: Host = {
    // The URL has the format of Google's.
    url: `http://127.0.0.1:${port}/calendar/ical/${encodeURIComponent(OWNER)}/private-1/basic.ics`,
    text: toCalendarText([]),
    hasVersions: true,
    fault: null,
    answers: [],
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return host
}

function toEtag(text: string): string {
  return `"${createHash('sha256').update(text).digest('hex')}"`
}

function buildProvider() {
  return buildIcsProvider({
    fetchAddress: buildOwnerUrlFetcher({ allowedNetworks: LOOPBACK }),
    ownUidHost: 'meridian.example',
    read: runReadingsInProcess(ICS_PARSERS),
  })
}

function toAccess({ url }: Pick<Host, 'url'>) {
  return { credentials: JSON.stringify({ url }), saveCredentials: async (saved: string) => saved }
}

async function readPages(host: Host, cursor: string | null): Promise<ChangesPage[]> {
  const request = { calendar: BERLIN, cursor, window: CONTRACT_TEST_WINDOW }
  return collectAsync(buildProvider().readChanges(toAccess(host), request))
}

async function read(
  host: Host,
  cursor: string | null,
): Promise<{ changes: ExternalChange[]; cursor: string }> {
  const pages = await readPages(host, cursor)
  return { changes: pages.flatMap(({ changes }) => changes), cursor: pages.at(-1)?.cursor ?? '' }
}

async function openWorld(): Promise<ProviderTestAccount> {
  const host = await startHost()
  const events = new Map<string, EventAddedByPerson>()
  let count = 0
  const publish = () => {
    const lines = [...events].flatMap(([id, event]) => toEventLines(id, OWNER, event))
    host.text = toCalendarText([
      'X-WR-CALNAME:Work',
      'X-WR-TIMEZONE:Europe/Berlin',
      ...BERLIN_TIME_ZONE_LINES,
      ...lines,
    ])
  }
  publish()
  const change = async (id: string, event: EventAddedByPerson | null) => {
    if (event === null) events.delete(id)
    else events.set(id, event)
    publish()
  }
  const addEvent = async (event: EventAddedByPerson) => {
    count += 1
    await change(`event-${count}`, event)
    return `event-${count}`
  }
  const withStatus = (status: number) => async () => {
    host.fault = (answer) => answer.writeHead(status).end()
  }
  return {
    provider: buildProvider(),
    access: toAccess(host),
    externalId: 'file',
    addEvent,
    addClaim: (claims, time) => addEvent({ ...time, claims }),
    moveEvent: (id, time) => change(id, { ...events.get(id), ...time }),
    deleteEvent: (id) => change(id, null),
    faults: {
      cursor_lost: null,
      expired: withStatus(403),
      rate_limited: withStatus(429),
      unavailable: withStatus(502),
    },
    heal: async () => {
      host.fault = null
    },
    stop: host.stop,
  }
}
