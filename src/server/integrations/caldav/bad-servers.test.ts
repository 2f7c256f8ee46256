import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildOwnerUrlFetcher } from '#server/platform/http/fetch-owner-url.ts'
import { toAllowedNetworks } from '#server/platform/http/reachable-networks.ts'
import {
  type CalendarAccess,
  CalendarTooLargeError,
  type CalendarToRead,
  type ExternalChange,
  type ListedCalendar,
  ResponseTooLargeError,
  type StoredBusyTime,
} from '#server/ports/external-calendar.ts'
import { CONTRACT_TEST_WINDOW } from '#tests/support/calendar-provider-contract.ts'
import { collectAsync } from '#tests/support/collect.ts'
import { type DavFault, type DavProxy, respondWithStatus, startDavProxy } from '#tests/support/dav-proxy.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { shortestTimeMs } from '#tests/support/least-time.ts'
import { toCalendarText, toEventLines } from '#tests/support/persons-event-file.ts'
import { type Radicale, startRadicale } from '#tests/support/radicale.ts'
import { runReadingsInProcess } from '#tests/support/read-here.ts'
import { buildCaldavProvider } from './adapter.ts'
import { CALDAV_PARSERS } from './parsers.ts'

const LOOPBACK = toAllowedNetworks(['127.0.0.1'])
const EVENT = { startsAt: '2027-02-01T09:00:00Z', endsAt: '2027-02-01T10:00:00Z' }

