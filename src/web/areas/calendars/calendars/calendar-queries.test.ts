import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CALENDAR_ID, makeCalendar, OWNER_ID } from '#web/testing/make-records.ts'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { calendarQuery, calendarsQuery, filterOwnCalendars } from './calendar-queries.ts'

const LIST = 'GET /api/calendars'
const ONE = `GET /api/calendars/${CALENDAR_ID}`
const MINUTE_MS = 60_000

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe.each([
  [
    'the list',
    LIST,
    { calendars: [] },
    5,
    (client: QueryClient) => client.fetchQuery(calendarsQuery(OWNER_ID)),
  ],
  [
    'one calendar',
    ONE,
    makeCalendar(),
    10,
    (client: QueryClient) => client.fetchQuery(calendarQuery(OWNER_ID, CALENDAR_ID)),
  ],
] as const)('%s', (_name, key, answer, freshMinutes, fetchIt) => {
  test(`it is not asked again for ${freshMinutes} minutes`, async () => {
    const api = stubApi({ [key]: answer })
    const client = new QueryClient()
    await fetchIt(client)
    await vi.advanceTimersByTimeAsync(freshMinutes * MINUTE_MS - 1)
    await fetchIt(client)
    expect(api.sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    await fetchIt(client)
    expect(api.sent).toHaveLength(2)
    client.clear()
  })

  test('a server error is retried once', async () => {
    const api = stubApi({ [key]: errorResponse('server.unexpected') })
    const asked = expect(fetchIt(new QueryClient())).rejects.toThrow('Something went wrong')
    await vi.runAllTimersAsync()
    await asked
    expect(api.sent).toHaveLength(2)
  })

  test('a refusal is not retried', async () => {
    const api = stubApi({ [key]: errorResponse('calendar.forbidden') })
    await expect(fetchIt(new QueryClient())).rejects.toThrow("You don't have permission")
    expect(api.sent).toHaveLength(1)
  })
})

test('one calendar is kept for 30 minutes after it was last shown', async () => {
  stubApi({ [ONE]: makeCalendar() })
  const client = new QueryClient()
  const query = calendarQuery(OWNER_ID, CALENDAR_ID)
  await client.fetchQuery(query)
  await vi.advanceTimersByTimeAsync(30 * MINUTE_MS - 1)
  expect(client.getQueryData(query.queryKey)).toEqual(makeCalendar())
  await vi.advanceTimersByTimeAsync(2)
  expect(client.getQueryData(query.queryKey)).toBeUndefined()
})

test('calendars of other users are filtered out with a warning', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const own = makeCalendar()
  const foreign = makeCalendar({ user_id: '00000000-0000-4000-8000-000000000002' })
  expect(filterOwnCalendars([foreign, own], OWNER_ID)).toEqual([own])
  expect(warn).toHaveBeenCalledTimes(1)
})

test('a list with only the own calendars causes no warning', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const calendars = [makeCalendar(), makeCalendar({ id: '00000000-0000-4000-8000-000000000102' })]
  expect(filterOwnCalendars(calendars, OWNER_ID)).toEqual(calendars)
  expect(warn).not.toHaveBeenCalled()
})
