import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import type { AppointmentEventContent, ExternalChange } from '#server/ports/external-calendar.ts'
import {
  catchCalendarProviderError as failureOf,
  makeCalendarAccess,
} from '#tests/support/calendar-access.ts'
import {
  type CalendarSandboxWithAdapter,
  openSandboxTestAccount,
  type SandboxTestAccount,
} from '#tests/support/calendar-stand-in.ts'
import { waitFor } from '#tests/support/meridian.ts'
import {
  MICROSOFT_NOTIFY_URL as NOTIFY_URL,
  startMicrosoftSandboxWithAdapter,
} from '#tests/support/microsoft-stand-in.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'

const READERS = ['Australia/Sydney'] as const
const HOUR_MS = 3_600_000
const WINDOW = { startMs: Date.parse('2027-01-01T00:00:00Z'), endMs: Date.parse('2028-01-01T00:00:00Z') }
const APPOINTMENT: AppointmentEventContent = {
  appointmentId: '0191d5a0-1111-4222-8333-444455556666',
  secret: '5f1b0a3c-7d42-4e0b-8c1e-9a2b3c4d5e6f',
  startMs: Date.parse('2027-06-07T08:00:00Z'),
  endMs: Date.parse('2027-06-07T08:30:00Z'),
  timeZone: 'Europe/Berlin',
  title: 'First session',
  description: 'Grace Hopper',
  location: null,
  url: 'https://meridian.example/calendar/1',
  icalUid: '1@meridian.example',
  sequence: 0,
}

let database: Database
let microsoft: CalendarSandboxWithAdapter
beforeAll(async () => {
  database = await openTestDatabase()
  microsoft = await startMicrosoftSandboxWithAdapter(database.db)
})
afterAll(async () => {
  await microsoft.stop()
  await database.close()
})

const open = (name: string) => openSandboxTestAccount(microsoft, `${name}@outlook.example`)

async function read({ provider, access, externalId }: SandboxTestAccount, onPage = async () => {}) {
  const calendar = { externalId, timeZone: 'Europe/Berlin', readerZones: READERS }
  const ids: string[] = []
  for await (const page of provider.readChanges(access, { calendar, cursor: null, window: WINDOW })) {
    ids.push(...page.changes.map(({ eventId }) => eventId))
    await onPage()
  }
  return ids
}

describe('an event that somebody else organizes (rule G27)', () => {
  const PATH = (world: SandboxTestAccount) => `/${encodeURIComponent(world.externalId)}/events`
  const TIME = { start: '2027-06-09T10:00', end: '2027-06-09T10:30' }
  const PROPERTY = `${APPOINTMENT.appointmentId}.${APPOINTMENT.secret}`
  const readEvents = async ({ provider, access, externalId }: SandboxTestAccount) => {
    const calendar = { externalId, timeZone: 'Europe/Berlin', readerZones: READERS }
    const changes: ExternalChange[] = []
    const pages = provider.readChanges(access, { calendar, cursor: null, window: WINDOW })
    for await (const page of pages) changes.push(...page.changes)
    return changes.flatMap(({ event }) => event ?? [])
  }

  test('is never taken for the event of an appointment, although it has our property, and stays as it is', async () => {
    const world = await open('invited')
    const invitation = { title: 'From a stranger', answer: 'accepted', own_property: PROPERTY }
    await microsoft.press(world.email, PATH(world), { ...invitation, ...TIME })
    const written = await world.provider.events.create(world.access, world.externalId, APPOINTMENT)
    const found = await readEvents(world)
    expect(found).toHaveLength(2)
    expect(found.find(({ isInvitation }) => isInvitation)).toMatchObject({
      ...{ title: 'From a stranger', secret: null },
      ...{ occurrences: [{ startMs: Date.parse('2027-06-09T08:00:00Z') }] },
    })
    expect(found.find(({ isInvitation }) => !isInvitation)).toMatchObject({
      ...{ eventId: written.eventRef, title: 'First session', secret: APPOINTMENT.secret },
    })
  })

  test('takes no time when it was declined, and is not written to', async () => {
    const world = await open('declined')
    const invitation = { answer: 'declined', own_property: PROPERTY }
    await microsoft.press(world.email, PATH(world), { ...invitation, ...TIME })
    const [event] = await readEvents(world)
    expect(event).toMatchObject({ isInvitation: true, secret: null, occurrences: [] })
    const handle = { externalId: world.externalId, eventRef: event?.eventId ?? '', etag: null }
    const update = world.provider.events.update(world.access, handle, APPOINTMENT)
    expect(await failureOf(update)).toMatchObject({ kind: 'gone' })
  })
})

