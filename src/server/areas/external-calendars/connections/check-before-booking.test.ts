import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import {
  type CalendarProvider,
  CalendarProviderError,
  ResponseTooLargeError,
} from '#server/ports/external-calendar.ts'
import {
  type ConnectedOwner,
  listStoredBusyTimes,
  makeConnectedOwner,
  readExternalCalendars,
  waitUntilCalendarJobsFinish,
} from '#tests/support/connected-calendar.ts'
import { makeFakeCalendarProvider } from '#tests/support/fake-calendar-provider.ts'
import { makeCalendar, makeOwner, startMeridian, type TestMeridian } from '#tests/support/meridian.ts'
import { recordStatements } from '#tests/support/record-statements.ts'
import { addAppointment } from '#tests/support/stored-rows.ts'
import { markBusyTimeAsAppointment } from './busy-repository.ts'
import { buildCheckBeforeBooking, type TimeToQuery } from './check-before-booking.ts'
import { syncConnection } from './sync-use-cases.ts'

let meridian: TestMeridian
let connected: ConnectedOwner & { readonly slug: string }
let account: string
let accounts = 0
const google = makeFakeCalendarProvider({ hasPush: false })
const MINUTE_MS = 60_000
const recorder = recordStatements()

beforeAll(async () => {
  meridian = await startMeridian({
    calendarProviders: { google },
    env: { BUDGETS: `calendar_checks=${CHECKS}` },
  })
})
afterAll(async () => {
  await meridian.stop()
  recorder.stop()
})
beforeEach(async () => {
  accounts += 1
  account = `joan-${accounts}`
  connected = await makeConnectedOwner(meridian, account)
  google.put(account, event('08:00', '17:00', 'long'))
  await waitUntilCalendarJobsFinish(meridian)
  await syncConnection(meridian.deps, connected.connectionId)
  google.calls.length = 0
})

test('a fresh copy is used without asking the provider', async () => {
  google.put(account, event('18:00', '19:00'))
  meridian.clock.ms += MINUTE_MS
  await check('18:00', '19:00')
  expect(google.calls).toEqual([])
})

test('a new event makes its time busy, within the time of the booking only', async () => {
  google.put(account, event('18:00', '19:00'))
  await check('18:30', '20:00', { isStale: true })
  expect(google.calls).toContain('readBusyTimes')
  expect(await copy()).toEqual([time('08:00', '17:00'), time('18:30', '19:00')])
  // A second check finds no further differences.
  await check('18:30', '20:00', { isStale: true })
  expect(await copy()).toHaveLength(2)
  await syncAndFinish()
  expect(await copy()).toEqual([time('08:00', '17:00'), time('18:00', '19:00')])
})

test('a deleted event frees its time, within the time of the booking only', async () => {
  google.move(account, 'long', at('12:00'), at('17:00'))
  await check('10:00', '11:00', { isStale: true })
  expect(await copy()).toEqual([time('08:00', '10:00'), time('11:00', '17:00')])
  await syncAndFinish()
  expect(await copy()).toEqual([time('12:00', '17:00')])
})

test('the next sync also removes what an earlier check had added', async () => {
  const id = google.put(account, event('18:00', '20:00'))
  await check('17:30', '20:30', { isStale: true })
  google.drop(account, id)
  await check('18:00', '19:00', { isStale: true })
  expect(await copy()).toEqual([time('08:00', '17:00'), time('19:00', '20:00')])
  await syncAndFinish()
  expect(await copy()).toEqual([time('08:00', '17:00')])
})

test('an event that covers the whole booking is kept unchanged', async () => {
  await check('10:00', '11:00', { isStale: true })
  expect(await copy()).toEqual([time('08:00', '17:00')])
})

test('an event that Meridian wrote is busy for other calendars and not for its own', async () => {
  google.put(account, event('18:00', '19:00', 'ours'))
  google.put(account, event('18:30', '19:30'))
  await writeEvent('ours', '18:00', '19:00')
  await check('18:00', '20:00', { isStale: true })
  expect(await copy()).toEqual([time('08:00', '17:00'), time('18:30', '19:30')])
  expect(await listHeld()).toEqual([`${connected.calendarId} ${time('18:00', '19:00')}`])
})

