import { beforeEach, expect, test } from 'vitest'
import { HOUR_MS } from '#core/shared/duration.ts'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import {
  type ConnectedOwner,
  makeConnectedOwner,
  readExternalCalendars,
  waitUntilCalendarJobsFinish,
} from '#tests/support/connected-calendar.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { makeFakeCalendarProvider } from '#tests/support/fake-calendar-provider.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { queueDueSyncs, syncConnection } from './sync-use-cases.ts'

let connected: ConnectedOwner
let account: string
let accounts = 0
const google = makeFakeCalendarProvider({ hasPush: false })

/**
 * The owner's clicks must cause no needless requests to a provider, and none during a pause that the provider
 * requested.
 */
setUpMeridian({
  calendarProviders: { google },
  env: { BUDGETS: 'calendar_choices=3,calendar_rewrites=2' },
})
beforeEach(async () => {
  await meridian.database.execute('delete from calendar_connections')
  accounts += 1
  account = `joan-${accounts}`
  connected = await makeConnectedOwner(meridian, account, { access: 'write' })
  await waitUntilCalendarJobsFinish(meridian)
})

test('repeating a choice does nothing and does not count toward the limit', async () => {
  const reads = [connected.externalCalendarId]
  await choose({ reads, writes: reads[0] ?? null })
  await waitUntilCalendarJobsFinish(meridian)
  const before = await countJobs()
  google.calls.length = 0
  for (let i = 0; i < 5; i += 1) {
    const answer = await choose({ reads, writes: reads[0] ?? null })
    expect(answer.statusCode, answer.body).toBe(200)
  }
  expect(await countJobs()).toBe(before)
  expect(google.calls).toEqual([])
})

test('changes of the choice are rate limited, and a refused change keeps the choice', async () => {
  const reads = [connected.externalCalendarId]
  const answers = [
    await choose({ reads: [], writes: null }),
    await choose({ reads, writes: null }),
    await choose({ reads: [], writes: null }),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  const refused = await choose({ reads, writes: null })
  expectRefusal(refused, 'request.too_many')
  expect(refused.headers['retry-after']).toBe('3600')
  const [connection] = (await readExternalCalendars(meridian, connected)).connections
  expect(connection?.calendars).toMatchObject([{ reads_busy_times: false }])
})

test('settings that cause a full read or rewrite are rate limited, and the others are not', async () => {
  const answers = [
    // Turning the setting off queues no job.
    await change({ two_way_sync: false, auto_sync: false }),
    await change({ two_way_sync: true, auto_sync: true }),
    await change({ hide_customer: true }),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  expectRefusal(await change({ hide_customer: false }), 'request.too_many')
  // Saving the same setting again counts as no change.
  const others = [
    await change({ hide_customer: true, two_way_sync: true }),
    await change({ when_unchecked: 'always_offer' }),
    await change({ two_way_sync: false }),
  ]
  expect(others.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  expectRefusal(await change({ two_way_sync: true }), 'request.too_many')
  expect((await readExternalCalendars(meridian, connected)).settings).toMatchObject({
    hide_customer: true,
    two_way_sync: false,
  })
})

test('during a Retry-After the provider is not asked, and Sync Now says so at once', async () => {
  google.failNext(
    'readChanges',
    new CalendarProviderError('rate_limited', 'Too many requests.', { retryAfterMs: HOUR_MS }),
  )
  await syncConnection(meridian.deps, connected.connectionId)
  google.calls.length = 0
  meridian.clock.ms += HOUR_MS - 1
  const startMs = performance.now()
  const refused = await syncNow()
  expect(performance.now() - startMs).toBeLessThan(5_000)
  expectRefusal(refused, 'external_calendar.sync_failed')
  expect(refused.json().errors).toEqual([
    { path: 'provider', message: `${account}@example.com: Too many requests.` },
  ])
  // Choosing another calendar and turning 'Two-way Sync' on each queue a sync.
  await choose({ reads: [], writes: null })
  await choose({ reads: [connected.externalCalendarId], writes: connected.externalCalendarId })
  await change({ two_way_sync: false })
  await change({ two_way_sync: true })
  await queueDueSyncs(meridian.deps)
  expect(await syncConnection(meridian.deps, connected.connectionId)).toEqual({ kind: 'busy' })
  await waitUntilCalendarJobsFinish(meridian)
  expect(google.calls).toEqual([])
  meridian.clock.ms += 1
  await queueDueSyncs(meridian.deps)
  await waitUntilCalendarJobsFinish(meridian)
  expect(google.calls).toContain('readChanges')
  expect((await syncNow()).statusCode).toBe(200)
})

function choose(payload: { reads: string[]; writes: string | null }) {
  return ask('PUT', 'choice', payload)
}

function change(payload: object) {
  return ask('PATCH', 'settings', payload)
}

function syncNow() {
  return ask('POST', 'sync')
}

function ask(method: 'PUT' | 'PATCH' | 'POST', what: string, payload?: object) {
  const url = `/api/calendars/${connected.calendarId}/external-calendars/${what}`
  return meridian.request({ method, url, cookie: connected.owner.cookie, ...(payload && { payload }) })
}

/** Returns how many jobs about external calendars the owner has caused. */
async function countJobs(): Promise<number> {
  const { rows } = await meridian.database.execute(
    `select count(*)::integer as count from pgboss.job
      where name in ('calendar-sync', 'calendar-channels', 'waiting-events')`,
  )
  return Number(rows[0]?.count)
}
