import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { buildIcsProvider } from '#server/integrations/ics/adapter.ts'
import { ICS_PARSERS } from '#server/integrations/ics/parsers.ts'
import { type CalendarProvider, MAX_BUSY_TIMES } from '#server/ports/external-calendar.ts'
import {
  type ConnectedOwner,
  listStoredBusyTimes,
  makeConnectedOwner,
  readExternalCalendars,
  waitUntilCalendarJobsFinish,
} from '#tests/support/connected-calendar.ts'
import { makeFakeCalendarProvider, PROVIDER_UNAVAILABLE } from '#tests/support/fake-calendar-provider.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import { runReadingsInProcess } from '#tests/support/read-here.ts'
import { queueDueSyncs, syncConnection } from './sync-use-cases.ts'

let connected: ConnectedOwner
let account: string
let accounts = 0
const google = makeFakeCalendarProvider({ pageSize: 10, hasPush: false })
/** The accounts whose server responds late to scheduled syncs, and how many such requests are waiting. */
const slow = { accounts: new Set<string>(), until: Promise.resolve(), underWay: 0 }
const late: CalendarProvider = {
  ...google,
  async *readChanges(access, request) {
    const isSlow = slow.accounts.has(request.calendar.externalId)
    slow.underWay += isSlow ? 1 : 0
    if (isSlow) await slow.until
    slow.underWay -= isSlow ? 1 : 0
    yield* google.readChanges(access, request)
  },
}

/** One owner's slow servers do not delay other owners, and are still read completely. Source: rule G15. */
setUpMeridian({ env: { DEFAULT_PLAN: 'enterprise' }, calendarProviders: { google: late } })
beforeEach(async () => {
  accounts += 1
  account = `slow-${accounts}`
  google.addAccount(account)
  connected = await makeConnectedOwner(meridian, account)
  await waitUntilCalendarJobsFinish(meridian)
})

test('a sync over its time limit stops and keeps its progress, and a later one gets more time', {
  tags: ['slow'],
}, async () => {
  for (let i = 0; i < 15; i += 1) google.put(account, halfHour(i))
  google.loseCursors()
  const signals: (AbortSignal | undefined)[] = []
  const slow: CalendarProvider = {
    ...google,
    async *readChanges(access, request) {
      signals.push(request.signal)
      for await (const page of google.readChanges(access, request)) {
        yield page
        if (page.cursor === null) await sleep(6_000, undefined, request.signal && { signal: request.signal })
      }
    },
  }
  const sync = () => syncWith(slow, 5_000)
  expect(await sync()).toMatchObject({ kind: 'failed', problem: 'The provider didn’t respond in time.' })
  expect(await listStoredBusyTimes(meridian, connected.externalCalendarId)).toHaveLength(10)
  expect(signals.map((signal) => signal?.aborted)).toEqual(signals.map(() => true))
  let kind = ''
  for (let tries = 0; tries < 4 && kind !== 'done'; tries += 1) ({ kind } = await sync())
  expect(kind).toBe('done')
  expect(await listStoredBusyTimes(meridian, connected.externalCalendarId)).toHaveLength(15)
})

test('a calendar that is never read completely does not delay the others of its account', {
  tags: ['slow'],
}, async () => {
  const other = `${account} other`
  google.addCalendar(account, { externalId: other })
  await meridian.database.execute('update calendar_connections set listed_at = null where id = $1', [
    connected.connectionId,
  ])
  await syncConnection(meridian.deps, connected.connectionId)
  const { connections } = await readExternalCalendars(meridian, connected)
  const ids = connections.flatMap(({ calendars }) => calendars.map(({ id }) => id))
  const chosen = await meridian
    .as(connected.owner)
    .put(`/api/calendars/${connected.calendarId}/external-calendars/choice`, { reads: ids, writes: null })
  expect(chosen.statusCode, chosen.body).toBe(200)
  await waitUntilCalendarJobsFinish(meridian)
  google.put(other, halfHour(0))
  const stuck: CalendarProvider = {
    ...google,
    async *readChanges(access, request) {
      if (request.calendar.externalId === account)
        await sleep(MINUTE_MS, undefined, request.signal && { signal: request.signal })
      yield* google.readChanges(access, request)
    },
  }
  const otherId = ids.find((id) => id !== connected.externalCalendarId) ?? ''
  for (let tries = 0; tries < 4; tries += 1) {
    expect(await syncWith(stuck, 1_000)).toMatchObject({ kind: 'failed' })
    if ((await listStoredBusyTimes(meridian, otherId)).length === 1) return
  }
  throw new Error('the other calendar was never read')
})

