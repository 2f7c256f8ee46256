import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import type { AppointmentEventContent, ExternalChange } from '#server/ports/external-calendar.ts'
import {
  catchCalendarProviderError as failureOf,
  makeCalendarAccess,
} from '#tests/support/calendar-access.ts'
import {
  CONTRACT_TEST_WINDOW,
  testCalendarProviderContract,
} from '#tests/support/calendar-provider-contract.ts'
import {
  type CalendarSandboxWithAdapter,
  openSandboxTestAccount,
  type SandboxTestAccount,
} from '#tests/support/calendar-stand-in.ts'
import { submitConsentPage } from '#tests/support/decide.ts'
import {
  GOOGLE_NOTIFY_URL,
  GOOGLE_REDIRECT_URI,
  startGoogleSandboxWithAdapter,
} from '#tests/support/google-stand-in.ts'
import { waitFor } from '#tests/support/meridian.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { buildGoogleProvider } from './adapter.ts'
import { buildLazyGoogleProvider } from './lazy-provider.ts'

const OWNED = 'https://www.googleapis.com/auth/calendar.events.owned'
const READERS = ['Australia/Sydney'] as const
const APPOINTMENT_ID = '0b5e6f6e-3a0c-4b7a-9d5e-2f3c4d5e6f70'
const SECRET = '5f1b0a3c-7d42-4e0b-8c1e-9a2b3c4d5e6f'
/** The event's id: the appointment's id plus the secret. */
const EVENT_ID = 'mrd0b5e6f6e3a0c4b7a9d5e2f3c4d5e6f705f1b0a3c7d424e0b8c1e9a2b3c4d5e6f'
const SIGNAL = () => AbortSignal.timeout(20_000)

let database: Database
let google: CalendarSandboxWithAdapter
beforeAll(async () => {
  database = await openTestDatabase()
  google = await startGoogleSandboxWithAdapter(database.db)
})
afterAll(async () => {
  await google.stop()
  await database.close()
})

let accounts = 0
/** Creates a separate account, so that tests do not find each other's events. */
function openWorld(): Promise<SandboxTestAccount> {
  accounts += 1
  return openSandboxTestAccount(google, `person${accounts}@gmail.example`)
}

testCalendarProviderContract('Google', () => openSandboxTestAccount(google, 'contract@gmail.example'))

testCalendarProviderContract('Google, loaded later,', async () => {
  const world = await openSandboxTestAccount(google, 'later@gmail.example')
  return { ...world, provider: buildLazyGoogleProvider(google.sandbox.settings) }
})

async function read(world: SandboxTestAccount, cursor: string | null = null, access = world.access) {
  const calendar = { externalId: world.externalId, timeZone: 'Europe/Berlin', readerZones: READERS }
  const changes: ExternalChange[] = []
  let next = ''
  const pages = world.provider.readChanges(access, { calendar, cursor, window: CONTRACT_TEST_WINDOW })
  for await (const page of pages) {
    changes.push(...page.changes)
    next = page.cursor ?? next
  }
  return { changes, cursor: next }
}

function makeAppointment(difference: Partial<AppointmentEventContent> = {}): AppointmentEventContent {
  return {
    appointmentId: APPOINTMENT_ID,
    secret: SECRET,
    startMs: Date.parse('2027-06-07T08:00:00Z'),
    endMs: Date.parse('2027-06-07T08:30:00Z'),
    timeZone: 'Europe/Berlin',
    title: 'First session',
    description: 'Grace Hopper',
    location: null,
    url: 'https://meridian.example/calendar/1',
    icalUid: '1@meridian.example',
    sequence: 0,
    ...difference,
  }
}

