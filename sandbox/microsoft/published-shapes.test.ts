import { afterAll, beforeAll, expect, test } from 'vitest'
import { APPOINTMENT_PROPERTY_ID } from '#server/integrations/microsoft/event-id.ts'
import type { Database } from '#server/platform/db/database.ts'
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
import { listTypeErrors, type TypedSandboxResponse } from '#tests/support/published-shapes.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'

let database: Database
let microsoft: CalendarSandboxWithAdapter
let world: SandboxTestAccount
let events: string
/** The sandbox's responses, with the names of Microsoft's types. The compiler checks them in the last test. */
const sentAnswers: TypedSandboxResponse[] = []
beforeAll(async () => {
  database = await openTestDatabase()
  microsoft = await startMicrosoftSandboxWithAdapter(database.db)
  world = await openSandboxTestAccount(microsoft, 'shapes@outlook.example')
  events = `/me/calendars/${world.externalId}/events`
})
afterAll(async () => {
  await microsoft.stop()
  await database.close()
})

/** Sends a request as the adapter does, and returns the raw response. Links from Graph are complete URLs. */
async function ask(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const { accessToken } = JSON.parse(world.access.credentials)
  const url = path.startsWith('/') ? `${microsoft.sandbox.settings.sandboxUrl}/v1.0${path}` : path
  const answer = await fetch(url, {
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

/** Stores a response without its OData annotations, which Graph's types lack. The tests check the annotations separately. */
function keep(type: string, value: unknown): void {
  const text = JSON.stringify(value, (name, inner) => (name.startsWith('@') ? undefined : inner))
  sentAnswers.push({ type, value: JSON.parse(text) })
}
const EVENTS = '{ value: published.Event[] }'

const WINDOW = 'startDateTime=2027-01-01T00:00:00Z&endDateTime=2028-01-01T00:00:00Z'
const AT = {
  start: { dateTime: '2027-06-07T08:00:00', timeZone: 'UTC' },
  end: { dateTime: '2027-06-07T08:30:00', timeZone: 'UTC' },
}
const WRITTEN = {
  subject: 'First session',
  body: { contentType: 'text', content: 'Grace Hopper' },
  location: { displayName: 'Studio' },
  showAs: 'busy',
  isAllDay: false,
  transactionId: 'meridian-1',
  singleValueExtendedProperties: [{ id: APPOINTMENT_PROPERTY_ID, value: '1' }],
  ...AT,
}
const EXPAND = `$expand=${encodeURIComponent(`singleValueExtendedProperties($filter=id eq '${APPOINTMENT_PROPERTY_ID}')`)}`

test('events of all kinds, in a view and in its changes', async () => {
  const at = { startsAt: '2027-05-03T08:00:00Z', endsAt: '2027-05-03T09:00:00Z' }
  await world.addEvent({ startsAt: '2027-05-03', endsAt: '2027-05-04', isAllDay: true, isFree: true })
  await world.addEvent({ ...at, isDeclined: true })
  const series = await world.addEvent({ ...at, repeats: 'FREQ=DAILY;COUNT=2' })
  const calendar = `/me/calendars/${world.externalId}`
  const { sent: view } = await ask('GET', `${calendar}/calendarView?${WINDOW}&${EXPAND}`)
  keep(EVENTS, view)
  expect(view.value.map(({ type }: { type: string }) => type).sort()).toEqual([
    'occurrence',
    'occurrence',
    'singleInstance',
    'singleInstance',
  ])
  const { sent: changes } = await ask('GET', `${calendar}/calendarView/delta?${WINDOW}`)
  keep(EVENTS, changes)
  expect(Object.keys(changes)).toEqual(['@odata.context', 'value', '@odata.deltaLink'])
  const bare = changes.value.find(({ type }: { type: string }) => type === 'occurrence')
  expect(Object.keys(bare)).toEqual(['@odata.etag', 'id', 'type', 'seriesMasterId', 'start', 'end'])
  keep('published.Event', (await ask('GET', `${events}/${series}`)).sent)
  keep(EVENTS, (await ask('GET', `${events}/${series}/instances?${WINDOW}`)).sent)

  await world.deleteEvent(series)
  const { sent: later } = await ask('GET', changes['@odata.deltaLink'])
  expect(later.value).toEqual([{ id: series, '@removed': { reason: 'deleted' } }])
})

test('each page links to the next, and the last page to the next sync', async () => {
  const sizes: number[] = []
  const links: string[] = []
  let next = `/me/calendars/${world.externalId}/calendarView/delta?${WINDOW}`
  while (links.at(-1)?.includes('$deltatoken=') !== true) {
    const { sent } = await ask('GET', next, undefined, { prefer: 'odata.maxpagesize=1' })
    sizes.push(sent.value.length)
    next = sent['@odata.nextLink'] ?? sent['@odata.deltaLink']
    links.push(next)
  }
  expect(sizes).toEqual([1, 1])
  expect(links[0]).toContain('$skiptoken=')
})

test('written events are returned unchanged', async () => {
  const made = await ask('POST', events, WRITTEN)
  expect(made.status).toBe(201)
  keep('published.Event', made.sent)
  const { singleValueExtendedProperties: properties, ...plain } = WRITTEN
  expect(made.sent).toMatchObject({
    ...plain,
    start: { dateTime: '2027-06-07T08:00:00.0000000', timeZone: 'UTC' },
    end: { dateTime: '2027-06-07T08:30:00.0000000', timeZone: 'UTC' },
    location: { displayName: 'Studio' },
    type: 'singleInstance',
  })
  const path = `${events}/${made.sent.id}`
  // Extended properties are included only when the request expands them.
  expect(made.sent).not.toHaveProperty('singleValueExtendedProperties')
  const { sent: expanded } = await ask('GET', `${path}?${EXPAND}`)
  keep('published.Event', expanded)
  expect(expanded.singleValueExtendedProperties).toEqual(properties)
  const moved = await ask('PATCH', path, { subject: 'Second session' })
  keep('published.Event', moved.sent)
  expect(moved.sent['@odata.etag']).not.toBe(made.sent['@odata.etag'])
  expect((await ask('GET', path)).sent).toEqual(moved.sent)
})

test('an account, its calendars and its time zone', async () => {
  keep('published.User', (await ask('GET', '/me')).sent)
  const { sent: calendars } = await ask('GET', '/me/calendars')
  keep('{ value: published.Calendar[] }', calendars)
  expect(calendars.value).toHaveLength(3)
  const { sent: zone } = await ask('GET', '/me/mailboxSettings/timeZone')
  expect(zone.value).toBe('W. Europe Standard Time')
})

test('a subscription, its notifications, and its end', async () => {
  const { sent: calendars } = await ask('GET', '/me/calendars')
  const family = calendars.value.find(({ name }: { name: string }) => name === 'Family').id
  const made = await ask('POST', '/subscriptions', {
    changeType: 'created,updated,deleted',
    notificationUrl: NOTIFY_URL,
    lifecycleNotificationUrl: NOTIFY_URL,
    resource: `/me/calendars/${family}/events`,
    expirationDateTime: new Date(microsoft.clock.ms + 86_400_000).toISOString(),
    clientState: 'secret',
  })
  expect(made.status).toBe(201)
  keep('published.Subscription', made.sent)
  const page = `/${encodeURIComponent(family)}`
  await microsoft.press(world.email, `${page}/events`, { start: '2027-05-03T09:00', end: '2027-05-03T10:00' })
  await microsoft.press(world.email, page, { action: 'delete' })
  await waitFor(() => microsoft.notifications[1])
  // Notifications are delivered separately, so they may arrive in any order.
  const told = microsoft.notifications
    .map(({ rawBody }) => JSON.parse(rawBody.toString()))
    .sort((a, b) => Number('lifecycleEvent' in a.value[0]) - Number('lifecycleEvent' in b.value[0]))
  for (const body of told) keep('published.ChangeNotificationCollection', body)
  // A change notification names the changed event; a lifecycle notification does not.
  // Source: https://learn.microsoft.com/graph/change-notifications-lifecycle-events#structure-of-a-lifecycle-notification
  const common = ['clientState', 'subscriptionExpirationDateTime', 'subscriptionId', 'tenantId']
  expect(told.map(({ value: [notification] }) => Object.keys(notification).sort())).toEqual([
    [...common, 'changeType', 'id', 'resource'].sort(),
    [...common, 'lifecycleEvent'].sort(),
  ])
  expect((await ask('DELETE', `/subscriptions/${made.sent.id}`)).status).toBe(404)
})

test('all responses fit the types that Microsoft publishes, and a misfit is found', async () => {
  const odd = [{ id: 7 }, { start: { zone: 'UTC' } }, { showAs: 'away' }]
  const misfits = odd.map((value) => ({ type: 'published.Event', value }))
  expect(sentAnswers).toHaveLength(12)
  const types = '@microsoft/microsoft-graph-types/microsoft-graph.d.ts'
  expect(await listTypeErrors(types, [...sentAnswers, ...misfits])).toEqual([
    expect.stringContaining("Type 'number' is not assignable to type 'string'"),
    expect.stringContaining(`'"zone"' does not exist in type 'DateTimeTimeZone'`),
    expect.stringContaining('"away"'),
  ])
})

test.each([
  ['a number that was used', 'POST', '', WRITTEN, {}, 409, 'ErrorDuplicateTransactionId'],
  [
    'an end before the start',
    'POST',
    '',
    { ...WRITTEN, transactionId: 'meridian-2', start: AT.end, end: AT.start },
    {},
    400,
    'ErrorInvalidRequest',
  ],
  ['an event that never was', 'DELETE', '/AAMk', undefined, {}, 404, 'ErrorItemNotFound'],
  [
    'a token of nobody',
    'GET',
    '/AAMk',
    undefined,
    { authorization: 'Bearer no' },
    401,
    'InvalidAuthenticationToken',
  ],
] as const)(
  '%s is refused with the error of Graph',
  async (_what, method, path, body, headers, status, code) => {
    const answer = await ask(method, `${events}${path}`, body, headers)
    expect(answer).toEqual({
      status,
      sent: {
        error: {
          code,
          message: expect.any(String),
          innerError: {
            date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
            'request-id': expect.any(String),
            'client-request-id': expect.any(String),
          },
        },
      },
    })
  },
)

test('a request with an outdated version neither changes nor deletes the event', async () => {
  const { sent } = await ask('POST', events, { ...WRITTEN, transactionId: 'meridian-3' })
  const old = { 'if-match': 'W/"old"' }
  const refused = { status: 412, sent: { error: { code: 'ErrorIrresolvableConflict' } } }
  expect(await ask('PATCH', `${events}/${sent.id}`, { subject: '' }, old)).toMatchObject(refused)
  expect(await ask('DELETE', `${events}/${sent.id}`, undefined, old)).toMatchObject(refused)
  const current = { 'if-match': sent['@odata.etag'] }
  expect((await ask('DELETE', `${events}/${sent.id}`, undefined, current)).status).toBe(204)
})

test.each(['$select=id', EXPAND, '$filter=isAllDay', '$orderby=start', '$search=a', '$top=5'])(
  'changes of a view are not asked for with %s',
  async (option) => {
    const path = `/me/calendars/${world.externalId}/calendarView/delta?${WINDOW}&${option}`
    expect(await ask('GET', path)).toMatchObject({
      status: 400,
      sent: { error: { code: 'ErrorInvalidUrlQuery' } },
    })
  },
)