test('a check does not change what a sync stored about Meridian’s events and copies of them', async () => {
  const other = await makeCalendar(meridian, connected.owner)
  const ofOther = await addAppointment(meridian, other.id, { startsAt: at('18:00'), minutes: 60 })
  const stranger = await makeCalendar(meridian, await makeOwner(meridian))
  const ofStranger = await addAppointment(meridian, stranger.id, { startsAt: at('20:00') })
  await writeEvent('written here', '19:00', '20:00')
  google.put(account, event('19:00', '20:00', 'written here'))
  google.put(account, { ...event('18:00', '19:00'), appointmentId: ofOther })
  // The owner has imported the calendar file of an email about an appointment with another owner.
  google.put(account, { ...event('20:00', '21:00'), appointmentId: ofStranger })
  google.put(account, { ...event('20:30', '22:00'), appointmentId: randomUUID() })
  const asSynced = async () => ({ others: await copy(), held: await listHeld() })
  await syncAndFinish()
  const before = await asSynced()
  expect(before.others).toEqual([time('08:00', '17:00'), time('20:00', '21:00'), time('20:30', '22:00')])
  expect(before.held).toEqual(
    [`${other.id} ${time('18:00', '19:00')}`, `${connected.calendarId} ${time('19:00', '20:00')}`].sort(),
  )
  google.calls.length = 0
  await check('17:30', '23:00', { isStale: true })
  expect(google.calls).toContain('readBusyTimes')
  expect(await asSynced()).toEqual(before)
  // Deleting the copy and reading the calendar again gives the same times.
  await meridian.database.execute('delete from external_busy_times')
  await check('00:00', '23:00', { isStale: true })
  expect(await asSynced()).toEqual(before)
})

test('an appointment of one calendar does not hide another calendar’s appointment at the same time', async () => {
  const [first, second] = [
    await makeCalendar(meridian, connected.owner),
    await makeCalendar(meridian, connected.owner),
  ]
  const put = async (id: string) =>
    google.put(account, {
      ...event('18:00', '19:00', `of ${id}`),
      appointmentId: await addAppointment(meridian, id, { startsAt: at('18:00'), minutes: 60 }),
    })
  await put(first.id)
  await syncAndFinish()
  await put(second.id)
  await check('18:00', '19:00', { isStale: true })
  expect(await listHeld()).toEqual([first, second].map(({ id }) => `${id} ${time('18:00', '19:00')}`).sort())
})

test('a wrong answer is corrected by the next sync, which reads everything', async () => {
  const empty: CalendarProvider = { ...google, readBusyTimes: async () => [] }
  await check('10:00', '11:00', { isStale: true, provider: empty })
  expect(await copy()).toEqual([time('08:00', '10:00'), time('11:00', '17:00')])
  await syncAndFinish()
  expect(await copy()).toEqual([time('08:00', '17:00')])
})

test('an event of Meridian that the owner moved is busy at its new time until its appointment has moved', async () => {
  google.put(account, event('20:00', '21:00', 'moved'))
  await writeEvent('moved', '06:00', '07:00')
  await check('20:00', '21:00', { isStale: true })
  expect(await copy()).toEqual([time('08:00', '17:00'), time('20:00', '21:00')])
  await markBusyTimeAsAppointment(meridian.database.db, {
    externalCalendarId: connected.externalCalendarId,
    eventId: 'moved',
    calendarId: connected.calendarId,
    time: { startMs: Date.parse(at('20:00')), endMs: Date.parse(at('21:00')) },
  })
  expect(await copy()).toEqual([time('08:00', '17:00')])
  expect(await listHeld()).toEqual([`${connected.calendarId} ${time('20:00', '21:00')}`])
})

test('a provider that does not answer delays a booking by two seconds at most, and the failure is recorded (cal#479, cal#2786)', async () => {
  google.delayNext('readBusyTimes', new Promise(() => {}))
  const startMs = performance.now()
  await check('18:00', '19:00', { isStale: true })
  expect(performance.now() - startMs).toBeGreaterThan(1_900)
  expect(performance.now() - startMs).toBeLessThan(3_500)
  const [connection] = (await readExternalCalendars(meridian, connected)).connections
  expect(connection).toMatchObject({ state: 'active', problem: 'The provider didn’t respond in time.' })
  expect(await isOffered('offer_nothing')).toBe(false)
  expect(await isOffered('trust_copy')).toBe(true)
  // Other customers who book within the next minute do not wait for the provider again.
  google.calls.length = 0
  meridian.clock.ms += MINUTE_MS - 1
  await check('18:00', '19:00')
  expect(google.calls).toEqual([])
  meridian.clock.ms += 2
  await check('18:00', '19:00')
  expect(google.calls).toEqual(['readBusyTimes'])
})