describe('the consent', () => {
  test('names the account, by a number that stays and the address that people know', async () => {
    const first = await google.connect({ email: 'ada@gmail.example', access: 'read' })
    const again = await google.connect({ email: 'ada@gmail.example', access: 'read' })
    expect(first).toMatchObject({ accountName: 'ada@gmail.example' })
    expect(first.accountId).toMatch(/^\d{21}$/)
    expect(again.accountId).toBe(first.accountId)
    expect((await google.connect({ email: 'bea@gmail.example' })).accountId).not.toBe(first.accountId)
  })

  test('to read asks for nothing that writes, and the calendars cannot be written to', async () => {
    const account = await google.connect({ email: 'reader@gmail.example', access: 'read' })
    expect(account.grantedScopes).toEqual([
      'openid',
      'email',
      'https://www.googleapis.com/auth/calendar.calendarlist.readonly',
      'https://www.googleapis.com/auth/calendar.events.freebusy',
    ])
    expect(google.provider.authorization.allowsWriting(account.grantedScopes)).toBe(false)
    const access = makeCalendarAccess(account.credentials)
    const calendars = await google.provider.listCalendars(access)
    expect(calendars.map(({ name, canWrite }) => [name, canWrite])).toEqual([
      ['reader@gmail.example', false],
      ['Family', false],
      ['Team', false],
    ])
    const write = google.provider.events.create(access, account.accountName, makeAppointment())
    expect(await failureOf(write)).toMatchObject({ kind: 'forbidden' })
  })

  test('to read keeps what was allowed before', async () => {
    await google.connect({ email: 'steps@gmail.example', access: 'write' })
    const { grantedScopes } = await google.connect({ email: 'steps@gmail.example', access: 'read' })
    expect(grantedScopes).toContain(OWNED)
  })

  test('to write lets us write to calendars that the account owns', async () => {
    const world = await openWorld()
    const calendars = await world.provider.listCalendars(world.access)
    expect(calendars.map(({ name, canWrite, isPrimary }) => [name, canWrite, isPrimary])).toEqual([
      [world.email, true, true],
      ['Family', true, false],
      ['Team', false, false],
    ])
    const team = calendars[2]?.externalId ?? ''
    const write = google.provider.events.create(world.access, team, makeAppointment())
    expect(await failureOf(write)).toMatchObject({ kind: 'forbidden' })
  })

  test('with writing unticked connects the account to read', async () => {
    const consent = { email: 'unticked@gmail.example', unticked: ['calendar.events.owned'] }
    const { grantedScopes } = await google.connect(consent)
    expect(google.provider.authorization.allowsWriting(grantedScopes)).toBe(false)
  })

  test.each(['calendar.events.freebusy', 'calendar.calendarlist.readonly'])(
    'with %s unticked says what to do',
    async (scope) => {
      const consent = { email: `${scope}@gmail.example`, access: 'read', unticked: [scope] } as const
      expect(await failureOf(google.connect(consent))).toMatchObject({
        kind: 'forbidden',
        message: 'Meridian may not see when you are busy. Please connect again and leave every box ticked.',
      })
    },
  )

  test('that is cancelled leads back with the state and without a code', async () => {
    const request = {
      codeVerifier: 'v'.repeat(43),
      redirectUri: GOOGLE_REDIRECT_URI,
      access: 'read',
    } as const
    const url = google.provider.authorization.buildAuthorizationUrl({
      ...request,
      state: 'the state',
      accountName: null,
    })
    const back = await submitConsentPage(url, { email: 'grace@gmail.example', decision: 'cancel' })
    expect(Object.fromEntries(back.searchParams)).toEqual({ state: 'the state', error: 'access_denied' })
    const completion = google.provider.authorization.completeAuthorization({ ...request, code: 'guessed' })
    expect(await failureOf(completion)).toMatchObject({ kind: 'refused' })
  })
})

