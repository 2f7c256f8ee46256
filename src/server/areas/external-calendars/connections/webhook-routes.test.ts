import { afterAll, beforeEach, expect, test } from 'vitest'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import {
  type ConnectedOwner,
  listStoredBusyTimes,
  makeConnectedOwner,
  waitUntilCalendarJobsFinish,
} from '#tests/support/connected-calendar.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { makeFakeCalendarProvider } from '#tests/support/fake-calendar-provider.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { TEST_MONDAY } from '#tests/support/meridian.ts'
import { recordStatements } from '#tests/support/record-statements.ts'
import { renewChannels } from './channel-use-cases.ts'

let connected: ConnectedOwner
let account: string
let accounts = 0
const clock = { ms: TEST_MONDAY }
const google = makeFakeCalendarProvider({ now: () => clock.ms })
const DAY_MS = 24 * 60 * 60_000
const recorder = recordStatements()

setUpMeridian({
  calendarProviders: { google },
  env: { BUDGETS: 'calendar_notification_strays=50' },
})
afterAll(async () => {
  recorder.stop()
})
beforeEach(async () => {
  await meridian.database.execute('delete from calendar_connections')
  await meridian.database.execute('delete from budget_uses')
  google.channels.clear()
  accounts += 1
  account = `hedy-${accounts}`
  clock.ms = TEST_MONDAY
  connected = await makeConnectedOwner(meridian, account)
  await waitUntilCalendarJobsFinish(meridian)
})

test('choosing an external calendar opens a channel, whose secret is not stored', async () => {
  const [channel] = [...google.channels.values()]
  expect(channel).toMatchObject({ externalId: account })
  const { rows } = await meridian.database.execute('select * from sync_channels')
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(channel?.secret)
})

test('changes between the first sync and the opening of the channel are synced at once', async () => {
  await meridian.database.execute('delete from sync_channels')
  google.channels.clear()
  google.put(account, event)
  await renewChannels(meridian.deps)
  expect(google.channels.size).toBe(1)
  await waitUntilCalendarJobsFinish(meridian)
  expect(await listStoredBusyTimes(meridian, connected.externalCalendarId)).toHaveLength(1)
})

test('activepieces#13425: a notification without a body, in the state exists, causes a sync', async () => {
  google.put(account, event)
  expect((await notify({ state: 'exists' })).statusCode).toBe(204)
  await waitUntilCalendarJobsFinish(meridian)
  expect(await listStoredBusyTimes(meridian, connected.externalCalendarId)).toHaveLength(1)
})

test('the first message of a channel (sync) causes no work', async () => {
  const before = google.calls.length
  expect((await notify({ state: 'sync' })).statusCode).toBe(204)
  await waitUntilCalendarJobsFinish(meridian)
  expect(google.calls.length).toBe(before)
})

test.each([
  ['another secret', { secret: 'guessed' }],
  ['no secret', { secret: '' }],
  ['a channel that nobody has', { id: 'guessed' }],
])('a notification with %s gets a 404 and causes no work', async (_what, forged) => {
  const before = google.calls.length
  expectRefusal(await notify({ state: 'exists', ...forged }), 'external_calendar.channel_unknown')
  await waitUntilCalendarJobsFinish(meridian)
  expect(google.calls.length).toBe(before)
})

test('a notification during a sync causes another one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  google.delayNext('readChanges', promise)
  google.calls.length = 0
  await notify({ state: 'exists' })
  while (!google.calls.includes('readChanges')) await pause()
  // The running sync does not notice this change.
  await notify({ state: 'exists' })
  resolve()
  await waitUntilCalendarJobsFinish(meridian)
  expect(google.calls.filter((call) => call === 'readChanges')).toHaveLength(2)
})

test('thousands of notifications cause one or two syncs, and thousands of forged ones none', {
  tags: ['slow'],
}, async () => {
  google.calls.length = 0
  for (let i = 0; i < 1_000; i += 1) await notify({ state: 'exists' })
  await waitUntilCalendarJobsFinish(meridian)
  expect(google.calls.filter((call) => call === 'readChanges').length).toBeLessThan(50)
  google.calls.length = 0
  const answers = new Map<number, number>()
  for (let i = 0; i < 1_000; i += 1) {
    const { statusCode } = await notify({ state: 'exists', id: `forged ${i}` })
    answers.set(statusCode, (answers.get(statusCode) ?? 0) + 1)
  }
  expect([...answers]).toEqual([
    [404, 50],
    [429, 950],
  ])
  expect(google.calls).toEqual([])
  // A real notification is still accepted.
  expect((await notify({ state: 'exists' })).statusCode).toBe(204)
})

test('googleapis#1402: a channel is replaced after half of its lifetime, the new one is opened first, and the old one no longer counts', async () => {
  const [old] = [...google.channels]
  move(3.4 * DAY_MS)
  await renewChannels(meridian.deps)
  expect([...google.channels.keys()]).toEqual([old?.[0]])
  move(0.2 * DAY_MS)
  google.calls.length = 0
  await renewChannels(meridian.deps)
  expect(google.calls).toEqual(['subscribe', 'unsubscribe'])
  const renewed = [...google.channels.keys()]
  expect(renewed).toHaveLength(1)
  expect(renewed).not.toContain(old?.[0])
  const late = { state: 'exists', id: old?.[0] ?? '', secret: old?.[1].secret ?? '' }
  expectRefusal(await notify(late), 'external_calendar.channel_unknown')
  expect((await notify({ state: 'exists' })).statusCode).toBe(204)
})