test.each([
  new CalendarProviderError('unavailable', 'Down.'),
  new CalendarProviderError('rate_limited', 'Slower.', { retryAfterMs: 60_000 }),
  new CalendarProviderError('forbidden', 'Not allowed.'),
])('a failure of kind $kind does not throw and does not change the copy', async (error) => {
  google.failNext('readBusyTimes', error)
  await check('10:00', '11:00', { isStale: true })
  expect(await copy()).toEqual([time('08:00', '17:00')])
  const [connection] = (await readExternalCalendars(meridian, connected)).connections
  expect(connection?.problem).toBe(error.message)
})

test('a calendar too large for a check uses the copy and is synced at once, without recording a failure', async () => {
  google.failNext('readBusyTimes', new ResponseTooLargeError('refused', 'The file is too large.'))
  const queued: unknown[] = []
  meridian.clock.ms += MINUTE_MS + 1
  await buildAsk({ onInsert: (job) => queued.push(job) })({ ...during('10:00', '11:00'), wanted: null })
  expect(queued).toEqual([['calendar-sync', connected.connectionId]])
  expect(await copy()).toEqual([time('08:00', '17:00')])
  const [connection] = (await readExternalCalendars(meridian, connected)).connections
  expect(connection?.problem).toBeNull()
})

test('too many busy times for a check use the copy and a sync as well', async () => {
  const startMs = Date.parse(at('18:00'))
  const occurrences = Array.from({ length: 2_001 }, (_, index) => {
    return { key: `${index}`, startMs: startMs + index, endMs: startMs + 60 * MINUTE_MS, isAllDay: false }
  })
  google.put(account, { ...event('18:00', '19:00'), occurrences })
  const queued: unknown[] = []
  meridian.clock.ms += MINUTE_MS + 1
  await buildAsk({ onInsert: (job) => queued.push(job) })({ ...during('18:00', '19:00'), wanted: null })
  expect(queued).toEqual([['calendar-sync', connected.connectionId]])
  expect(await copy()).toEqual([time('08:00', '17:00')])
})

test('a check respects the provider’s Retry-After, and so does the next sync', async () => {
  const hour = 60 * MINUTE_MS
  google.failNext(
    'readBusyTimes',
    new CalendarProviderError('rate_limited', 'Slower.', { retryAfterMs: hour }),
  )
  await check('10:00', '11:00', { isStale: true })
  const until = meridian.clock.ms + hour
  const [connection] = (await readExternalCalendars(meridian, connected)).connections
  expect(Date.parse(connection?.next_sync_at ?? '')).toBeGreaterThanOrEqual(until)
  google.calls.length = 0
  meridian.clock.ms = until - 1
  await check('10:00', '11:00')
  expect(google.calls).toEqual([])
  meridian.clock.ms = until
  await check('10:00', '11:00')
  expect(google.calls).toEqual(['readBusyTimes'])
})

test('a check respects a Retry-After that a sync received', async () => {
  const hour = 60 * MINUTE_MS
  google.failNext('readChanges', new CalendarProviderError('rate_limited', 'Slower.', { retryAfterMs: hour }))
  await syncConnection(meridian.deps, connected.connectionId)
  google.calls.length = 0
  await check('10:00', '11:00', { isStale: true })
  expect(google.calls).toEqual([])
})

test('a bug in an adapter does not prevent bookings', async () => {
  const broken: CalendarProvider = { ...google, readBusyTimes: () => Promise.reject(new TypeError('oops')) }
  await check('10:00', '11:00', { isStale: true, provider: broken })
  expect(meridian.logLines.some((line) => line.includes('oops'))).toBe(true)
})

test('an older answer does not remove what a running sync has stored', async () => {
  google.delayNext('readBusyTimes', Promise.resolve())
  await meridian.database.execute('update calendar_connections set claimed_until = $2 where id = $1', [
    connected.connectionId,
    new Date(meridian.clock.ms + 30 * MINUTE_MS),
  ])
  google.drop(account, 'long')
  google.put(account, event('18:00', '19:00'))
  await check('10:00', '19:00', { isStale: true })
  expect(await copy()).toEqual([time('08:00', '17:00'), time('18:00', '19:00')])
})

test('the adapter gets the busy times that syncs stored, not those that a check found', async () => {
  const asked: unknown[] = []
  const provider: CalendarProvider = {
    ...google,
    readBusyTimes: async (access, request) => {
      asked.push(request.calendars.map(({ copied }) => copied))
      return google.readBusyTimes(access, request)
    },
  }
  google.put(account, event('18:00', '19:00'))
  await check('16:00', '20:00', { isStale: true, provider })
  await check('16:00', '20:00', { isStale: true, provider })
  const long = { eventKey: 'long', startMs: Date.parse(at('08:00')), endMs: Date.parse(at('17:00')) }
  expect(asked).toEqual([[[long]], [[long]]])
})