test('with read access alone busy times have no title', async () => {
  const world = await openWorld()
  await world.addEvent({ title: 'Dinner', startsAt: '2027-02-01T18:00:00Z', endsAt: '2027-02-01T20:00:00Z' })
  expect((await read(world)).changes).toMatchObject([{ event: { title: 'Dinner' } }])
  const { credentials } = await google.connect({ email: 'reads-only@gmail.example', access: 'read' })
  const reader = await openSandboxTestAccount(google, 'reads-only@gmail.example')
  await reader.addEvent({ title: 'Dinner', startsAt: '2027-02-01T18:00:00Z', endsAt: '2027-02-01T20:00:00Z' })
  const { changes } = await read(reader, null, makeCalendarAccess(credentials))
  expect(changes).toMatchObject([{ event: { title: null, occurrences: [{ key: '' }] } }])
})

describe('a series', () => {
  test('of which one occurrence is moved and one is cancelled is busy at the others and at the new time', async () => {
    const world = await openWorld()
    await world.addEvent({
      startsAt: '2027-03-01T09:00:00Z',
      endsAt: '2027-03-01T10:00:00Z',
      repeats: 'FREQ=WEEKLY;COUNT=4',
    })
    const before = await read(world)
    const [, second = '', third = ''] = before.changes.map(({ eventId }) => eventId).sort()
    await world.moveEvent(second, { startsAt: '2027-03-09T13:00:00Z', endsAt: '2027-03-09T14:00:00Z' })
    const path = `/${encodeURIComponent(world.email)}/events/${third}`
    await google.press(world.email, path, { action: 'delete' })
    const after = await read(world, before.cursor)
    expect(after.changes).toMatchObject([
      { eventId: second, event: { occurrences: [{ startMs: Date.parse('2027-03-09T13:00:00Z') }] } },
      // For this event, Google sends only its id.
      { eventId: third, event: null },
    ])
    const days = (await read(world)).changes.flatMap(({ event }) => event?.occurrences ?? [])
    expect(days.map(({ startMs }) => new Date(startMs).toISOString().slice(0, 10)).sort()).toEqual([
      '2027-03-01',
      '2027-03-09',
      '2027-03-22',
    ])
  })

  test('that is deleted is gone at each of its times', async () => {
    const world = await openWorld()
    const id = await world.addEvent({
      startsAt: '2027-03-01T09:00:00Z',
      endsAt: '2027-03-01T10:00:00Z',
      repeats: 'FREQ=DAILY;COUNT=3',
    })
    const { cursor } = await read(world)
    await world.deleteEvent(id)
    const { changes } = await read(world, cursor)
    expect(changes.map(({ event }) => event)).toEqual([null, null, null])
  })
})

test('ten events on a page are as good as a thousand: nothing is lost over several pages', async () => {
  const world = await openWorld()
  await google.press(world.email, '/faults', { rate_limit: 'off', small_pages: 'on' })
  await world.addEvent({
    startsAt: '2027-03-01T09:00:00Z',
    endsAt: '2027-03-01T10:00:00Z',
    repeats: 'FREQ=DAILY;COUNT=35',
  })
  const { changes, cursor } = await read(world)
  expect(new Set(changes.map(({ eventId }) => eventId)).size).toBe(35)
  expect((await read(world, cursor)).changes).toEqual([])
})