test('a channel that cannot be renewed is kept until it can', async () => {
  const [old] = [...google.channels.keys()]
  move(4 * DAY_MS)
  google.failNext('subscribe', new CalendarProviderError('unavailable', 'Not now.'))
  await renewChannels(meridian.deps)
  expect([...google.channels.keys()]).toEqual([old])
  expect((await notify({ state: 'exists' })).statusCode).toBe(204)
  move(300_000)
  await renewChannels(meridian.deps)
  expect([...google.channels.keys()]).not.toContain(old)
})

test('two processes that open a channel at once leave one open', async () => {
  await meridian.database.execute('delete from sync_channels')
  google.channels.clear()
  await Promise.all([renewChannels(meridian.deps), renewChannels(meridian.deps)])
  await renewChannels(meridian.deps)
  expect(google.channels.size).toBe(1)
})

test('the channel of an unused external calendar is closed', async () => {
  await meridian
    .as(connected.owner)
    .put(`/api/calendars/${connected.calendarId}/external-calendars/choice`, { reads: [], writes: null })
  await waitUntilCalendarJobsFinish(meridian)
  expect(google.channels.size).toBe(0)
})

test('Microsoft validates the address and gets its token back as text', async () => {
  const answer = await meridian.post(
    '/api/webhooks/microsoft-calendar?validationToken=Validation%3A+a%3Cb%3E',
  )
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(answer.body).toBe('Validation: a<b>')
})

test('Microsoft’s notifications are accepted by the secret of their channel, several in one request', async () => {
  await beOfMicrosoft()
  google.put(account, event)
  const [channel] = [...google.channels]
  const good = { subscriptionId: channel?.[0], clientState: channel?.[1].secret, changeType: 'updated' }
  const forged = { ...good, clientState: 'guessed' }
  expectRefusal(await tellOfMicrosoft({ value: [forged] }), 'external_calendar.channel_unknown')
  expectRefusal(await tellOfMicrosoft('no json'), 'external_calendar.channel_unknown')
  expectRefusal(await tellOfMicrosoft({ value: 'x' }), 'external_calendar.channel_unknown')
  const answer = await tellOfMicrosoft({ value: [forged, good] })
  expect(answer.statusCode).toBe(202)
  expect(answer.body).toBe('')
  const { rows } = await meridian.database.execute(
    'select next_sync_at <= $2 as due from calendar_connections where id = $1',
    [connected.connectionId, new Date(meridian.clock.ms)],
  )
  expect(rows).toEqual([{ due: true }])
})

test('a thousand forged notifications in one request cause one query', async () => {
  await beOfMicrosoft()
  const value = Array.from({ length: 1_000 }, (_, i) => ({
    subscriptionId: `forged ${i}`,
    clientState: 'guessed',
    changeType: 'updated',
  }))
  const statements = await recorder.during(async () => {
    expectRefusal(await tellOfMicrosoft({ value }), 'external_calendar.channel_unknown')
  })
  expect(statements.filter(({ text }) => text.includes('secret_hash'))).toHaveLength(1)
})

test.each([
  ['reauthorizationRequired', true],
  ['subscriptionRemoved', true],
  ['missed', false],
])('Microsoft’s lifecycle event %s ends its channel: %s', async (lifecycleEvent, ends) => {
  await beOfMicrosoft()
  const [channel] = [...google.channels]
  const notice = { subscriptionId: channel?.[0], clientState: channel?.[1].secret, lifecycleEvent }
  expect((await tellOfMicrosoft({ value: [notice] })).statusCode).toBe(202)
  const { rows } = await meridian.database.execute(
    'select stopped_at is not null as ended from sync_channels',
  )
  expect(rows).toEqual([{ ended: ends }])
})

const event = { startsAt: '2027-01-11T09:00:00Z', endsAt: '2027-01-11T10:00:00Z' }

/**
 * Sends a notification as Google does, with headers only. Source:
 * https://developers.google.com/workspace/calendar/api/guides/push
 */
function notify({ state, id, secret }: { state: string; id?: string; secret?: string }) {
  const [channel] = [...google.channels]
  return meridian.request({
    method: 'POST',
    url: '/api/webhooks/google-calendar',
    headers: {
      'x-goog-channel-id': id ?? channel?.[0] ?? '',
      'x-goog-channel-token': secret ?? channel?.[1].secret ?? '',
      'x-goog-resource-id': channel?.[1].resourceId ?? '',
      'x-goog-resource-state': state,
      'x-goog-message-number': '1',
    },
  })
}

/** Turns the connection into a Microsoft connection. These tests do not need its adapter. */
async function beOfMicrosoft(): Promise<void> {
  await meridian.database.execute(`update calendar_connections set provider = 'microsoft'`)
}

function tellOfMicrosoft(payload: string | object) {
  return meridian.request({
    method: 'POST',
    url: '/api/webhooks/microsoft-calendar',
    headers: { 'content-type': 'application/json' },
    payload,
  })
}

function move(ms: number): void {
  meridian.clock.ms += ms
  clock.ms += ms
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20))
}