describe('a CalDAV server', () => {
  let radicale: Radicale
  let proxy: DavProxy
  let access: CalendarAccess
  let calendar: ListedCalendar & CalendarToRead
  const provider = buildProvider()

  beforeAll(async () => {
    radicale = await startRadicale()
    proxy = await startDavProxy(radicale.url)
    await ask('MKCALENDAR', '')
    access = await connect()
    const [found] = await provider.listCalendars(access)
    if (found === undefined) throw new Error('the calendar is listed')
    calendar = { ...found, readerZones: ['America/Los_Angeles'] }
  })
  afterEach(() => proxy.setFault(null))
  afterAll(async () => {
    await proxy.stop()
    await radicale.stop()
  })

  async function connect(typed: { url?: string; password?: string } = {}): Promise<CalendarAccess> {
    const { username, password } = radicale
    const account = await provider.connect?.({
      kind: 'password',
      url: proxy.url,
      username,
      password,
      ...typed,
    })
    return { credentials: account?.credentials ?? '', saveCredentials: async (saved) => saved }
  }

  async function ask(method: string, name: string, body?: string): Promise<string> {
    const authorization = `Basic ${Buffer.from(`${radicale.username}:${radicale.password}`).toString('base64')}`
    const url = new URL(`/${encodeURIComponent(radicale.username)}/work/${name}`, radicale.url)
    const headers = { authorization, 'content-type': 'text/calendar' }
    const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
    if (!answer.ok) throw new Error(`${method} ${name}: ${answer.status}`)
    return answer.text()
  }

  async function read(
    cursor: string | null,
    from: CalendarToRead = calendar,
  ): Promise<{ changes: ExternalChange[]; cursor: string; pageSizes: number[] }> {
    const request = { calendar: from, cursor, window: CONTRACT_TEST_WINDOW }
    const pages = await collectAsync(provider.readChanges(access, request))
    return {
      changes: pages.flatMap(({ changes }) => changes),
      cursor: pages.at(-1)?.cursor ?? '',
      pageSizes: pages.map(({ changes }) => changes.length),
    }
  }

  test('names the account by its principal, and the owner by their address', async () => {
    const { username, password, url } = radicale
    const account = await provider.connect?.({ kind: 'password', url, username, password })
    expect(account).toMatchObject({
      accountId: `${radicale.url}ada%40example.com/`,
      accountName: 'ada@example.com',
      grantedScopes: [],
    })
  })

  test('that refuses the password is told apart from one that is none', async () => {
    await expect(connect({ password: 'wrong' })).rejects.toMatchObject({ kind: 'expired' })
    proxy.setFault(respondWithStatus(404))
    await expect(connect()).rejects.toMatchObject({ kind: 'refused' })
  })

  test('that leads into a private network is refused in words of its own', async () => {
    await expect(connect({ url: 'https://169.254.169.254/dav/' })).rejects.toMatchObject({
      kind: 'address_refused',
    })
    proxy.setFault((_request, _body, answer) => {
      answer.writeHead(301, { location: 'http://10.0.0.1/dav/' }).end()
      return true
    })
    await expect(connect()).rejects.toMatchObject({ kind: 'address_refused' })
  })

  test('that is dead fails at once', async () => {
    const limitMs = 5_000
    const tookMs = await shortestTimeMs(limitMs, async () => {
      await expect(connect({ url: `http://127.0.0.1:${await findFreePort()}/` })).rejects.toMatchObject({
        kind: 'unavailable',
      })
    })
    expect(tookMs).toBeLessThan(limitMs)
  })

  test('that is slow does not hold up a booking', async () => {
    proxy.setFault(() => true)
    const limitMs = 2_000
    const tookMs = await shortestTimeMs(limitMs, async () => {
      const asking = provider.readBusyTimes(access, {
        calendars: [calendar],
        during: CONTRACT_TEST_WINDOW,
        signal: AbortSignal.timeout(200),
      })
      await expect(asking).rejects.toMatchObject({ kind: 'unavailable' })
    })
    expect(tookMs).toBeLessThan(limitMs)
  })

  test.each([
    ['a web page', 200, 'text/html', '<html>maintenance</html>'],
    ['nothing', 200, 'text/plain', ''],
    ['XML that is cut off', 207, 'application/xml', '<multistatus xmlns="DAV:"><response>'],
  ])('that answers %s frees nothing', async (_name, status, type, text) => {
    await ask('PUT', 'kept.ics', toCalendarText(toEventLines('kept', radicale.username, EVENT)))
    const { cursor } = await read(null)
    proxy.setFault((_request, _body, answer) => {
      answer.writeHead(status, { 'content-type': type }).end(text)
      return true
    })
    for (const from of [null, cursor]) {
      await expect(read(from)).rejects.toMatchObject({ name: 'CalendarProviderError' })
    }
    const busy = provider.readBusyTimes(access, {
      calendars: [calendar],
      during: CONTRACT_TEST_WINDOW,
      signal: AbortSignal.timeout(30_000),
    })
    await expect(busy).rejects.toMatchObject({ kind: 'unavailable' })
    proxy.setFault(null)
    await ask('DELETE', 'kept.ics')
  })

  test('without the calendar any more says that it is gone', async () => {
    const gone = { ...calendar, externalId: `${calendar.externalId.slice(0, -1)}-gone/` }
    const reading = collectAsync(
      provider.readChanges(access, { calendar: gone, cursor: null, window: CONTRACT_TEST_WINDOW }),
    )
    await expect(reading).rejects.toMatchObject({ kind: 'gone' })
  })

  test('asks us to wait in seconds', async () => {
    proxy.setFault(respondWithStatus(503, { 'retry-after': '90' }))
    await expect(read(null)).rejects.toMatchObject({ kind: 'unavailable', retryAfterMs: 90_000 })
  })

  test('gives 110 events on two pages', async () => {
    // Upload the events as one calendar file, which radicale accepts in one request.
    const lines = Array.from({ length: 110 }, (_, i) => toEventLines(`many-${i}`, radicale.username, EVENT))
    await ask('PUT', '../many/', toCalendarText(lines.flat()))
    const many = { ...calendar, externalId: calendar.externalId.replace('/work/', '/many/') }
    proxy.asked.length = 0
    const first = await read(null, many)
    expect(first.changes).toHaveLength(110)
    expect(proxy.asked.filter((line) => line.startsWith('REPORT')).length).toBe(3)
    const eventId = first.changes[0]?.eventId ?? ''
    await ask('DELETE', `../many/${eventId.slice(many.externalId.length)}`)
    const { changes } = await read(first.cursor, many)
    expect(changes).toEqual([{ eventId, event: null }])
    await ask('DELETE', '../many/')
  })

  // Servers evaluate dates and times without a zone in their own zone; radicale uses UTC. Source: RFC 4791 §9.9.
  test.each([
    ['a day east of UTC', 'Australia/Sydney', '2027-01-26', '2027-01-25T21:00:00Z', '2027-01-25T23:00:00Z'],
    [
      'a day west of UTC',
      'America/Los_Angeles',
      '2027-01-26',
      '2027-01-27T02:00:00Z',
      '2027-01-27T04:00:00Z',
    ],
    ['a time without a zone', 'Australia/Sydney', null, '2027-01-25T21:00:00Z', '2027-01-25T23:00:00Z'],
  ])(
    'names %s when it is asked before a booking, as in a sync',
    async (_name, timeZone, day, from, until) => {
      const here = { ...calendar, timeZone }
      const lines =
        day === null
          ? [...'BEGIN:VEVENT UID:odd DTSTART:20270126T090000 DTEND:20270126T093000 END:VEVENT'.split(' ')]
          : toEventLines('odd', radicale.username, { startsAt: day, endsAt: '2027-01-27', isAllDay: true })
      await ask('PUT', 'odd.ics', toCalendarText(lines))
      const during = { startMs: Date.parse(from), endMs: Date.parse(until) }
      const synced = (await read(null, here)).changes.flatMap(({ event }) => event?.occurrences ?? [])
      const live = await provider.readBusyTimes(access, {
        calendars: [here],
        during,
        signal: AbortSignal.timeout(30_000),
      })
      await ask('DELETE', 'odd.ics')
      expect(live.map(({ startMs, endMs }) => ({ startMs, endMs }))).toEqual(
        synced.map(({ startMs, endMs }) => ({ startMs, endMs })),
      )
      expect(live).toHaveLength(1)
    },
  )

  test('does not name before a booking what is only near its time', async () => {
    await ask('PUT', 'near.ics', toCalendarText(toEventLines('near', radicale.username, EVENT)))
    const live = await provider.readBusyTimes(access, {
      calendars: [calendar],
      during: { startMs: Date.parse(EVENT.endsAt), endMs: Date.parse(EVENT.endsAt) + 3_600_000 },
      signal: AbortSignal.timeout(30_000),
    })
    await ask('DELETE', 'near.ics')
    expect(live).toEqual([])
  })

  describe('that leaves events out of its answer before a booking', () => {
    // The series is on Mondays, and from its second occurrence on, on Fridays.
    const moved = [
      ...['BEGIN:VEVENT', 'UID:moved', 'DTSTAMP:20261201T000000Z', 'DTSTART:20270201T100000Z'],
      ...['DTEND:20270201T110000Z', 'RRULE:FREQ=WEEKLY', 'END:VEVENT', 'BEGIN:VEVENT', 'UID:moved'],
      ...['DTSTAMP:20261201T000000Z', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20270208T100000Z'],
      ...['DTSTART:20270212T100000Z', 'DTEND:20270212T110000Z', 'END:VEVENT'],
    ]
    const during = { startMs: Date.parse('2027-02-18T20:00Z'), endMs: Date.parse('2027-02-19T22:00Z') }
    const friday = { startMs: Date.parse('2027-02-19T10:00Z'), endMs: Date.parse('2027-02-19T11:00Z') }
    const eventKey = () => `${calendar.externalId}moved.ics`
    const copied = () => [{ ...friday, eventKey: eventKey() }]
    const question = (copiedTimes: readonly StoredBusyTime[] = copied()) =>
      provider
        .readBusyTimes(access, {
          calendars: [{ ...calendar, copied: copiedTimes }],
          during,
          signal: AbortSignal.timeout(30_000),
        })
        .then((busy) => busy.map(({ eventId, startMs, endMs }) => ({ eventId, startMs, endMs })))
    beforeEach(() => ask('PUT', 'moved.ics', toCalendarText(moved)))
    afterEach(async () => {
      proxy.setFault(null)
      await ask('DELETE', 'moved.ics').catch(() => {})
    })

    test.each([
      ['as it is', null],
      ['when it judges by the first time alone', answerNothing],
    ])('names what has moved by RANGE=THISANDFUTURE: %s', async (_case, fault) => {
      proxy.setFault(fault)
      expect(await question()).toEqual([{ eventId: eventKey(), ...friday }])
    })

    test('is asked for each of them, and for no other', async () => {
      proxy.asked.length = 0
      await question([])
      expect(proxy.asked).toHaveLength(1)
      proxy.setFault(answerNothing)
      await question()
      expect(proxy.asked).toHaveLength(3)
    })

    test('frees what is gone, and what lies elsewhere by now', async () => {
      proxy.setFault(answerNothing)
      await ask('PUT', 'moved.ics', toCalendarText(moved.slice(0, 7)))
      expect(await question()).toEqual([])
      await ask('DELETE', 'moved.ics')
      expect(await question()).toEqual([])
    })

    test.each([
      ['a fault', 'HTTP/1.1 500 Internal Server Error'],
      ['a refusal', 'HTTP/1.1 403 Forbidden'],
    ])('keeps busy what it answers with %s', async (_case, status) => {
      proxy.setFault((request, body, answer) => {
        if (!body.includes('calendar-multiget')) return answerNothing(request, body, answer)
        const href = new URL(eventKey()).pathname
        answer.writeHead(207, { 'content-type': 'application/xml' })
        answer.end(
          `<multistatus xmlns="DAV:"><response><href>${href}</href><status>${status}</status></response></multistatus>`,
        )
        return true
      })
      expect(await question()).toEqual([{ eventId: eventKey(), ...friday }])
    })

    test('keeps busy what our copy knows by a hash of its address, and does not look at more than a hundred', async () => {
      proxy.setFault(answerNothing)
      expect(await question([{ ...friday, eventKey: 'f00d' }])).toEqual([{ eventId: 'f00d', ...friday }])
      const many = Array.from({ length: 101 }, (_, i) => ({
        ...friday,
        eventKey: `${calendar.externalId}${i}.ics`,
      }))
      await expect(question(many)).rejects.toBeInstanceOf(ResponseTooLargeError)
    })

    test('or cuts its answer frees nothing', async () => {
      const { cursor } = await read(null)
      proxy.setFault((request, _body, answer) => {
        if (request.method !== 'REPORT') return false
        const more = '<response><href>/</href><status>HTTP/1.1 507 Insufficient Storage</status></response>'
        answer.writeHead(207, { 'content-type': 'application/xml' })
        answer.end(`<multistatus xmlns="DAV:">${more}</multistatus>`)
        return true
      })
      await expect(question()).rejects.toBeInstanceOf(ResponseTooLargeError)
      await expect(read(null)).rejects.toBeInstanceOf(CalendarTooLargeError)
      await expect(read(cursor)).rejects.toMatchObject({ kind: 'cursor_lost' })
    })

    test('or has a fault with one event in a sync deletes nothing', async () => {
      proxy.setFault((_request, body, answer) => {
        if (!body.includes('calendar-multiget')) return false
        const href = new URL(eventKey()).pathname
        answer.writeHead(207, { 'content-type': 'application/xml' })
        answer.end(
          `<multistatus xmlns="DAV:"><response><href>${href}</href><status>HTTP/1.1 503 Service Unavailable</status></response></multistatus>`,
        )
        return true
      })
      await expect(read(null)).rejects.toMatchObject({ kind: 'unavailable' })
    })
  })

  test('with large events is asked for fewer of them at once, and one that is too large is refused', {
    tags: ['slow'],
  }, async () => {
    const count = 100
    // Each file has 150 kB, so 100 of them exceed the maximum size of a response.
    proxy.setFault(answerForEvents(count, 150_000))
    proxy.asked.length = 0
    const { changes } = await read(null)
    expect(new Set(changes.map(({ eventId }) => eventId)).size).toBe(count)
    // The requests are the list, one failed request for a hundred objects, and two for fifty.
    expect(proxy.asked.filter((line) => line.startsWith('REPORT'))).toHaveLength(4)
    proxy.setFault(answerForEvents(3, 11_000_000))
    await expect(read(null)).rejects.toBeInstanceOf(CalendarTooLargeError)
  })

  test('finds an event of ours without a zone where a sync reads it: in the zone of its calendar', async () => {
    const appointment = makeAppointment()
    await provider.events?.create(access, calendar.externalId, appointment)
    const name = nameOf(appointment)
    const floating = `BEGIN:VEVENT UID:${appointment.icalUid} DTSTART:20270608T090000 DTEND:20270608T093000 END:VEVENT`
    await ask('PUT', name, toCalendarText(floating.split(' ')))
    const here = { ...calendar, timeZone: 'Australia/Sydney' }
    const { changes } = await read(null, here)
    const { externalId } = here
    const found = await provider.events?.find(access, {
      ...here,
      eventRef: `${externalId}${name}`,
    })
    await ask('DELETE', name)
    expect(found?.occurrences).toMatchObject([{ startMs: Date.parse('2027-06-07T23:00:00Z') }])
    expect(changes[0]?.event?.occurrences).toEqual(found?.occurrences)
  })

  test('whose list of changes has no end is given up', { tags: ['slow'] }, async () => {
    const { cursor } = await read(null)
    let asked = 0
    proxy.setFault((_request, body, answer) => {
      if (!body.includes('sync-collection')) return false
      asked += 1
      const hrefs = Array.from(
        { length: 20_000 },
        (_, index) => `<response><href>/${asked}-${index}</href></response>`,
      )
      const more = '<response><href>/</href><status>HTTP/1.1 507 Insufficient Storage</status></response>'
      const token = `<sync-token>urn:token:${asked}</sync-token>`
      answer.writeHead(207, { 'content-type': 'application/xml' })
      answer.end(`<multistatus xmlns="DAV:">${hrefs.join('')}${more}${token}</multistatus>`)
      return true
    })
    await expect(read(cursor)).rejects.toBeInstanceOf(CalendarTooLargeError)
    expect(asked).toBeLessThan(20)
  })

  test('with more calendars than a person has is refused', async () => {
    const calendars = Array.from({ length: 1_001 }, (_, index) =>
      toPart(`/ada/${index}/`, '<resourcetype><collection/><C:calendar/></resourcetype>'),
    )
    proxy.setFault((_request, _body, answer) => {
      answer.writeHead(207, { 'content-type': 'application/xml' })
      const namespaces = 'xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"'
      answer.end(`<multistatus ${namespaces}>${calendars.join('')}</multistatus>`)
      return true
    })
    await expect(provider.listCalendars(access)).rejects.toBeInstanceOf(CalendarTooLargeError)
  })

  test('with 10,000 events gives each of them once, a hundred at a time', { tags: ['slow'] }, async () => {
    // Radicale would take minutes to return this many events, so the proxy responds instead.
    proxy.setFault(answerForEvents(10_000))
    const { changes, pageSizes } = await read(null)
    expect(new Set(changes.map(({ eventId }) => eventId)).size).toBe(10_000)
    expect(changes.every(({ event }) => event?.occurrences.length === 1)).toBe(true)
    expect(Math.max(...pageSizes)).toBe(100)
  })

  test('keeps the file of our email that the owner took in, and has the event of the appointment beside it (rule G10)', async () => {
    const appointment = makeAppointment()
    const { appointmentId } = appointment
    const imported = toEventLines(`${appointmentId}@meridian.example`, radicale.username, EVENT)
    await ask('PUT', 'imported.ics', toCalendarText(imported))
    const written = await provider.events?.create(access, calendar.externalId, appointment)
    expect(written?.eventRef).toBe(`${calendar.externalId}${nameOf(appointment)}`)
    const { changes } = await read(null)
    expect(changes.map(({ event }) => event?.appointmentId)).toEqual([appointmentId, appointmentId])
    expect(await ask('GET', 'imported.ics')).toContain(imported[4])
    await ask('DELETE', 'imported.ics')
    await ask('DELETE', nameOf(appointment))
  })

  test('never takes an object of a stranger for the event of an appointment, at its address or with its UID (rule G27)', async () => {
    const { events } = provider
    const { externalId } = calendar
    const toInvitation = (uid: string) => {
      const lines = toEventLines(uid, radicale.username, EVENT)
      return toCalendarText([...lines.slice(0, -1), 'ORGANIZER:mailto:eve@example.org', 'END:VEVENT'])
    }
    for (const isAtAddress of [true, false]) {
      const appointment = makeAppointment()
      const name = isAtAddress ? nameOf(appointment) : 'stranger.ics'
      await ask('PUT', name, toInvitation(isAtAddress ? 'other' : appointment.icalUid))
      const written = await events?.create(access, externalId, appointment)
      const eventRef = written?.eventRef ?? ''
      expect(eventRef).not.toBe(`${externalId}${name}`)
      expect(await ask('GET', name)).toContain('ORGANIZER:mailto:eve@example.org')
      expect(await events?.find(access, { ...calendar, eventRef })).toMatchObject({
        ...{ title: 'First session', secret: appointment.secret, isInvitation: false },
      })
      // Another person's invitation replaces our event.
      const ownName = new URL(eventRef).pathname.split('/').at(-1) ?? ''
      const [, uid = ''] = /^UID:(.+?)\r?$/m.exec(await ask('GET', ownName)) ?? []
      await ask('PUT', ownName, toInvitation(uid))
      expect(await events?.find(access, { ...calendar, eventRef })).toMatchObject({ isInvitation: true })
      const update = events?.update(access, { externalId, eventRef, etag: null }, appointment)
      await expect(update).rejects.toMatchObject({ kind: 'gone' })
      await ask('DELETE', name)
      await events?.remove(access, { externalId, eventRef, etag: null })
    }
  })

  test('gives an event from before there were secrets another address and UID, with what the owner added', async () => {
    const appointment = makeAppointment()
    const { appointmentId } = appointment
    const earlier = toEventLines(`${appointmentId}@meridian.example`, radicale.username, {
      ...EVENT,
      claims: appointmentId,
    })
    const name = `meridian-${appointmentId}.ics`
    await ask('PUT', name, toCalendarText([...earlier.slice(0, -1), 'CATEGORIES:Important', 'END:VEVENT']))
    const handle = { externalId: calendar.externalId, eventRef: `${calendar.externalId}${name}`, etag: null }
    const written = await provider.events?.update(access, handle, appointment)
    expect(written?.eventRef).toBe(`${calendar.externalId}${nameOf(appointment)}`)
    const stored = await ask('GET', nameOf(appointment))
    expect(stored).toContain('CATEGORIES:Important')
    expect(stored).toContain(`UID:${appointment.icalUid}`)
    const { changes } = await read(null)
    expect(changes.map(({ event }) => event?.secret)).toEqual([appointment.secret])
    const again = await provider.events?.update(
      access,
      { ...handle, eventRef: written?.eventRef ?? '' },
      appointment,
    )
    expect(again?.eventRef).toBe(written?.eventRef)
    await ask('DELETE', nameOf(appointment))
  })

  test('keeps what the owner added to the event of an appointment', async () => {
    const appointment = makeAppointment()
    const { events } = provider
    const written = await events?.create(access, calendar.externalId, appointment)
    const name = nameOf(appointment)
    const lines = toEventLines(appointment.icalUid, radicale.username, EVENT)
    await ask(
      'PUT',
      name,
      toCalendarText([...lines.slice(0, -1), 'CATEGORIES:Important', ...ALARM, 'END:VEVENT']),
    )
    const eventRef = written?.eventRef ?? ''
    await events?.update(access, { externalId: calendar.externalId, eventRef, etag: null }, appointment)
    const found = await events?.find(access, { ...calendar, eventRef })
    expect(found).toMatchObject({ title: 'First session', appointmentId: appointment.appointmentId })
    const authorization = `Basic ${Buffer.from(`${radicale.username}:${radicale.password}`).toString('base64')}`
    const stored = await (await fetch(eventRef, { headers: { authorization } })).text()
    expect(stored).toContain('CATEGORIES:Important')
    expect(stored).toContain('BEGIN:VALARM')
    expect(stored).toContain('DTSTART:20270607T080000Z')
    await ask('DELETE', name)
  })

  test.each([
    ['that the owner has here', [], 'Ada@Practice.example', 'mailto:ada@practice.example', false],
    ['that is no email address', ['/principals/ada/'], null, '/principals/Ada/', false],
    ['of a stranger', [], 'ada@practice.example', 'mailto:eve@example.org', true],
    ['of a stranger on the server', ['/principals/ada/'], null, '/principals/eve/', true],
    [
      'that the owner has here and the account has another',
      ['ada@example.com'],
      'ada@practice.example',
      'mailto:ada@practice.example',
      true,
    ],
  ])(
    'without an email address of the owner knows who added guests by an address %s (rule G27)',
    async (_case, addresses, email, organizer, isInvitation) => {
      const credentials = JSON.stringify({ ...JSON.parse(access.credentials), addresses })
      const known = { ...access, credentials, findOwnerEmail: async () => email }
      const appointment = makeAppointment()
      const { externalId } = calendar
      const written = await provider.events?.create(known, externalId, appointment)
      const eventRef = written?.eventRef ?? ''
      const lines = (await ask('GET', nameOf(appointment))).trimEnd().split('\r\n')
      const guests = [`ORGANIZER:${organizer}`, 'ATTENDEE:mailto:grace@example.com']
      await ask('PUT', nameOf(appointment), [...lines.toSpliced(-2, 0, ...guests), ''].join('\r\n'))
      expect(await provider.events?.find(known, { ...calendar, eventRef })).toMatchObject({ isInvitation })
      const pages = await collectAsync(
        provider.readChanges(known, { calendar, cursor: null, window: CONTRACT_TEST_WINDOW }),
      )
      const changes = pages.flatMap((page) => page.changes)
      expect(changes.find(({ eventId }) => eventId === eventRef)?.event).toMatchObject({ isInvitation })
      const update = provider.events?.update(known, { externalId, eventRef, etag: null }, appointment)
      if (isInvitation) await expect(update).rejects.toMatchObject({ kind: 'gone' })
      else expect(await update).toMatchObject({ eventRef })
      await ask('DELETE', nameOf(appointment))
    },
  )

  test('moved far away by the owner, the event of an appointment is still known', async () => {
    const appointment = makeAppointment()
    await provider.events?.create(access, calendar.externalId, appointment)
    const { cursor } = await read(null)
    const name = nameOf(appointment)
    const moved = { startsAt: '2035-02-01T09:00:00Z', endsAt: '2035-02-01T10:00:00Z' }
    await ask('PUT', name, toCalendarText(toEventLines(appointment.icalUid, radicale.username, moved)))
    const { changes } = await read(cursor)
    expect(changes[0]?.event).toMatchObject({
      appointmentId: appointment.appointmentId,
      occurrences: [{ startMs: Date.parse(moved.startsAt) }],
    })
    await ask('DELETE', name)
  })
})

const ALARM = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'DESCRIPTION:Soon', 'TRIGGER:-PT10M', 'END:VALARM']