describe('the token', () => {
  test('that is revoked in the middle of a sync ends it as expired, and the cursor is not reached', async () => {
    const world = await openWorld()
    await google.press(world.email, '/faults', { rate_limit: 'off', small_pages: 'on' })
    await world.addEvent({
      startsAt: '2027-03-01T09:00:00Z',
      endsAt: '2027-03-01T10:00:00Z',
      repeats: 'FREQ=DAILY;COUNT=15',
    })
    const calendar = { externalId: world.externalId, timeZone: null, readerZones: READERS }
    const pages = world.provider
      .readChanges(world.access, { calendar, cursor: null, window: CONTRACT_TEST_WINDOW })
      [Symbol.asyncIterator]()
    expect(await pages.next()).toMatchObject({ done: false, value: { cursor: null } })
    await google.press(world.email, '/faults', { rate_limit: 'off', small_pages: 'on', revoked: 'on' })
    expect(await failureOf(pages.next())).toMatchObject({ kind: 'expired' })
  })

  test('that ends while it is used is renewed, and what was renewed is kept', async () => {
    const world = await openWorld()
    const access = makeCalendarAccess(world.access.credentials)
    await read(world, null, access)
    await google.press(world.email, '/end-tokens', {})
    await read(world, null, access)
    expect(access.saved).toHaveLength(1)
  })

  test('that is an hour old is renewed before it is used', async () => {
    const world = await openWorld()
    google.clock.ms += 3_600_000
    const access = makeCalendarAccess(world.access.credentials)
    await Promise.all([read(world, null, access), read(world, null, access)])
    expect(access.saved).toHaveLength(1)
  })

  test('is withdrawn when the account is disconnected, and again without a fault', async () => {
    const world = await openWorld()
    await world.provider.disconnect(world.access)
    expect(await failureOf(read(world))).toMatchObject({ kind: 'expired' })
    await world.provider.disconnect(world.access)
  })
})

test.each([
  ['429_with_retry_after', 30_000],
  ['429', null],
  ['403', null],
])(
  'a request too many (%s) says when to come back, where Google says it',
  async (rate_limit, retryAfterMs) => {
    const world = await openWorld()
    await google.press(world.email, '/faults', { rate_limit })
    expect(await failureOf(read(world))).toMatchObject({ kind: 'rate_limited', retryAfterMs })
  },
)

test('an answer that takes longer than the limit is no answer', async () => {
  const world = await openWorld()
  await google.press(world.email, '/faults', { rate_limit: 'off', delay_seconds: '5' })
  const impatient = buildGoogleProvider({ ...google.sandbox.settings, timeoutMs: 500 })
  expect(await failureOf(read({ ...world, provider: impatient }))).toMatchObject({ kind: 'unavailable' })
})

test('a calendar that was deleted is gone', async () => {
  const world = await openWorld()
  const [, family] = await world.provider.listCalendars(world.access)
  const externalId = family?.externalId ?? ''
  await google.press(world.email, `/${encodeURIComponent(externalId)}`, { action: 'delete' })
  expect(await failureOf(read({ ...world, externalId }))).toMatchObject({ kind: 'gone' })
  expect(await world.provider.listCalendars(world.access)).not.toContainEqual(family)
})

