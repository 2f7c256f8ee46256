import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import { makeConnectedOwner, waitUntilCalendarJobsFinish } from '#tests/support/connected-calendar.ts'
import { makeFakeCalendarProvider, PROVIDER_UNAVAILABLE } from '#tests/support/fake-calendar-provider.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { renewChannels } from './channel-use-cases.ts'

let accounts = 0
const fake = makeFakeCalendarProvider({ now: () => meridian.clock.ms })
/** For each external calendar, the error that opening a channel fails with. */
const refusals = new Map<string, CalendarProviderError>()
/** The external calendars for which a channel was requested, in order. */
const asked: string[] = []
let slowMs = 0

/** A channel that cannot be opened does not keep others from being opened. Source: rule G16. */
setUpMeridian({ calendarProviders: { google: { ...fake, push: watchPush() } } })
beforeEach(async () => {
  await meridian.database.execute('delete from calendar_connections')
  slowMs = 0
  refusals.clear()
})

test('a refused channel is retried after five minutes, then ten, and comes after all others until it opens', async () => {
  const [refused, other] = [await connect(), await connect()]
  await forgetChannels()
  refusals.set(refused, new CalendarProviderError('forbidden', 'This calendar cannot be watched.'))
  expect((await tend()).toSorted()).toEqual([refused, other].toSorted())
  expect(await tendAfter(4)).toEqual([])
  const late = await connect()
  expect(await tendAfter(1)).toEqual([late, refused])
  expect(await tendAfter(9)).toEqual([])
  refusals.clear()
  expect(await tendAfter(1)).toEqual([refused])
  const { rows } = await meridian.database.execute(
    'select 1 from external_calendars where channel_failed_attempts > 0 or channel_retry_at is not null',
  )
  expect(rows).toEqual([])
})

test('an account that does not answer is asked once a round, and the other accounts get their channels', async () => {
  const silent = await connect(3)
  const other = await connect()
  await forgetChannels()
  for (const name of [silent, `${silent} 1`, `${silent} 2`]) refusals.set(name, PROVIDER_UNAVAILABLE)
  const first = await tend()
  expect(first).toHaveLength(2)
  expect(first).toContain(other)
  expect(await tendAfter(4)).toEqual([])
  expect(await tendAfter(1)).toHaveLength(1)
})

test('a provider that is down is asked for at most three accounts a round', async () => {
  const names = [await connect(), await connect(), await connect(), await connect(), await connect()]
  await forgetChannels()
  for (const name of names) refusals.set(name, PROVIDER_UNAVAILABLE)
  expect(await tend()).toHaveLength(3)
  expect(await tend()).toHaveLength(2)
})

test('a round respects the provider’s Retry-After', async () => {
  const account = await connect(2)
  const retryAfterMs = 60 * MINUTE_MS
  for (const name of [account, `${account} 1`]) {
    refusals.set(name, new CalendarProviderError('rate_limited', 'Too fast.', { retryAfterMs }))
  }
  expect(await tend()).toHaveLength(1)
  refusals.clear()
  expect(await tendAfter(59)).toEqual([])
  expect(await tendAfter(1)).toHaveLength(2)
})

test('a round stops at its time limit, and the next one continues', async () => {
  await connect()
  await connect()
  await forgetChannels()
  slowMs = 1_000
  expect(await tend(1_600)).toHaveLength(1)
  expect(await tend(1_600)).toHaveLength(1)
  expect(await tend(1_600)).toEqual([])
})

/** Deletes the channels: connecting another account starts a run, which opens the channels of the earlier accounts. */
async function forgetChannels(): Promise<void> {
  await meridian.database.execute('delete from sync_channels')
}

/** Runs the job once. Returns the external calendars for which it requested a channel. */
async function tend(roundMs?: number): Promise<string[]> {
  asked.length = 0
  await renewChannels(meridian.deps, roundMs === undefined ? {} : { roundMs })
  return [...asked]
}

function tendAfter(minutes: number): Promise<string[]> {
  meridian.clock.ms += minutes * MINUTE_MS
  return tend()
}

/**
 * Connects an account whose calendars are read and have no channel. Its main calendar has the same name as the account.
 */
async function connect(calendars = 1): Promise<string> {
  accounts += 1
  const account = `hedy-${accounts}`
  fake.addAccount(account)
  for (let i = 1; i < calendars; i += 1) fake.addCalendar(account, { externalId: `${account} ${i}` })
  const { calendarId, connectionId } = await makeConnectedOwner(meridian, account)
  await waitUntilCalendarJobsFinish(meridian)
  await meridian.database.execute(
    `insert into used_external_calendars (calendar_id, external_calendar_id, reads_busy_times)
      select $1, id, true from external_calendars where connection_id = $2 on conflict do nothing`,
    [calendarId, connectionId],
  )
  await meridian.database.execute(
    'delete from sync_channels where external_calendar_id in (select id from external_calendars where connection_id = $1)',
    [connectionId],
  )
  return account
}

/** Wraps the fake's channels, so that some of them are refused. */
function watchPush() {
  const { push } = fake
  if (push === null) throw new Error('it has no channels')
  const subscribe: typeof push.subscribe = async (access, request) => {
    asked.push(request.externalId)
    await sleep(slowMs)
    const refusal = refusals.get(request.externalId)
    if (refusal !== undefined) throw refusal
    return push.subscribe(access, request)
  }
  return { ...push, subscribe }
}