describe('cal#11913: a connection lives longer than an hour', () => {
  test('each renewal is kept, because Microsoft takes a refresh token once', async () => {
    const world = await open('hours')
    microsoft.clock.ms += 2 * HOUR_MS
    await read(world)
    microsoft.clock.ms += 2 * HOUR_MS
    await read(world)
    expect(world.access.saved).toHaveLength(2)
    expect(new Set(world.access.saved.map((kept) => JSON.parse(kept).refreshToken)).size).toBe(2)
    // Another process starts with the last stored credentials.
    microsoft.clock.ms += 2 * HOUR_MS
    await read({ ...world, access: makeCalendarAccess(world.access.saved.at(-1) ?? '') })
  })

  test('what another process renewed is taken over', async () => {
    const world = await open('processes')
    microsoft.clock.ms += 2 * HOUR_MS
    await read(world)
    const renewed = world.access.saved[0] ?? ''
    const late = { credentials: world.access.credentials, saved: [], saveCredentials: async () => renewed }
    expect(await read({ ...world, access: late })).toEqual([])
  })
})

test('an access that is withdrawn in the middle of a sync ends it as expired', async () => {
  const world = await open('revoked')
  for (const hour of ['08', '09', '10', '11', '12', '13', '14', '15', '16', '17', '18']) {
    await world.addEvent({ startsAt: `2027-05-03T${hour}:00:00Z`, endsAt: `2027-05-03T${hour}:30:00Z` })
  }
  await microsoft.press(world.email, '/faults', { small_pages: 'on' })
  const failed = await failureOf(
    read(world, async () => {
      await world.faults.expired?.()
    }),
  )
  expect(failed.kind).toBe('expired')
})

test('access is asked for in two steps, and reading does not allow to write', async () => {
  const account = await microsoft.connect({ email: 'steps@outlook.example', access: 'read' })
  const access = makeCalendarAccess(account.credentials)
  expect(account).toMatchObject({ accountName: 'steps@outlook.example' })
  expect(microsoft.provider.authorization.allowsWriting(account.grantedScopes)).toBe(false)
  const [main] = await microsoft.provider.listCalendars(access)
  expect(main).toMatchObject({ isPrimary: true, canWrite: false })
  const { events } = microsoft.provider
  expect(await failureOf(events.create(access, main?.externalId ?? '', APPOINTMENT))).toMatchObject({
    kind: 'forbidden',
  })
  const more = await microsoft.connect({ email: 'steps@outlook.example', access: 'write' })
  expect(microsoft.provider.authorization.allowsWriting(more.grantedScopes)).toBe(true)
  expect(more.accountId).toBe(account.accountId)
  const listed = await microsoft.provider.listCalendars(makeCalendarAccess(more.credentials))
  expect(listed.map(({ name, canWrite }) => [name, canWrite])).toEqual([
    ['Calendar', true],
    ['Family', true],
    ['Team', false],
  ])
})

test('whoever cancels comes back without a code, and a code counts once', async () => {
  const { back } = await microsoft.decide({ decision: 'cancel' })
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'access_denied', state: 'the state' })
  const { redeem } = await microsoft.decide()
  await redeem()
  expect(await failureOf(redeem())).toMatchObject({ kind: 'refused' })
})

