import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { LIMITS } from '#contract/shared/limits.ts'
import { FakeBookingApi, makeBookingPageData } from '#tests/support/fake-booking-api.ts'
import { DAYS_PER_SEARCH } from './next-free-day.tsx'
import { type AvailableTimesRequest, dayAvailabilityQuery, timesOfDayQuery } from './times-queries.ts'

const MONDAY_MORNING = '2026-11-30T09:00:00Z'
const MONDAY_EVENING = '2026-11-30T19:00:00Z'
const TUESDAY_MORNING = '2026-12-01T09:00:00Z'

let api: FakeBookingApi
let client: QueryClient

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T10:00:00Z'), toFake: ['Date'] })
  api = new FakeBookingApi()
  api.page = makeBookingPageData()
  api.times = [MONDAY_MORNING, MONDAY_EVENING, TUESDAY_MORNING]
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  vi.stubGlobal('fetch', api.fetch)
})
afterEach(() => {
  client.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the marks of days', () => {
  test('are one request, which names the zone they are shown in', async () => {
    expect(await client.fetchQuery(marks('Europe/London'))).toEqual({
      '2026-11-29': 'full',
      '2026-11-30': 'free',
      '2026-12-01': 'free',
      '2026-12-02': 'full',
    })
    expect(api.paths).toEqual([
      '/api/public/calendars/dr-grey/days?from=2026-11-29&to=2026-12-02&appointment_type_id=a-type&time_zone=Europe%2FLondon',
    ])
  })

  test("in Kathmandu Monday evening is Tuesday's, and no free day is called full", async () => {
    api.times = [MONDAY_EVENING]
    expect(await client.fetchQuery(marks('Asia/Kathmandu'))).toEqual({
      '2026-11-29': 'full',
      '2026-11-30': 'full',
      '2026-12-01': 'free',
      '2026-12-02': 'full',
    })
    expect(api.paths).toHaveLength(1)
  })
})

describe('the times of a day', () => {
  test("are the visitor's day, in order", async () => {
    const { slots: times } = await client.fetchQuery(
      timesOfDayQuery(timesRequest('Asia/Kathmandu'), '2026-12-01'),
    )
    expect(times.map(({ starts_at }) => starts_at)).toEqual([MONDAY_EVENING, TUESDAY_MORNING])
    expect(api.countOf('/slots')).toBe(1)
  })

  test('are fresh for 60 seconds', async () => {
    const query = timesOfDayQuery(timesRequest('Europe/London'), '2026-11-30')
    await client.fetchQuery(query)
    vi.setSystemTime(Date.now() + 59_000)
    await client.fetchQuery(query)
    expect(api.countOf('/slots')).toBe(1)
    vi.setSystemTime(Date.now() + 2_000)
    await client.fetchQuery(query)
    expect(api.countOf('/slots')).toBe(2)
  })

  test('are asked for again every 5 minutes while they are shown', () => {
    expect(timesOfDayQuery(timesRequest('Europe/London'), '2026-11-30').refetchInterval).toBe(300_000)
  })

  test('without a type are asked for without one', async () => {
    await client.fetchQuery(timesOfDayQuery({ ...timesRequest('Europe/London'), typeId: null }, '2026-11-30'))
    expect(api.paths).toEqual([
      '/api/public/calendars/dr-grey/slots?date=2026-11-30&time_zone=Europe%2FLondon',
    ])
  })
})

test('a search for a free day asks for as many days as the server counts', () => {
  expect(DAYS_PER_SEARCH).toBe(LIMITS.daysRange)
})

function marks(shownZone: string) {
  return dayAvailabilityQuery(timesRequest(shownZone), '2026-11-29', '2026-12-02')
}

function timesRequest(shownZone: string): AvailableTimesRequest {
  return { slug: 'dr-grey', typeId: 'a-type', shownZone, hourCycle: 'h12', until: null }
}
