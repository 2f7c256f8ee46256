import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FakeBookingApi, makePageData, refusal } from '#tests/support/fake-booking-api.ts'
import { dayMarksQuery, dayTimesQuery, type TimesQuestion } from './times-queries.ts'

const MONDAY_MORNING = '2026-11-30T09:00:00Z'
const MONDAY_EVENING = '2026-11-30T19:00:00Z'
const TUESDAY_MORNING = '2026-12-01T09:00:00Z'
const WEEK = ['2026-11-29', '2026-11-30', '2026-12-01', '2026-12-02', '2026-12-03']

let api: FakeBookingApi
let client: QueryClient

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T10:00:00Z'), toFake: ['Date'] })
  api = new FakeBookingApi()
  api.page = makePageData()
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
  test("in the calendar's zone are one request", async () => {
    expect(await client.fetchQuery(dayMarksQuery(question('Europe/London'), WEEK))).toEqual({
      '2026-11-29': 'full',
      '2026-11-30': 'free',
      '2026-12-01': 'free',
      '2026-12-02': 'full',
      '2026-12-03': 'full',
    })
    expect(api.paths).toEqual([
      '/api/public/calendars/dr-grey/days?from=2026-11-29&to=2026-12-03&appointment_type_id=a-type',
    ])
  })

  test("in Kathmandu Monday evening is Tuesday's, and no free day is called full", async () => {
    api.times = [MONDAY_EVENING]
    expect(await client.fetchQuery(dayMarksQuery(question('Asia/Kathmandu'), WEEK))).toEqual({
      '2026-11-29': 'full',
      '2026-11-30': 'full',
      '2026-12-01': 'free',
      '2026-12-02': 'full',
      '2026-12-03': 'full',
    })
  })

  test("in St. John's a time after midnight in London is the evening before", async () => {
    api.times = ['2026-12-01T02:00:00Z']
    const marks = await client.fetchQuery(dayMarksQuery(question('America/St_Johns'), WEEK))
    expect(marks['2026-11-30']).toBe('free')
    expect(marks['2026-12-01']).toBe('full')
  })

  test('a day that could not be read has no mark', async () => {
    api.overrides.set('/api/public/calendars/dr-grey/slots', refusal('server.unavailable'))
    const marks = await client.fetchQuery(dayMarksQuery(question('Asia/Kathmandu'), WEEK))
    expect(marks).toEqual({ '2026-11-29': 'full', '2026-12-03': 'full' })
  })

  test('reading the marks in another zone means that choosing a day needs no request', async () => {
    await client.fetchQuery(dayMarksQuery(question('Asia/Kathmandu'), WEEK))
    const before = api.paths.length
    const times = await client.fetchQuery(dayTimesQuery(question('Asia/Kathmandu'), '2026-11-30'))
    expect(times.map(({ starts_at }) => starts_at)).toEqual([MONDAY_MORNING])
    expect(api.paths.length).toBe(before)
  })
})

describe('the times of a day', () => {
  test("of the visitor are gathered from both of the calendar's days, in order", async () => {
    const times = await client.fetchQuery(dayTimesQuery(question('Asia/Kathmandu'), '2026-12-01'))
    expect(times.map(({ starts_at }) => starts_at)).toEqual([MONDAY_EVENING, TUESDAY_MORNING])
    expect(api.countOf('/slots')).toBe(2)
  })

  test('are fresh for 60 seconds', async () => {
    const query = dayTimesQuery(question('Europe/London'), '2026-11-30')
    await client.fetchQuery(query)
    vi.setSystemTime(Date.now() + 59_000)
    await client.fetchQuery(query)
    expect(api.countOf('/slots')).toBe(1)
    vi.setSystemTime(Date.now() + 2_000)
    await client.fetchQuery(query)
    expect(api.countOf('/slots')).toBe(2)
  })

  test('are asked for again every 5 minutes while they are shown', () => {
    expect(dayTimesQuery(question('Europe/London'), '2026-11-30').refetchInterval).toBe(300_000)
  })

  test('without a type are asked for without one', async () => {
    await client.fetchQuery(dayTimesQuery({ ...question('Europe/London'), typeId: null }, '2026-11-30'))
    expect(api.paths).toEqual(['/api/public/calendars/dr-grey/slots?date=2026-11-30'])
  })
})

function question(shownZone: string): TimesQuestion {
  return { slug: 'dr-grey', typeId: 'a-type', shownZone, calendarZone: 'Europe/London' }
}
