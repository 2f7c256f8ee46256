import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import {
  type CalendarSandboxWithAdapter,
  openSandboxTestAccount,
  type SandboxTestAccount,
} from '#tests/support/calendar-stand-in.ts'
import { startGoogleSandboxWithAdapter } from '#tests/support/google-stand-in.ts'
import { listTypeErrors, type TypedSandboxResponse } from '#tests/support/published-shapes.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'

let database: Database
let google: CalendarSandboxWithAdapter
let world: SandboxTestAccount
/** The sandbox's responses, with the names of Google's types. The compiler checks them in the last test. */
const sentAnswers: TypedSandboxResponse[] = []
const keep = (name: string, value: unknown) =>
  sentAnswers.push({ type: `published.calendar_v3.Schema$${name}`, value })
beforeAll(async () => {
  database = await openTestDatabase()
  google = await startGoogleSandboxWithAdapter(database.db)
  world = await openSandboxTestAccount(google, 'shapes@gmail.example')
})
afterAll(async () => {
  await google.stop()
  await database.close()
})

const EVENTS = `/calendars/${encodeURIComponent('shapes@gmail.example')}/events`

/** Sends a request as the client library does, and returns the raw response. */
async function ask(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const { accessToken } = JSON.parse(world.access.credentials)
  const answer = await fetch(`${google.sandbox.settings.sandboxUrl}/calendar/v3${path}`, {
    method,
    headers: {
      authorization: `Bearer ${accessToken}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, sent: text === '' ? null : JSON.parse(text) }
}

const AT = {
  start: { dateTime: '2027-06-07T08:00:00Z', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2027-06-07T08:30:00Z', timeZone: 'Europe/Berlin' },
}
const WRITTEN = {
  id: 'mrd00001',
  summary: 'First session',
  description: 'Grace Hopper',
  location: 'Studio',
  source: { title: 'Meridian', url: 'https://meridian.example/calendar/1' },
  extendedProperties: { private: { meridianAppointment: '1' } },
  ...AT,
}

test('events of all kinds', async () => {
  const day = '2027-05-03'
  await world.addEvent({ startsAt: day, endsAt: '2027-05-04', isAllDay: true, isFree: true })
  await world.addEvent({ startsAt: `${day}T08:00:00Z`, endsAt: `${day}T09:00:00Z`, isDeclined: true })
  await world.addEvent({
    startsAt: `${day}T08:00:00Z`,
    endsAt: `${day}T09:00:00Z`,
    repeats: 'FREQ=DAILY;COUNT=2',
  })
  const removed = await world.addEvent({
    startsAt: `${day}T08:00:00Z`,
    endsAt: `${day}T09:00:00Z`,
    repeats: 'FREQ=WEEKLY;COUNT=2',
  })
  const { sent: before } = await ask('GET', `${EVENTS}?singleEvents=true`)
  keep('Events', before)
  expect(before.items).toHaveLength(6)
  expect(before.items[0].htmlLink).toMatch(/^http/)
  await world.deleteEvent(removed)
  const { sent: after } = await ask('GET', `${EVENTS}?singleEvents=true&syncToken=${before.nextSyncToken}`)
  keep('Events', after)
  expect(after.items).toHaveLength(2)
  expect(Object.keys(after.items[0]).sort()).toEqual([
    'etag',
    'id',
    'kind',
    'originalStartTime',
    'recurringEventId',
    'status',
  ])
})

test('written events are returned unchanged, in local time', async () => {
  const made = await ask('POST', `${EVENTS}?sendUpdates=none`, WRITTEN)
  expect(made.status).toBe(200)
  keep('Event', made.sent)
  expect(made.sent).toMatchObject({
    ...WRITTEN,
    start: { dateTime: '2027-06-07T10:00:00+02:00', timeZone: 'Europe/Berlin' },
    end: { dateTime: '2027-06-07T10:30:00+02:00', timeZone: 'Europe/Berlin' },
    status: 'confirmed',
    iCalUID: 'mrd00001@google.com',
  })
  const moved = await ask('PATCH', `${EVENTS}/mrd00001`, { summary: 'Second session' })
  keep('Event', moved.sent)
  expect(moved.sent.etag).not.toBe(made.sent.etag)
  expect(await ask('GET', `${EVENTS}/mrd00001`)).toEqual(moved)
})

test('calendars and channels', async () => {
  const { sent: calendars } = await ask('GET', '/users/me/calendarList')
  keep('CalendarList', calendars)
  const address = 'https://meridian.example/api/webhooks/google-calendar'
  const { sent: channel } = await ask('POST', `${EVENTS}/watch`, { id: 'c', type: 'web_hook', address })
  keep('Channel', channel)
  expect(channel.expiration).toMatch(/^\d{13}$/)
  expect(await ask('POST', '/channels/stop', { id: 'c', resourceId: channel.resourceId })).toEqual({
    status: 204,
    sent: null,
  })
})

test('all responses fit the types that Google publishes, and a misfit is found', async () => {
  const odd = [{ id: 7 }, { start: { zone: 'UTC' } }, { attendees: [{ self: 'yes' }] }]
  const misfits = odd.map((value) => ({ type: 'published.calendar_v3.Schema$Event', value }))
  expect(sentAnswers).toHaveLength(6)
  expect(await listTypeErrors('@googleapis/calendar/build/v3.d.ts', [...sentAnswers, ...misfits])).toEqual([
    expect.stringContaining("Type 'number' is not assignable to type 'string'"),
    expect.stringContaining(`'"zone"' does not exist in type 'Schema$EventDateTime'`),
    expect.stringContaining("Type 'string' is not assignable to type 'boolean | null"),
  ])
})

test.each([
  ['an id that is taken', 'POST', '', { ...WRITTEN, id: 'mrd00001' }, {}, 409, 'duplicate'],
  ['an id with other letters', 'POST', '', { ...WRITTEN, id: 'xyz-1' }, {}, 400, 'invalid'],
  [
    'an end before the start',
    'POST',
    '',
    { ...WRITTEN, id: 'mrd99999', start: AT.end, end: AT.start },
    {},
    400,
    'timeRangeEmpty',
  ],
  ['another version', 'PATCH', '/mrd00001', { summary: '' }, { 'if-match': '"1"' }, 412, 'conditionNotMet'],
  ['an event that never was', 'DELETE', '/mrd55555', undefined, {}, 404, 'notFound'],
  ['a series as one', 'GET', '?singleEvents=false', undefined, {}, 400, 'invalid'],
  [
    'a cursor with a window',
    'GET',
    '?singleEvents=true&syncToken=a&timeMin=2027-01-01T00:00:00Z',
    undefined,
    {},
    400,
    'invalid',
  ],
  [
    'a token of nobody',
    'GET',
    '?singleEvents=true',
    undefined,
    { authorization: 'Bearer no' },
    401,
    'authError',
  ],
] as const)(
  '%s is refused as Google refuses it',
  async (_what, method, path, body, headers, status, reason) => {
    const answer = await ask(method, `${EVENTS}${path}`, body, headers)
    expect(answer).toMatchObject({ status, sent: { error: { code: status, errors: [{ reason }] } } })
  },
)

test('a deleted event is refused as deleted, and its id cannot be used again', async () => {
  await ask('POST', EVENTS, { ...WRITTEN, id: 'mrd00002' })
  expect((await ask('DELETE', `${EVENTS}/mrd00002`)).status).toBe(204)
  expect((await ask('DELETE', `${EVENTS}/mrd00002`)).status).toBe(410)
  expect((await ask('POST', EVENTS, { ...WRITTEN, id: 'mrd00002' })).status).toBe(409)
})

test('a response contains only the requested fields', async () => {
  const { sent } = await ask(
    'GET',
    `${EVENTS}?singleEvents=true&fields=timeZone,items(id,start/dateTime,attendees(self))`,
  )
  expect(Object.keys(sent)).toEqual(['timeZone', 'items'])
  for (const item of sent.items) {
    expect(['id', 'start', 'attendees']).toEqual(expect.arrayContaining(Object.keys(item)))
  }
})