describe('the event of an appointment', () => {
  test('has an id that follows from the appointment and its secret', async () => {
    const world = await openWorld()
    const written = await world.provider.events.create(world.access, world.externalId, makeAppointment())
    expect(written).toEqual({
      eventRef: EVENT_ID,
      etag: expect.stringMatching(/^"\d+"$/),
    })
  })

  test('that stands as it should is not written a second time', async () => {
    const world = await openWorld()
    const first = await world.provider.events.create(world.access, world.externalId, makeAppointment())
    const { cursor } = await read(world)
    expect(await world.provider.events.create(world.access, world.externalId, makeAppointment())).toEqual(
      first,
    )
    expect((await read(world, cursor)).changes).toEqual([])
  })

  test('whose texts are longer than Google keeps is cut, and then stands as it should', async () => {
    const world = await openWorld()
    const long = makeAppointment({ title: 't'.repeat(2_000), description: 'd'.repeat(20_000) })
    const first = await world.provider.events.create(world.access, world.externalId, long)
    expect(await world.provider.events.create(world.access, world.externalId, long)).toEqual(first)
  })

  test('is named with its appointment, both in a sync and when Google is asked live', async () => {
    const world = await openWorld()
    await world.provider.events.create(world.access, world.externalId, makeAppointment())
    await world.addEvent({ startsAt: '2027-06-07T08:15:00Z', endsAt: '2027-06-07T09:00:00Z' })
    const busy = await world.provider.readBusyTimes(world.access, {
      calendars: [{ externalId: world.externalId, timeZone: null, readerZones: READERS }],
      during: { startMs: Date.parse('2027-06-07T08:00:00Z'), endMs: Date.parse('2027-06-07T09:00:00Z') },
      signal: SIGNAL(),
    })
    expect(busy).toHaveLength(2)
    expect(busy.filter(({ appointmentId }) => appointmentId !== null)).toEqual([
      {
        externalId: world.externalId,
        eventId: EVENT_ID,
        appointmentId: '0b5e6f6e-3a0c-4b7a-9d5e-2f3c4d5e6f70',
        startMs: Date.parse('2027-06-07T08:00:00Z'),
        endMs: Date.parse('2027-06-07T08:30:00Z'),
      },
    ])
    const own = (await read(world)).changes.filter(({ event }) => event?.appointmentId !== null)
    expect(own).toMatchObject([{ eventId: EVENT_ID }])
  })

  test('that its owner made all-day is found in the zone of the calendar, and a change gives it its time back', async () => {
    const world = await openWorld()
    const { events } = world.provider
    const { eventRef } = await events.create(world.access, world.externalId, makeAppointment())
    const path = `/${encodeURIComponent(world.email)}/events/${eventRef}`
    const allDay = { start: '2027-06-08T00:00', end: '2027-06-08T00:00', all_day: 'on' }
    await google.press(world.email, path, { action: 'move', ...allDay })
    const handle = { externalId: world.externalId, eventRef, timeZone: null, readerZones: READERS }
    expect(await events.find(world.access, handle)).toMatchObject({
      occurrences: [{ startMs: Date.parse('2027-06-07T22:00:00Z'), isAllDay: true }],
    })
    await events.update(world.access, { ...handle, etag: null }, makeAppointment())
    expect(await events.find(world.access, handle)).toMatchObject({
      occurrences: [{ startMs: Date.parse('2027-06-07T08:00:00Z'), isAllDay: false }],
    })
  })

  test('that its owner changed is not removed without a look', async () => {
    const world = await openWorld()
    const { events } = world.provider
    const { externalId } = world
    const written = await events.create(world.access, externalId, makeAppointment())
    await world.moveEvent(written.eventRef, {
      startsAt: '2027-06-07T10:00:00Z',
      endsAt: '2027-06-07T10:30:00Z',
    })
    const removal = events.remove(world.access, { externalId, ...written })
    expect(await failureOf(removal)).toMatchObject({ kind: 'conflict' })
    await events.remove(world.access, { externalId, ...written, etag: null })
    expect(
      await events.find(world.access, {
        externalId,
        eventRef: written.eventRef,
        timeZone: null,
        readerZones: READERS,
      }),
    ).toBeNull()
  })

  test('is never an invitation that had its id before, which stays as it is (rule G27)', async () => {
    const world = await openWorld()
    const { events } = world.provider
    const path = `/${encodeURIComponent(world.email)}/events`
    const invitation = { answer: 'accepted', id: EVENT_ID, own_property: `${APPOINTMENT_ID}.${SECRET}` }
    const time = { start: '2027-06-09T10:00', end: '2027-06-09T10:30' }
    await google.press(world.email, path, { title: 'From a stranger', ...invitation, ...time })
    const { eventRef } = await events.create(world.access, world.externalId, makeAppointment())
    expect(eventRef).not.toBe(EVENT_ID)
    const found = (await read(world)).changes.map(({ eventId, event }) => ({
      ...{ eventId, title: event?.title },
      ...{ secret: event?.secret, isInvitation: event?.isInvitation },
    }))
    expect(found).toHaveLength(2)
    expect(found).toContainEqual({
      ...{ eventId: EVENT_ID, title: 'From a stranger' },
      ...{ secret: null, isInvitation: true },
    })
    expect(found).toContainEqual({
      ...{ eventId: eventRef, title: 'First session' },
      ...{ secret: SECRET, isInvitation: false },
    })
  })

  test('whose id an invitation has now is gone, whatever the invitation says (rule G27)', async () => {
    const world = await openWorld()
    const { events } = world.provider
    const { eventRef } = await events.create(world.access, world.externalId, makeAppointment())
    const path = `/${encodeURIComponent(world.email)}/events`
    const time = { start: '2027-06-09T10:00', end: '2027-06-09T10:30' }
    await google.press(world.email, path, { answer: 'needsAction', id: eventRef, ...time })
    const handle = { externalId: world.externalId, eventRef, timeZone: null, readerZones: READERS }
    expect(await events.find(world.access, handle)).toMatchObject({ isInvitation: true, secret: null })
    const update = events.update(world.access, { ...handle, etag: null }, makeAppointment())
    expect(await failureOf(update)).toMatchObject({ kind: 'gone' })
  })

  test('of another length or title is what an earlier try of the same is brought to', async () => {
    const world = await openWorld()
    const { events } = world.provider
    const { eventRef } = await events.create(world.access, world.externalId, makeAppointment())
    for (const difference of [
      { title: 'Second session' },
      { description: 'other' },
      { location: 'Studio' },
      { startMs: Date.parse('2027-06-07T07:45:00Z') },
    ]) {
      const before = (await read(world)).cursor
      await events.create(world.access, world.externalId, makeAppointment(difference))
      expect((await read(world, before)).changes).toMatchObject([{ eventId: eventRef }])
    }
  })
})