test('only one account of an owner is synced at a time; the next follows at once', async () => {
  const second = `${account} second`
  google.addAccount(second)
  const { owner } = connected
  const { connectionId } = await makeConnectedOwner(meridian, second, { owner })
  const stranger = await makeConnectedOwner(meridian, `${account} of somebody else`)
  await waitUntilCalendarJobsFinish(meridian)
  meridian.clock.ms += MINUTE_MS
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  google.calls.length = 0
  google.delayNext('readChanges', released)
  const running = syncConnection(meridian.deps, connected.connectionId)
  await waitUntil(async () => google.calls.includes('readChanges'))

  expect(await syncConnection(meridian.deps, connectionId)).toEqual({ kind: 'busy' })
  await queueDueSyncs(meridian.deps)
  await waitUntilCalendarJobsFinish(meridian)
  expect(google.calls).toEqual(['readChanges'])
  expect(await syncConnection(meridian.deps, stranger.connectionId)).toMatchObject({ kind: 'done' })

  release()
  expect(await running).toMatchObject({ kind: 'done' })
  const now = new Date(meridian.clock.ms).toISOString()
  await waitUntil(async () => {
    const { connections } = await readExternalCalendars(meridian, connected)
    return connections.find(({ id }) => id === connectionId)?.last_success_at === now
  })
})

test('a file of 20,000 hourly events is abandoned partway', async () => {
  const events = Array.from({ length: 20_000 }, (_, i) =>
    [
      'BEGIN:VEVENT',
      `UID:${i}`,
      'DTSTART:20260101T000000Z',
      'DURATION:PT5M',
      'RRULE:FREQ=HOURLY',
      'END:VEVENT',
    ].join('\r\n'),
  )
  const text = ['BEGIN:VCALENDAR', ...events, 'END:VCALENDAR', ''].join('\r\n')
  const file = buildIcsProvider({
    fetchAddress: async () => new Response(text),
    ownUidHost: 'meridian.example',
    read: runReadingsInProcess(ICS_PARSERS),
  })
  const credentials = JSON.stringify({ url: 'https://calendar.example/hourly.ics' })
  google.loseCursors()
  const reading: CalendarProvider = {
    ...google,
    readChanges: (access, request) => file.readChanges({ ...access, credentials }, request),
  }
  await meridian.database.execute('update external_calendars set sync_cursor = null')
  expect(await syncWith(reading, 5 * MINUTE_MS)).toMatchObject({ kind: 'failed', problem: TOO_LARGE })
  const stored = await listStoredBusyTimes(meridian, connected.externalCalendarId)
  expect(stored.length).toBeLessThanOrEqual(MAX_BUSY_TIMES)
})

test('a copy that grew too large through small changes is read again, which removes deleted events', {
  tags: ['slow'],
}, async () => {
  await fillCopy(MAX_BUSY_TIMES + 1)
  google.put(account, halfHour(0))
  expect(await syncWith(google, MINUTE_MS)).toMatchObject({ kind: 'done' })
  expect(await listStoredBusyTimes(meridian, connected.externalCalendarId)).toHaveLength(1)
})

test('a copy that grew too large through endless syncs is dropped, and the calendar counts as never read', {
  tags: ['slow'],
}, async () => {
  await fillCopy(2 * MAX_BUSY_TIMES + 1)
  google.failNext('readChanges', PROVIDER_UNAVAILABLE)
  expect(await syncWith(google, MINUTE_MS)).toMatchObject({ kind: 'failed' })
  expect(await listStoredBusyTimes(meridian, connected.externalCalendarId)).toEqual([])
  const { rows } = await meridian.database.execute('select synced_at from external_calendars where id = $1', [
    connected.externalCalendarId,
  ])
  expect(rows).toEqual([{ synced_at: null }])
})

