import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { writeEventUnderLease } from '#server/areas/external-calendars/events/write-under-lease.ts'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import { type FakeCalendarProvider, makeFakeCalendarProvider } from '#tests/support/fake-calendar-provider.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { testOnEachDatabaseSetup } from '#tests/support/on-each-track.ts'
import { queryNumber, waitUntil, waitUntilEmailsSent } from '#tests/support/race-track.ts'
import {
  buildSyncRunner,
  type CalendarWritingEvents,
  connectAccountToWriteTo,
  type RunSync,
  runEventSweep,
  waitUntilEventsWritten,
} from '#tests/support/written-calendar.ts'

const NINE = '2027-01-05T09:00:00Z'
const TEN = '2027-01-05T10:00:00Z'
const ELEVEN = '2027-01-05T11:00:00Z'

testOnEachDatabaseSetup(({ start }) => {
  let provider: FakeCalendarProvider
  let meridian: TestMeridian
  let owner: TestOwner
  let calendar: Calendar
  let written: CalendarWritingEvents
  let sync: RunSync
  let accounts = 0

  beforeAll(async () => {
    provider = makeFakeCalendarProvider({ connectsBy: 'password' })
    meridian = await start({ calendarProviders: { caldav: provider } })
    owner = await makeOwner(meridian, { tier: 'business' })
  })
  afterAll(() => meridian.stop())
  beforeEach(async () => {
    calendar = await makeCalendar(meridian, owner)
    written = await connectAccountToWriteTo(meridian, owner, calendar, `ada-${++accounts}`)
    sync = await buildSyncRunner(meridian, provider, written)
    provider.calls.length = 0
  })

  test('an appointment that is cancelled while its event is created has none in the end', async () => {
    const goOn = delay('create')
    const { id } = (await bookAppointment(meridian, calendar.slug, { starts_at: NINE })).json()
    await waitUntil(async () => provider.calls.includes('create'))
    await act(id, 'cancel')
    await finishJobs(id, 1)
    goOn()
    await waitUntilEventsWritten(meridian, calendar)
    expect(provider.list(written.externalId)).toEqual([])
    const stored = 'select count(*) from appointment_events where appointment_id = $1'
    expect(await queryNumber(meridian.database, stored, [id])).toBe(0)
    await waitUntilEmailsSent(meridian.database)
  })

  test('an appointment that is moved again while its first move is written stands at its second time, here and there', async () => {
    const { id } = (await bookAppointment(meridian, calendar.slug, { starts_at: NINE })).json()
    await waitUntilEventsWritten(meridian, calendar)
    await finishJobs(id, 1)
    const goOn = delay('update')
    await move(id, NINE, TEN)
    await waitUntil(async () => provider.calls.includes('update'))
    await move(id, TEN, ELEVEN)
    await finishJobs(id, 2)
    goOn()
    await finishJobs(id, 3)
    await waitUntilEventsWritten(meridian, calendar)
    await sync()
    expect(listStarts()).toEqual([Date.parse(ELEVEN)])
    const atEleven = `select count(*) from appointments join appointment_events as written on appointment_id = id
      where id = $1 and appointments.starts_at = $2 and written.starts_at = $2`
    expect(await queryNumber(meridian.database, atEleven, [id, ELEVEN])).toBe(1)
    await waitUntilEmailsSent(meridian.database)
  })

  test('an event that failed by itself waits its minute, however many want to write it at that moment', async () => {
    const forbidden = new CalendarProviderError('forbidden', 'Not this one.')
    const goOn = delay('create')
    provider.failNext('create', forbidden)
    const { id } = (await bookAppointment(meridian, calendar.slug, { starts_at: NINE })).json()
    await waitUntil(async () => provider.calls.includes('create'))
    const isPaused =
      'select count(*) from event_writes where appointment_id = $1 and paused_until is not null'
    let isOver = false
    const runners = Array.from({ length: 8 }, async (_, i) => {
      while (!isOver) {
        if (i % 4 === 0) await runEventSweep(meridian)
        else await writeEventUnderLease(meridian.deps, { calendarId: calendar.id, id })
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    })
    goOn()
    try {
      await waitUntil(async () => (await queryNumber(meridian.database, isPaused, [id])) === 1)
      await new Promise((resolve) => setTimeout(resolve, 100))
    } finally {
      isOver = true
      await Promise.all(runners)
    }
    expect(provider.calls.filter((call) => call === 'create')).toHaveLength(1)
    meridian.clock.ms += 60_001
    // Repeats the sweep, because it skips an account while another process writes to it. Meridian runs one every minute.
    await waitUntil(async () => {
      await runEventSweep(meridian)
      return listStarts().length === 1
    })
    await waitUntilEmailsSent(meridian.database)
  })

  test('an appointment that is moved while its event is created stands at its new time there', async () => {
    const goOn = delay('create')
    const { id } = (await bookAppointment(meridian, calendar.slug, { starts_at: NINE })).json()
    await waitUntil(async () => provider.calls.includes('create'))
    await move(id, NINE, TEN)
    await finishJobs(id, 1)
    goOn()
    await finishJobs(id, 2)
    await waitUntilEventsWritten(meridian, calendar)
    expect(listStarts()).toEqual([Date.parse(TEN)])
    await waitUntilEmailsSent(meridian.database)
  })

  /** Delays the next request of this kind until the returned function is called. */
  function delay(call: 'create' | 'update'): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    provider.delayNext(call, promise)
    return resolve
  }

  /** Waits until this many writes of an appointment's event have ended. */
  function finishJobs(id: string, count: number): Promise<void> {
    const ended = `select count(*) from pgboss.job
      where name = 'appointment-event' and state = 'completed' and data ->> 'id' = $1`
    return waitUntil(async () => (await queryNumber(meridian.database, ended, [id])) >= count)
  }

  function listStarts(): (number | undefined)[] {
    return provider.list(written.externalId).map(({ occurrences: [time] }) => time?.startMs)
  }

  async function move(id: string, from: string, to: string): Promise<void> {
    const answer = await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/move`, {
      starts_at: to,
      expected_starts_at: from,
    })
    expect(answer.statusCode, answer.body).toBe(200)
  }

  async function act(id: string, action: string): Promise<void> {
    const answer = await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/actions`, { action })
    expect(answer.statusCode, answer.body).toBe(200)
  }
})
