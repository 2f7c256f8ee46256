import { beforeEach, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { APPOINTMENT_EVENT_JOB } from '#server/records/appointments/event-job.ts'
import { waitUntilJobsFinish } from '#tests/support/connected-calendar.ts'
import { makeFakeCalendarProvider, PROVIDER_UNAVAILABLE } from '#tests/support/fake-calendar-provider.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import {
  type CalendarWritingEvents,
  connectAccountToWriteTo,
  runEventSweep,
  waitUntilEventsWritten,
} from '#tests/support/written-calendar.ts'
import { acquireEventLease } from './event-lease-repository.ts'
import { acquireWriteLeaseForSweep } from './write-lease-repository.ts'
import { writePendingEvents } from './write-pending-events.ts'
import { writeQueuedEvents } from './write-under-lease.ts'

type Account = { readonly calendar: Calendar; readonly written: CalendarWritingEvents }

const fake = makeFakeCalendarProvider({ connectsBy: 'password' })
/** For each external calendar, a promise that its server waits for before it responds. */
const gates = new Map<string, Promise<void>>()
/** The external calendar and start of each event that was created, in order. */
const created: { externalId: string; startMs: number }[] = []
/** For each external calendar, the number of running writes, and the highest such number. */
const underWay = new Map<string, number>()
const mostUnderWay = new Map<string, number>()
let isAway = false

let slow: Account
let quick: Account
let accounts = 0

setUpMeridian({
  env: { DEFAULT_PLAN: 'enterprise' },
  calendarProviders: { caldav: { ...fake, events: watchEvents() } },
})
beforeEach(async () => {
  gates.clear()
  isAway = false
  slow = await connect()
  quick = await connect()
  created.length = 0
})

const HALF_HOUR_MS = 1_800_000
const NINE_MS = Date.parse('2027-01-04T09:00:00Z')

test('a slow server has one write at a time and does not block other accounts', async () => {
  const goOn = slowDown(slow)
  await bookMany(slow, 6)
  await waitUntil(async () => (await countTurnedAway(slow)) === 5)
  await bookMany(quick, 2)
  await waitUntilEventsWritten(meridian, quick.calendar)
  await runEventSweep(meridian)
  const { externalId } = slow.written
  expect(underWay.get(externalId)).toBe(1)
  goOn()
  await waitUntilEventsWritten(meridian, slow.calendar)
  expect(mostUnderWay.get(externalId)).toBe(1)
  // Each was created exactly once.
  expect(listStarts(slow).toSorted()).toEqual(Array.from({ length: 6 }, (_, i) => NINE_MS + i * HALF_HOUR_MS))
})

test('a write that arrives at the end of another’s lease is made at once by its own job', async () => {
  const { connectionId } = quick.written
  const lease = await acquireWriteLeaseForSweep(
    meridian.database.db,
    connectionId,
    new Date(meridian.clock.ms),
  )
  if (lease === null) throw new Error('somebody else has the lease')
  await bookMany(quick, 2)
  await waitUntil(async () => (await countTurnedAway(quick)) === 2)
  expect(created).toEqual([])
  await writeQueuedEvents(meridian.deps, lease, { findNext: async () => null, leaseUseMs: 0 })
  await waitUntilEventsWritten(meridian, quick.calendar)
  expect(listStarts(quick).toSorted()).toEqual([NINE_MS, NINE_MS + HALF_HOUR_MS])
})

test('a killed process blocks its account and its event for two minutes, and no write is lost', async () => {
  const { db } = meridian.database
  await acquireWriteLeaseForSweep(db, quick.written.connectionId, new Date(meridian.clock.ms))
  const [id = ''] = await bookMany(quick, 2)
  await waitUntil(async () => (await countTurnedAway(quick)) === 2)
  await acquireEventLease(db, { calendarId: quick.calendar.id, id }, new Date(meridian.clock.ms))
  meridian.clock.ms += 119_000
  await runEventSweep(meridian)
  expect(created).toEqual([])
  meridian.clock.ms += 1_000
  await runEventSweep(meridian)
  expect(listStarts(quick)).toEqual([NINE_MS, NINE_MS + HALF_HOUR_MS])
})

test('the sweep starts with the account that has waited longest', async () => {
  isAway = true
  await bookMany(slow, 3)
  await bookMany(quick, 3)
  await waitUntilJobsFinish(meridian, [APPOINTMENT_EVENT_JOB.name])
  isAway = false
  meridian.clock.ms += 600_000
  await writePendingEvents(meridian.deps, { leaseUseMs: 0 })
  const order = created.map(({ externalId }) => externalId)
  const [one, other] = order
  expect(order).toEqual([one, other, one, other, one, other])
  for (const account of [slow, quick]) {
    expect(listStarts(account)).toEqual([0, 1, 2].map((i) => NINE_MS + i * HALF_HOUR_MS))
  }
})

/** Wraps the fake's events, so that their responses wait for the gates. */
function watchEvents() {
  const { events } = fake
  if (events === null) throw new Error('it writes no events')
  const create: typeof events.create = async (access, externalId, appointment) => {
    const count = (underWay.get(externalId) ?? 0) + 1
    underWay.set(externalId, count)
    mostUnderWay.set(externalId, Math.max(mostUnderWay.get(externalId) ?? 0, count))
    try {
      await gates.get(externalId)
      if (isAway) throw PROVIDER_UNAVAILABLE
      meridian.clock.ms += 1
      created.push({ externalId, startMs: appointment.startMs })
      return await events.create(access, externalId, appointment)
    } finally {
      underWay.set(externalId, (underWay.get(externalId) ?? 0) - 1)
    }
  }
  return { ...events, create }
}

/** Creates a calendar of a new owner that writes to its own account. */
async function connect(): Promise<Account> {
  const owner = await makeOwner(meridian)
  const calendar = await makeCalendar(meridian, owner)
  return { calendar, written: await connectAccountToWriteTo(meridian, owner, calendar, `ada-${++accounts}`) }
}

/** Makes the server of an account stop responding until the returned function is called. */
function slowDown({ written }: Account): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  gates.set(written.externalId, promise)
  return () => {
    gates.clear()
    resolve()
  }
}

/** Books consecutive half hours. Returns the ids of the appointments. */
async function bookMany({ calendar }: Account, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i += 1) {
    // Book them at different times, so that their order is defined.
    meridian.clock.ms += 1
    const starts_at = new Date(NINE_MS + i * HALF_HOUR_MS).toISOString()
    const answer = await bookAppointment(meridian, calendar.slug, { starts_at })
    expect(answer.statusCode, answer.body).toBe(201)
    ids.push(answer.json().id)
  }
  return ids
}

async function countTurnedAway({ written }: Account): Promise<number> {
  const { rows } = await meridian.database.execute(
    'select count(*)::integer as count from awaited_event_turns where connection_id = $1',
    [written.connectionId],
  )
  return Number(rows[0]?.count)
}

function listStarts({ written }: Account): number[] {
  return created.filter(({ externalId }) => externalId === written.externalId).map(({ startMs }) => startMs)
}