const TOO_LARGE = 'The calendar has more events than can be read.'

/** Adds `count` busy times of an event that no longer exists. */
async function fillCopy(count: number): Promise<void> {
  await meridian.database.execute(
    `insert into external_busy_times (external_calendar_id, event_id, occurrence, starts_at, ends_at, generation)
     select id, 'gone', number::text, now() + number * interval '1 minute', now() + (number + 1) * interval '1 minute', generation
     from external_calendars, generate_series(1, $2::integer) as number where id = $1`,
    [connected.externalCalendarId, count],
  )
}

test('slow servers have their own workers', {
  tags: ['slow'],
}, async () => {
  const names = [1, 2, 3].map((n) => `${account}-failing-${n}`)
  const failing = await Promise.all(names.map((name) => makeConnectedOwner(meridian, name)))
  await waitUntilCalendarJobsFinish(meridian)
  meridian.clock.ms += MINUTE_MS
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const all = [connected, ...failing]
  slow.until = released
  slow.accounts = new Set([account, ...names])
  await meridian.database.execute(
    `update calendar_connections set failed_attempts = 3, next_sync_at = $2 where id = any ($1::uuid[])`,
    [all.map(({ connectionId }) => connectionId), new Date(meridian.clock.ms)],
  )
  await queueDueSyncs(meridian.deps)
  await waitUntil(async () => slow.underWay === 2)

  const stranger = await makeConnectedOwner(meridian, `${account}-of-somebody-else`)
  await waitUntil(() => isSynced(stranger))
  expect(slow.underWay).toBe(2)
  release()
  await waitUntil(async () => (await Promise.all(all.map(isSynced))).every(Boolean))
})

test('new accounts with slow servers free the quick workers within seconds', {
  tags: ['slow'],
}, async () => {
  const names = Array.from({ length: 6 }, (_, n) => `${account}-slow-${n}`)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  slow.until = released
  slow.accounts = new Set(names)
  const all = await Promise.all(names.map((name) => makeConnectedOwner(meridian, name)))
  await waitUntil(async () => slow.underWay >= 4)

  const stranger = await makeConnectedOwner(meridian, `${account}-of-somebody-else`)
  const startMs = performance.now()
  await waitUntil(() => isSynced(stranger))
  expect(performance.now() - startMs).toBeLessThan(40_000)
  await waitUntil(async () => (await countWith('is_slow', all)) === all.length)
  await waitUntil(async () => (await countWith('sync_claim is not null', all)) === 2)

  release()
  await waitUntil(async () => (await Promise.all(all.map(isSynced))).every(Boolean))
})

async function isSynced(one: ConnectedOwner): Promise<boolean> {
  const { connections } = await readExternalCalendars(meridian, one)
  const now = new Date(meridian.clock.ms).toISOString()
  return connections.find(({ id }) => id === one.connectionId)?.last_success_at === now
}

/** Returns how many of the connections meet an SQL condition. */
async function countWith(condition: string, all: readonly ConnectedOwner[]): Promise<number> {
  const { rows } = await meridian.database.execute(
    `select count(*)::integer as count from calendar_connections where ${condition} and id = any ($1::uuid[])`,
    [all.map(({ connectionId }) => connectionId)],
  )
  return Number(rows[0]?.count)
}

function syncWith(provider: CalendarProvider, syncMs: number) {
  const deps = { ...meridian.deps, calendarProviders: { google: provider } }
  return syncConnection(deps, connected.connectionId, { syncMs })
}

function halfHour(i: number) {
  const startMs = Date.parse('2027-02-01T00:00:00Z') + i * 60 * MINUTE_MS
  return {
    startsAt: new Date(startMs).toISOString(),
    endsAt: new Date(startMs + 30 * MINUTE_MS).toISOString(),
  }
}