describe('a channel', () => {
  const subscribe = (world: SandboxTestAccount, channelId: string) =>
    world.provider.push.subscribe(world.access, {
      externalId: world.externalId,
      channelId,
      secret: 'a secret of ours',
      notifyUrl: GOOGLE_NOTIFY_URL,
    })
  const toldOf = (channelId: string) =>
    google.notifications.filter(({ headers }) => headers['x-goog-channel-id'] === channelId)

  test('tells by its headers alone that something changed: there is no body', async () => {
    const world = await openWorld()
    const channel = await subscribe(world, 'channel-a')
    expect(channel).toEqual({
      id: 'channel-a',
      resourceId: expect.stringMatching(/./),
      expiresAtMs: google.clock.ms + 7 * 86_400_000,
    })
    await world.addEvent({ startsAt: '2027-02-01T09:00:00Z', endsAt: '2027-02-01T10:00:00Z' })
    await waitFor(() => toldOf('channel-a')[1])
    const told = toldOf('channel-a').sort(
      (a, b) => Number(a.headers['x-goog-message-number']) - Number(b.headers['x-goog-message-number']),
    )
    expect(told.map(({ headers }) => headers['x-goog-resource-state'])).toEqual(['sync', 'exists'])
    for (const { headers, rawBody } of told) {
      expect(headers).toMatchObject({
        'x-goog-channel-token': 'a secret of ours',
        'x-goog-resource-id': channel.resourceId,
        'content-length': '0',
      })
      expect(rawBody).toHaveLength(0)
    }
  })

  test('that is stopped tells nothing any more, and can be stopped again', async () => {
    const world = await openWorld()
    const stopped = await subscribe(world, 'channel-b')
    await subscribe(world, 'channel-c')
    await world.provider.push.unsubscribe(world.access, stopped)
    await world.provider.push.unsubscribe(world.access, stopped)
    await world.addEvent({ startsAt: '2027-02-01T09:00:00Z', endsAt: '2027-02-01T10:00:00Z' })
    await waitFor(() => toldOf('channel-c')[1])
    expect(toldOf('channel-b')).toHaveLength(1)
  })
})

test('a time zone that does not exist is refused as it is, not as a fault that passes', async () => {
  const world = await openWorld()
  const write = world.provider.events.create(
    world.access,
    world.externalId,
    makeAppointment({ timeZone: 'Mars/Olympus' }),
  )
  expect(await failureOf(write)).toMatchObject({ kind: 'event_refused' })
})