test('what a sync stored during a check stays, even if the sync has ended', async () => {
  const provider: CalendarProvider = {
    ...google,
    readBusyTimes: async () => {
      await meridian.database.execute(
        `insert into external_busy_times (external_calendar_id, event_id, starts_at, ends_at, generation)
          values ($1, 'newer', $2, $3, 0)`,
        [connected.externalCalendarId, at('18:00'), at('19:00')],
      )
      return []
    },
  }
  await check('16:00', '20:00', { isStale: true, provider })
  expect(await copy()).toEqual([time('08:00', '17:00'), time('18:00', '19:00')])
})

test('a calendar without external calendars takes one statement', async () => {
  await meridian.database.execute('delete from used_external_calendars where calendar_id = $1', [
    connected.calendarId,
  ])
  const statements = await recorder.during(() => check('10:00', '11:00', { isStale: true }))
  expect(statements.filter(({ text }) => text.includes('calendar_connections'))).toHaveLength(1)
  expect(google.calls).toEqual([])
})

test('a bug in an adapter counts as no answer, and the check is not repeated for a minute', async () => {
  const broken: CalendarProvider = {
    ...google,
    readBusyTimes: () => {
      google.calls.push('readBusyTimes')
      return Promise.reject(new TypeError('oops'))
    },
  }
  await check('10:00', '11:00', { isStale: true, provider: broken })
  await check('10:00', '11:00', { provider: broken })
  expect(google.calls).toEqual(['readBusyTimes'])
})

describe('the same check', () => {
  test('is not repeated within a minute; a check of another time is made', async () => {
    await check('18:00', '20:00', { isStale: true })
    google.put(account, event('18:00', '19:00'))
    meridian.clock.ms += MINUTE_MS - 1
    await check('18:30', '20:00')
    expect(google.calls).toEqual(['readBusyTimes'])
    await check('18:30', '20:30')
    expect(google.calls).toEqual(['readBusyTimes', 'readBusyTimes'])
    meridian.clock.ms += MINUTE_MS + 1
    await check('18:30', '20:30')
    expect(google.calls).toHaveLength(3)
  })

  test('made twice at the same moment asks the provider once', async () => {
    meridian.clock.ms += MINUTE_MS + 1
    google.put(account, event('18:00', '19:00'))
    const { promise, resolve } = Promise.withResolvers<void>()
    google.delayNext('readBusyTimes', promise)
    const ask = buildAsk()
    let answered = 0
    const all = Array.from({ length: 20 }, async () => {
      await ask({ ...during('18:00', '20:00'), wanted: null })
      answered += 1
    })
    await expect.poll(() => google.calls, { timeout: 30_000 }).toEqual(['readBusyTimes'])
    expect(answered).toBe(0)
    resolve()
    await Promise.all(all)
    expect(google.calls).toEqual(['readBusyTimes'])
    expect(await copy()).toContain(time('18:00', '19:00'))
  })
})

describe('a customer', () => {
  /** Returns a start on a day for which the copy has no busy times. */
  const free = () => ({ slug: connected.slug, typeId: null, startsAtMs: Date.parse('2027-01-12T10:00:00Z') })

  test('who cannot book the time anyway causes no check', async () => {
    meridian.clock.ms += MINUTE_MS + 1
    const ask = buildAsk()
    const refused = [
      { ...free(), startsAtMs: Date.parse(at('10:00')) }, // The time is busy in our copy.
      { ...free(), startsAtMs: Date.parse('2027-01-12T18:00:00Z') }, // The time is outside the opening hours.
      { ...free(), startsAtMs: Date.parse('2027-01-12T10:07:00Z') }, // The time is not on the grid of start times.
      { ...free(), startsAtMs: Date.parse('2026-01-06T10:00:00Z') }, // The time is in the past.
      { ...free(), startsAtMs: Date.parse('2126-01-08T10:00:00Z') }, // The time is too far ahead.
      { ...free(), typeId: randomUUID() },
      { ...free(), slug: 'nobody' },
    ]
    for (const wanted of refused) await ask({ ...during('08:00', '23:00'), wanted })
    await setPaused(true)
    await ask({ ...during('08:00', '23:00'), wanted: free() })
    expect(google.calls).toEqual([])
    await setPaused(false)
    await ask({ ...during('08:00', '23:00'), wanted: free() })
    expect(google.calls).toEqual(['readBusyTimes'])
  })

  test('cannot use up the owner’s rate limit: beyond it, one sync answers', async () => {
    meridian.clock.ms += MINUTE_MS + 1
    const queued: unknown[] = []
    const ask = buildAsk({ onInsert: (job) => queued.push(job) })
    const startMs = Date.parse(at('17:00'))
    const question = (i: number) => ({
      calendar: { slug: connected.slug },
      during: { startMs: startMs + i * MINUTE_MS, endMs: startMs + (i + 1) * MINUTE_MS },
    })
    for (let i = 0; i < 50; i += 1) await ask({ ...question(i), wanted: free() })
    expect(google.calls).toHaveLength(CHECKS)
    expect(queued).toEqual([['calendar-sync', connected.connectionId]])
    // The rate limit for strangers does not apply to the owner.
    await ask({ ...question(99), wanted: null })
    expect(google.calls).toHaveLength(CHECKS + 1)
  })
})

