import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { DAY_MS, HOUR_SECONDS } from '#core/shared/duration.ts'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import { waitUntilJobsFinish } from '#tests/support/connected-calendar.ts'
import {
  ACCESS_EXPIRED,
  makeFakeCalendarProvider,
  PROVIDER_UNAVAILABLE,
} from '#tests/support/fake-calendar-provider.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, TEST_PASSWORD } from '#tests/support/meridian.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import {
  type CalendarWritingEvents,
  connectAccountToWriteTo,
  waitUntilEventsWritten,
} from '#tests/support/written-calendar.ts'
import { encryptCredentials } from './access-use-cases.ts'
import { CALENDAR_WITHDRAWAL_JOB, type WithdrawnAccess } from './job-definitions.ts'
import { withdrawAccess } from './withdrawal-use-cases.ts'

let written: CalendarWritingEvents
let account: string
let accounts = 0

const TIMES = ['2027-01-04T09:00:00Z', '2027-01-05T14:00:00Z', '2027-01-06T14:00:00Z']

const provider = makeFakeCalendarProvider({ connectsBy: 'password' })
setUpCalendar({
  env: { DEFAULT_PLAN: 'enterprise' },
  calendarProviders: { caldav: provider },
  owner: { lifetime: 'test' },
})
beforeEach(async () => {
  provider.answer()
  account = `ada-${++accounts}`
  written = await connectAccountToWriteTo(meridian, owner, calendar, account)
  provider.calls.length = 0
})

test('deleting an account removes the events of its upcoming appointments before access is revoked', async () => {
  await bookAll()
  const theirs = provider.put(account, { startsAt: '2027-01-05T10:00:00Z', endsAt: '2027-01-05T11:00:00Z' })
  await remove('/api/profile')
  await waitUntil(async () => provider.disconnected.includes(account))
  expect(listEvents()).toEqual([theirs])
  expect(provider.calls.slice(-4)).toEqual(['remove', 'remove', 'remove', 'disconnect'])
  expect(await readJobs('event-removal')).toEqual([])
})

test('deleting an account keeps past events', async () => {
  await bookAll()
  meridian.clock.ms += DAY_MS
  await remove('/api/profile')
  await waitUntil(async () => provider.disconnected.includes(account))
  expect(listEvents()).toHaveLength(1)
})

test('while the provider is down, the credentials are kept and the removal is retried', async () => {
  await bookAll()
  provider.fallSilent()
  await remove('/api/profile')
  await waitUntil(async () => (await readJobs()).some(({ state }) => state === 'retry'))
  provider.answer()
  await hurryJobs()
  await waitUntil(async () => provider.disconnected.includes(account))
  expect(listEvents()).toEqual([])
})

test('a removal that failed midway continues with the rest', async () => {
  await bookAll()
  let removed = 0
  const failing = {
    ...provider,
    events: provider.events && {
      ...provider.events,
      remove: async (...asked: Parameters<typeof provider.events.remove>) => {
        removed += 1
        if (removed === 2) throw PROVIDER_UNAVAILABLE
        await provider.events?.remove(...asked)
      },
    },
  }
  const queue = makeQueue()
  const run = { ...meridian.deps, jobs: queue.jobs, calendarProviders: { caldav: failing } }
  await withdrawAccess(run, makeWithdrawn(listEvents()))
  expect(queue.sent).toMatchObject([{ removal: { events: [{}, {}] } }])
  expect(provider.disconnected).not.toContain(account)
  await queue.finish(run)
  expect(listEvents()).toEqual([])
  expect(provider.disconnected).toContain(account)
})

test('after a day without the provider the removal is abandoned and the credentials are deleted', async () => {
  await bookAll()
  provider.fallSilent()
  await remove('/api/profile')
  await waitUntil(async () => (await readJobs()).some(({ state }) => state === 'retry'))
  await meridian.database.execute(
    `update pgboss.job set retry_limit = 3 where name = 'calendar-withdrawal' and data ->> 'connectionId' = $1`,
    [written.connectionId],
  )
  meridian.clock.ms += DAY_MS
  provider.calls.length = 0
  await waitUntil(async () => {
    await hurryJobs()
    const jobs = await readJobs()
    return jobs.every(({ state }) => state === 'failed') || JSON.stringify(jobs)
  })
  expect(new Set(provider.calls)).toEqual(new Set(['disconnect']))
  expect(await readJobs()).toEqual([{ state: 'failed', deletion_seconds: HOUR_SECONDS }])
  const { rows } = await meridian.database.execute('select id from calendar_connections where id = $1', [
    written.connectionId,
  ])
  expect(rows).toEqual([])
})

test('a provider that answers again after a day has its access revoked, and the events stay', async () => {
  await bookAll()
  const withdrawn = makeWithdrawn(listEvents())
  meridian.clock.ms += DAY_MS
  await withdrawAccess(meridian.deps, withdrawn)
  expect(listEvents()).toHaveLength(3)
  expect(provider.disconnected).toContain(account)
})

test('credentials renewed meanwhile get their own job before they are used', async () => {
  await bookAll()
  provider.renewNext()
  const queue = makeQueue()
  const run = { ...meridian.deps, jobs: queue.jobs }
  const before = makeWithdrawn(listEvents())
  await withdrawAccess(run, before)
  expect(listEvents()).toHaveLength(3)
  const [after] = queue.sent
  const opened = meridian.deps.secrets.open(
    Buffer.from(after?.sealedCredentials ?? '', 'base64'),
    `calendar connection:${before.connectionId}`,
  )
  expect(opened).toBe(`${account} renewed`)
  await queue.finish(run)
  expect(listEvents()).toEqual([])
  expect(provider.disconnected).toContain(account)
})