function buildProvider() {
  return buildCaldavProvider({
    fetchAddress: buildOwnerUrlFetcher({ allowedNetworks: LOOPBACK }),
    ownUidHost: 'meridian.example',
    read: runReadingsInProcess(CALDAV_PARSERS),
    now: () => Date.parse('2026-12-01T09:00:00Z'),
  })
}

function makeAppointment() {
  const [appointmentId, secret] = [randomUUID(), randomUUID()]
  return {
    appointmentId,
    secret,
    startMs: Date.parse('2027-06-07T08:00:00Z'),
    endMs: Date.parse('2027-06-07T08:30:00Z'),
    timeZone: 'Europe/Berlin',
    title: 'First session',
    description: 'Grace Hopper',
    location: null,
    url: 'https://meridian.example/calendar',
    icalUid: `${secret}@meridian.example`,
    sequence: 1,
  }
}

/** Returns the file name of an appointment's event. */
function nameOf({ appointmentId, secret }: { appointmentId: string; secret: string }): string {
  return `meridian-${appointmentId}.${secret}.ics`
}

/** Simulates a server whose time range filter finds nothing. */
const answerNothing: DavFault = (_request, body, answer) => {
  if (!body.includes('time-range')) return false
  answer.writeHead(207, { 'content-type': 'application/xml' })
  answer.end('<multistatus xmlns="DAV:"></multistatus>')
  return true
}

