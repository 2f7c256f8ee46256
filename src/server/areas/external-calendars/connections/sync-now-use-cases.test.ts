import { beforeEach, expect, test } from 'vitest'
import { SECOND_MS } from '#core/shared/duration.ts'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import {
  type ConnectedOwner,
  listStoredBusyTimes,
  makeConnectedOwner,
  readExternalCalendars,
  waitUntilCalendarJobsFinish,
} from '#tests/support/connected-calendar.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { makeFakeCalendarProvider } from '#tests/support/fake-calendar-provider.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner, waitFor } from '#tests/support/meridian.ts'

let connected: ConnectedOwner
let account: string
let accounts = 0
const google = makeFakeCalendarProvider({ hasPush: false })

setUpMeridian({ calendarProviders: { google }, env: { BUDGETS: 'calendar_syncs=3' } })
beforeEach(async () => {
  accounts += 1
  account = `mary-${accounts}`
  connected = await makeConnectedOwner(meridian, account)
  await waitUntilCalendarJobsFinish(meridian)
})

test('Sync Now answers when the sync is done, with its result', async () => {
  google.put(account, { title: 'Board', ...event('2027-01-11') })
  const answer = await syncNow()
  expect(answer.json()).toMatchObject({
    is_running: false,
    external_calendars: { connections: [{ problem: null, state: 'active' }] },
  })
  expect(await copy()).toEqual(['2027-01-11T09:00:00.000Z 2027-01-11T10:00:00.000Z'])
})

test('Sync Now waits for the running sync and the next one, and is rate limited', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  google.delayNext('readChanges', promise)
  google.calls.length = 0
  const first = syncNow()
  await waitFor(() => (google.calls.includes('readChanges') ? true : null))
  const second = syncNow()
  google.put(account, event('2027-01-12'))
  resolve()
  const answers = (await Promise.all([first, second])).map((answer) => answer.json().is_running)
  expect(answers).toEqual([false, false])
  expect(await copy()).toEqual(['2027-01-12T09:00:00.000Z 2027-01-12T10:00:00.000Z'])
  expect((await syncNow()).statusCode).toBe(200)
  expectRefusal(await syncNow(), 'request.too_many')
})

test('Sync Now waits a few seconds for a slow provider, then answers that the sync continues', {
  tags: ['slow'],
}, async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  google.delayNext('readChanges', promise)
  google.put(account, event('2027-01-12'))
  google.calls.length = 0
  // The previous sync must have ended earlier than this one starts.
  meridian.clock.ms += SECOND_MS
  const startMs = performance.now()
  const answer = syncNow()
  await waitFor(() => (google.calls.includes('readChanges') ? true : null))
  // The workers for slow syncs, which start from the beginning, have to wait as well.
  google.delayNext('readChanges', promise)
  expect((await answer).json()).toMatchObject({ is_running: true })
  expect(performance.now() - startMs).toBeLessThan(30_000)
  expect(await copy()).toEqual([])
  resolve()
  await waitUntilCalendarJobsFinish(meridian)
  expect(await copy()).toHaveLength(1)
})

test('a failing account is shown with the provider’s message', async () => {
  google.failNext(
    'readChanges',
    new CalendarProviderError('forbidden', 'This calendar is not shared any more.'),
  )
  const answer = await syncNow()
  expectRefusal(answer, 'external_calendar.sync_failed')
  expect(answer.json().errors).toEqual([
    { path: 'provider', message: `${account}@example.com: This calendar is not shared any more.` },
  ])
})

test('a new calendar of the account is listed after Sync Now', async () => {
  google.addCalendar(account, { externalId: `${account} new`, name: 'New' })
  const { connections } = (await syncNow()).json().external_calendars
  expect(connections[0].calendars.map(({ name }: { name: string }) => name)).toContain('New')
})

test('an owner without external calendars gets a refusal', async () => {
  const owner = await makeOwner(meridian)
  const { id } = await makeCalendar(meridian, owner)
  const answer = await owner.post(`/api/calendars/${id}/external-calendars/sync`)
  expectRefusal(answer, 'external_calendar.nothing_to_sync')
})

test('only the owner can read the events with their titles, for at most 62 days', async () => {
  google.put(account, { title: 'Secret dinner', ...event('2027-01-13') })
  google.put(account, {
    title: 'Holiday',
    startsAt: '2027-01-14T00:00:00Z',
    endsAt: '2027-01-15T00:00:00Z',
    isAllDay: true,
  })
  google.put(account, { title: 'Much later', ...event('2027-06-01') })
  await syncNow()
  const [calendar] = (await readExternalCalendars(meridian, connected)).connections[0]?.calendars ?? []
  const list = (query: string, cookie: string | undefined = connected.owner.cookie) =>
    meridian.as({ cookie }).get(`/api/calendars/${connected.calendarId}/external-events?${query}`)
  expect((await list('from=2027-01-11T00:00:00Z&until=2027-01-18T00:00:00Z')).json()).toEqual({
    events: [
      {
        external_calendar_id: calendar?.id,
        calendar_name: account,
        title: 'Secret dinner',
        color: '#336699',
        starts_at: '2027-01-13T09:00:00.000Z',
        ends_at: '2027-01-13T10:00:00.000Z',
        is_all_day: false,
      },
      expect.objectContaining({ title: 'Holiday', is_all_day: true }),
    ],
  })
  expectRefusal(
    await list('from=2027-01-11T00:00:00Z&until=2027-04-18T00:00:00Z'),
    'external_calendar.range_invalid',
  )
  expectRefusal(
    await list('from=2027-01-11T00:00:00Z&until=2027-01-11T00:00:00Z'),
    'external_calendar.range_invalid',
  )
  const stranger = await makeOwner(meridian)
  const range = 'from=2027-01-11T00:00:00Z&until=2027-01-18T00:00:00Z'
  expectRefusal(await list(range, stranger.cookie), 'calendar.forbidden')
})

function copy(): Promise<string[]> {
  return listStoredBusyTimes(meridian, connected.externalCalendarId)
}

function event(date: string) {
  return { startsAt: `${date}T09:00:00Z`, endsAt: `${date}T10:00:00Z` }
}

function syncNow() {
  return meridian.as(connected.owner).post(`/api/calendars/${connected.calendarId}/external-calendars/sync`)
}