test('two tries to create the event of an appointment at the same time make one', async () => {
  const world = await open('twice')
  const tries = await Promise.all(
    [1, 2].map(() => microsoft.provider.events.create(world.access, world.externalId, APPOINTMENT)),
  )
  expect(new Set(tries.map(({ eventRef }) => eventRef)).size).toBe(1)
  expect(await read(world)).toHaveLength(1)
})

test('an event of ours is named with its appointment when a booking asks', async () => {
  const world = await open('own')
  const { eventRef } = await microsoft.provider.events.create(world.access, world.externalId, APPOINTMENT)
  const busy = await world.provider.readBusyTimes(world.access, {
    calendars: [{ externalId: world.externalId, timeZone: 'Europe/Berlin', readerZones: READERS }],
    during: { startMs: APPOINTMENT.startMs, endMs: APPOINTMENT.endMs },
    signal: AbortSignal.timeout(30_000),
  })
  const { externalId } = world
  const { appointmentId, startMs, endMs } = APPOINTMENT
  expect(busy).toEqual([{ externalId, eventId: eventRef, appointmentId, startMs, endMs }])
})

test('an event that was moved out of the window is not deleted', async () => {
  const world = await open('window')
  const id = await world.addEvent({ startsAt: '2027-05-03T08:00:00Z', endsAt: '2027-05-03T09:00:00Z' })
  const calendar = { externalId: world.externalId, timeZone: 'Europe/Berlin', readerZones: READERS }
  const pages = async (cursor: string | null) => {
    const read = { changes: [] as ExternalChange[], cursor: null as string | null }
    for await (const page of world.provider.readChanges(world.access, { calendar, cursor, window: WINDOW })) {
      read.changes.push(...page.changes)
      read.cursor = page.cursor
    }
    return read
  }
  const { cursor } = await pages(null)
  await world.moveEvent(id, { startsAt: '2029-05-03T08:00:00Z', endsAt: '2029-05-03T09:00:00Z' })
  const moved = await pages(cursor)
  expect(moved.changes).toMatchObject([{ eventId: id, event: { occurrences: [] } }])
  await world.deleteEvent(id)
  expect((await pages(moved.cursor)).changes).toEqual([{ eventId: id, event: null }])
})

describe('a subscription to notifications', () => {
  const request = { channelId: 'ours', secret: 's'.repeat(43), notifyUrl: NOTIFY_URL }
  const listTold = () =>
    microsoft.notifications.flatMap(({ rawBody }) => JSON.parse(rawBody.toString()).value)

  test('lives less than seven days, tells of changes with its secret, and no more after its end', async () => {
    const world = await open('push')
    const { push } = microsoft.provider
    const channel = await push.subscribe(world.access, { ...request, externalId: world.externalId })
    const livesMs = channel.expiresAtMs - microsoft.clock.ms
    expect(livesMs).toBeGreaterThan(6 * 24 * HOUR_MS)
    expect(livesMs).toBeLessThan(7 * 24 * HOUR_MS)
    await world.addEvent({ startsAt: '2027-05-03T08:00:00Z', endsAt: '2027-05-03T09:00:00Z' })
    const told = await waitFor(() => listTold().find(({ subscriptionId }) => subscriptionId === channel.id))
    expect(told).toMatchObject({ clientState: request.secret, changeType: 'updated' })
    await push.unsubscribe(world.access, channel)
    await push.unsubscribe(world.access, channel)
  })

  test('says that it was removed when the calendar is deleted', async () => {
    const world = await open('lifecycle')
    const calendars = await world.provider.listCalendars(world.access)
    const family = calendars.find(({ name }) => name === 'Family')?.externalId ?? ''
    const { id } = await microsoft.provider.push.subscribe(world.access, { ...request, externalId: family })
    await microsoft.press(world.email, `/${encodeURIComponent(family)}`, { action: 'delete' })
    const told = await waitFor(() => listTold().find(({ subscriptionId }) => subscriptionId === id))
    expect(told).toMatchObject({ lifecycleEvent: 'subscriptionRemoved', clientState: request.secret })
  })
})