/** Simulates a server with this many simultaneous events, each with notes of this length. */
function answerForEvents(count: number, notesLength = 0): DavFault {
  return (request, body, answer) => {
    const hrefs = body.includes('calendar-multiget')
      ? [...body.matchAll(/<d:href>([^<]+)<\/d:href>/g)].map(([, href = '']) => href)
      : Array.from({ length: count }, (_, i) => `${request.url}event-${i}.ics`)
    const notes = notesLength === 0 ? [] : [`DESCRIPTION:${'x'.repeat(notesLength)}`]
    const toText = (href: string) =>
      toCalendarText(toEventLines(href, 'ada@example.com', EVENT).toSpliced(-1, 0, ...notes))
    const toContent = (href: string) => `<C:calendar-data>${toText(href)}</C:calendar-data>`
    const parts =
      request.method === 'PROPFIND'
        ? [toPart(request.url ?? '', '<sync-token>urn:token:1</sync-token>')]
        : hrefs.map((href) =>
            toPart(href, `<getetag>"1"</getetag>${body.includes('calendar-data') ? toContent(href) : ''}`),
          )
    answer.writeHead(207, { 'content-type': 'application/xml; charset=utf-8' })
    answer.end(
      `<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">${parts.join('')}</multistatus>`,
    )
    return true
  }
}

function toPart(href: string, props: string): string {
  return `<response><href>${href}</href><propstat><prop>${props}</prop><status>HTTP/1.1 200 OK</status></propstat></response>`
}