test('a job runs for a limited time, so that a large account does not block others', async () => {
  await bookAll()
  const queue = makeQueue()
  const run = { ...meridian.deps, jobs: queue.jobs }
  await withdrawAccess(run, makeWithdrawn(listEvents()), { runMs: 0 })
  expect(listEvents()).toHaveLength(2)
  expect(queue.sent).toMatchObject([{ removal: { events: [{}, {}] } }])
})

test('10,000 upcoming events are removed', async () => {
  for (let i = 0; i < 10_000; i += 1) {
    provider.put(account, { id: `event-${i}`, startsAt: TIMES[0] ?? '', endsAt: TIMES[1] ?? '' })
  }
  await meridian.deps.jobs.send(CALENDAR_WITHDRAWAL_JOB, makeWithdrawn(listEvents()))
  await waitUntil(async () => provider.disconnected.includes(account))
  expect(listEvents()).toEqual([])
})

test('an event that the provider refuses to delete stays, and the others are removed', async () => {
  await bookAll()
  provider.failNext('remove', new CalendarProviderError('forbidden', 'This event is locked.'))
  await remove('/api/profile')
  await waitUntil(async () => provider.disconnected.includes(account))
  expect(listEvents()).toHaveLength(1)
})

test('an account that refuses the credentials is not asked again', async () => {
  await bookAll()
  provider.failNext('remove', ACCESS_EXPIRED)
  await remove('/api/profile')
  await waitUntil(async () => provider.disconnected.includes(account))
  expect(provider.calls.filter((call) => call === 'remove')).toHaveLength(1)
})

test('an event created during the deletion of the account is removed', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  provider.delayNext('create', promise)
  await bookAppointment(meridian, calendar.slug)
  await waitUntil(async () => provider.calls.includes('create'))
  await remove('/api/profile')
  resolve()
  await waitUntil(async () => provider.calls.includes('remove'))
  await waitUntil(async () => listEvents().length === 0)
  // The access is kept for as long as a write may run.
  expect(provider.disconnected).not.toContain(account)
  expect(await readJobs()).toMatchObject([{ state: 'created' }])
})

test('events left by a deleted calendar are removed when the account is deleted soon after', async () => {
  await bookAll()
  provider.fallSilent()
  await remove(`/api/calendars/${calendar.id}`)
  await waitUntil(async () => (await readJobs('event-removal')).every(({ state }) => state === 'retry'))
  provider.answer()
  await remove('/api/profile')
  await waitUntil(async () => provider.disconnected.includes(account))
  expect(listEvents()).toEqual([])
  expect(await readJobs('event-removal')).toEqual([])
})

test('events kept on disconnecting stay when the account is deleted afterwards', async () => {
  await bookAll()
  await remove(
    `/api/calendars/${calendar.id}/external-calendars/connections/${written.connectionId}?events=keep`,
  )
  await waitUntil(async () => provider.disconnected.includes(account))
  await remove('/api/profile')
  await waitUntilJobsFinish(meridian, ['%event%', 'calendar-%'])
  expect(listEvents()).toHaveLength(3)
  expect(provider.calls).not.toContain('remove')
})

/** Books three appointments and waits until their events are written. */
async function bookAll(): Promise<void> {
  for (const starts_at of TIMES) await bookAppointment(meridian, calendar.slug, { starts_at })
  await waitUntilEventsWritten(meridian, calendar)
  await waitUntilJobsFinish(meridian, ['appointment-event', 'waiting-events'])
  expect(listEvents()).toHaveLength(3)
  provider.calls.length = 0
}

async function remove(url: string): Promise<void> {
  const payload = { payload: { password: TEST_PASSWORD } }
  const answer = await meridian.request({
    method: 'DELETE',
    url,
    cookie: owner.cookie,
    ...(url === '/api/profile' ? payload : {}),
  })
  expect(answer.statusCode, answer.body).toBeLessThan(300)
}

function listEvents(): string[] {
  return provider.list(account).map(({ eventId }) => eventId)
}

/** Creates the access of a connection that has been deleted. */
function makeWithdrawn(eventRefs: readonly string[]): WithdrawnAccess {
  const connectionId = randomUUID()
  return {
    connectionId,
    provider: 'caldav',
    accountId: `${account} without a connection`,
    sealedCredentials: encryptCredentials(meridian.deps, connectionId, account).toString('base64'),
    channels: [],
    removal: {
      events: eventRefs.map((eventRef) => ({ externalId: account, eventRef })),
      until: new Date(meridian.clock.ms + DAY_MS).toISOString(),
    },
  }
}

/** A queue that keeps its jobs until the test runs them. */
function makeQueue() {
  const sent: WithdrawnAccess[] = []
  const send: typeof meridian.deps.jobs.send = async (_job, payload) => {
    // Serialised, as the real queue stores it.
    sent.push(JSON.parse(JSON.stringify(payload)))
  }
  return {
    sent,
    jobs: { ...meridian.deps.jobs, send },
    async finish(deps: Parameters<typeof withdrawAccess>[0]) {
      for (let next = sent.shift(); next !== undefined; next = sent.shift()) await withdrawAccess(deps, next)
    },
  }
}

/** Lists the queued jobs of the connection. */
async function readJobs(name = 'calendar-withdrawal'): Promise<Record<string, unknown>[]> {
  const { rows } = await meridian.database.execute(
    `select state, deletion_seconds from pgboss.job where name = $1 and data ->> 'connectionId' = $2`,
    [name, written.connectionId],
  )
  return rows
}

/** Makes the jobs that wait for a retry run at once. */
async function hurryJobs(): Promise<void> {
  await meridian.database.execute(
    `update pgboss.job set start_after = now() where name = 'calendar-withdrawal' and state = 'retry'`,
  )
}