/** Maximum number of checks that customers may cause in a minute. */
const CHECKS = 5

type Options = { readonly isStale?: boolean; readonly provider?: CalendarProvider }

async function check(from: string, until: string, { isStale = false, provider = google }: Options = {}) {
  if (isStale) meridian.clock.ms += MINUTE_MS + 1
  await buildAsk({ provider })({ ...during(from, until), wanted: null })
}

/**
 * Builds the check without the sync that it queues after a difference: the sync would finish before these tests read
 * the copy.
 */
function buildAsk({
  provider = google,
  onInsert = () => {},
}: {
  provider?: CalendarProvider
  onInsert?: (job: [string, unknown]) => void
} = {}) {
  const jobs: Pick<JobQueue, 'insert' | 'send'> = {
    insert: async (_trx, { name }, jobs) => {
      for (const job of jobs) onInsert([name, 'connectionId' in job ? job.connectionId : null])
    },
    send: async () => {},
  }
  return buildCheckBeforeBooking({ ...meridian.deps, jobs, calendarProviders: { google: provider } })
}

function during(from: string, until: string): Pick<TimeToQuery, 'calendar' | 'during'> {
  return {
    calendar: { id: connected.calendarId },
    during: { startMs: Date.parse(at(from)), endMs: Date.parse(at(until)) },
  }
}

async function syncAndFinish(): Promise<void> {
  meridian.clock.ms += 1
  await waitUntilCalendarJobsFinish(meridian)
  await syncConnection(meridian.deps, connected.connectionId)
}

async function isOffered(policy: string): Promise<boolean> {
  await meridian
    .as(connected.owner)
    .patch(`/api/calendars/${connected.calendarId}/external-calendars/settings`, { when_unchecked: policy })
  return !(await readExternalCalendars(meridian, connected)).offers_nothing
}

function copy(): Promise<string[]> {
  return listStoredBusyTimes(meridian, connected.externalCalendarId)
}

/** Lists the events of appointments in our copy, as sorted lines of calendar, start and end. */
async function listHeld(): Promise<string[]> {
  const rows = await meridian.database.db
    .selectFrom('external_busy_times')
    .select(['starts_at', 'ends_at', 'appointment_calendar_id'])
    .where('external_calendar_id', '=', connected.externalCalendarId)
    .where('appointment_calendar_id', 'is not', null)
    .execute()
  return rows
    .map(
      (row) => `${row.appointment_calendar_id} ${row.starts_at.toISOString()} ${row.ends_at.toISOString()}`,
    )
    .sort()
}

function at(clock: string): string {
  return `2027-01-11T${clock}:00.000Z`
}

function event(from: string, until: string, id?: string) {
  return { ...(id === undefined ? {} : { id }), startsAt: at(from), endsAt: at(until) }
}

function time(from: string, until: string): string {
  return `${at(from)} ${at(until)}`
}

async function writeEvent(eventRef: string, from: string, until: string): Promise<void> {
  const appointment_id = await addAppointment(meridian, connected.calendarId, { startsAt: at(from) })
  await meridian.database.db
    .insertInto('appointment_events')
    .values({
      calendar_id: connected.calendarId,
      appointment_id,
      external_calendar_id: connected.externalCalendarId,
      event_ref: eventRef,
      etag: null,
      starts_at: new Date(at(from)),
      ends_at: new Date(at(until)),
      content_hash: 'hash',
      written_at: new Date(meridian.clock.ms),
    })
    .execute()
}

async function setPaused(isPaused: boolean): Promise<void> {
  const setting = [connected.calendarId, isPaused]
  await meridian.database.execute('update calendars set is_paused = $2 where id = $1', setting)
}
