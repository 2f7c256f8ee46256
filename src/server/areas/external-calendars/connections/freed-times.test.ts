import { beforeEach, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { WAITING_SWEEP_JOB } from '#server/areas/waiting-list/job-definitions.ts'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import { makeConnectedOwner, waitUntilCalendarJobsFinish } from '#tests/support/connected-calendar.ts'
import { makeFakeCalendarProvider } from '#tests/support/fake-calendar-provider.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeCalendar } from '#tests/support/meridian.ts'
import { queryNumber, queryRows, waitUntil } from '#tests/support/race-track.ts'
import { joinWaitingListAndConfirm, waitForOffer } from '#tests/support/waiting.ts'
import { syncConnection } from './sync-use-cases.ts'

let connected: Awaited<ReturnType<typeof makeConnectedOwner>>
let account: string
let email: string
let eventId: string
let accounts = 0
const google = makeFakeCalendarProvider({ hasPush: false })

/** A time that becomes free in an external calendar is offered to customers on the waiting list. Source: rule Z3. */
setUpMeridian({ env: { DEFAULT_PLAN: 'enterprise' }, calendarProviders: { google } })
beforeEach(async () => {
  accounts += 1
  account = `mary-${accounts}`
  email = `waits-for-${account}@example.com`
  connected = await makeConnectedOwner(meridian, account)
  await waitUntilCalendarJobsFinish(meridian)
  await openOneHalfHour()
  eventId = google.put(account, { startsAt: '2027-01-05T09:00:00Z', endsAt: '2027-01-05T12:00:00Z' })
  await syncConnection(meridian.deps, connected.connectionId)
  await joinWaitingListAndConfirm(meridian, connected.slug, { email, to_date: '2027-01-10' })
  await finishLooks()
  expect(offers()).toEqual([])
})

test('a time is offered to the waiting list when its event is deleted', async () => {
  google.drop(account, eventId)
  await syncConnection(meridian.deps, connected.connectionId)
  expect((await waitForOffer(meridian, email)).text).toContain('10:00 AM')
})

test('a time is offered when the account in which it was taken is disconnected', async () => {
  await disconnect()
  expect((await waitForOffer(meridian, email)).text).toContain('10:00 AM')
})

describe('on another calendar of the person (rule G31)', () => {
  let elsewhere: string
  let other: Calendar

  beforeEach(async () => {
    const { owner, personName } = connected
    other = await makeCalendar(meridian, owner, { person_name: personName })
    elsewhere = `elsewhere-${account}@example.com`
    // Use a different half hour from that on the first calendar, where somebody is waiting too: one person gets one
    // offer at a time.
    await openOneHalfHour({ calendarId: other.id, from: '11:00', until: '11:30' })
    await joinWaitingListAndConfirm(meridian, other.slug, { email: elsewhere, to_date: '2027-01-10' })
    await finishLooks()
  })
  const lookedThrough = async (act: () => Promise<unknown>) => {
    const before = await countLooks(other.id)
    await act()
    await finishLooks()
    expect(await countLooks(other.id)).toBeGreaterThan(before)
  }

  test('a time is offered to the waiting list when its event is deleted', async () => {
    google.drop(account, eventId)
    await lookedThrough(() => syncConnection(meridian.deps, connected.connectionId))
    expect((await waitForOffer(meridian, elsewhere)).text).toContain('11:00 AM')
  })

  test('a time is offered when the event does not count any more', async () => {
    const { owner, calendarId } = connected
    await lookedThrough(async () => {
      const chosen = await owner.put(`/api/calendars/${calendarId}/external-calendars/choice`, {
        reads: [],
        writes: null,
      })
      expect(chosen.statusCode, chosen.body).toBe(200)
    })
    expect((await waitForOffer(meridian, elsewhere)).text).toContain('11:00 AM')
  })

  test('the waiting list is scanned when an event appears, and when its account is disconnected', async () => {
    google.put(account, { startsAt: '2027-01-06T09:00:00Z', endsAt: '2027-01-06T12:00:00Z' })
    await lookedThrough(() => syncConnection(meridian.deps, connected.connectionId))
    await lookedThrough(disconnect)
  })
})

describe('a time that becomes free while the external calendar cannot be checked', () => {
  beforeEach(async () => {
    await choose('offer_nothing')
    google.failNext('readChanges', new CalendarProviderError('unavailable', 'The provider is down.'))
    expect(await syncConnection(meridian.deps, connected.connectionId)).toMatchObject({ kind: 'failed' })
    const opened = await own('POST', 'availability', {
      day_of_week: 2,
      start_time: '13:00:00',
      end_time: '13:30:00',
    })
    expect(opened.statusCode, opened.body).toBe(201)
    await finishLooks()
    await sweep()
    expect(offers()).toEqual([])
  })

  test('is offered once it can be checked again, though nothing changed there', async () => {
    const synced = await syncConnection(meridian.deps, connected.connectionId)
    expect(synced).toMatchObject({ kind: 'done', changedEvents: 0 })
    await sweep()
    expect((await waitForOffer(meridian, email)).text).toContain('1:00 PM')
  })

  test('causes a scan at once, because a scan does more than offer times', async () => {
    const before = await countLooks()
    const range = { day_of_week: 3, start_time: '13:00:00', end_time: '13:30:00' }
    expect((await own('POST', 'availability', range)).statusCode).toBe(201)
    expect(await countLooks()).toBe(before + 1)
  })

  test('is offered once the owner allows offers without a check', async () => {
    await choose('always_offer')
    await sweep()
    expect((await waitForOffer(meridian, email)).text).toContain('1:00 PM')
  })
})

/** Returns how many times a scan of the calendar's waiting list was queued. */
function countLooks(calendarId = connected.calendarId): Promise<number> {
  const text = `select count(*) from pgboss.job where name = 'waiting-list-look' and data ->> 'calendarId' = $1`
  return queryNumber(meridian.database, text, [calendarId])
}

async function disconnect(): Promise<void> {
  const { owner, calendarId, connectionId } = connected
  const disconnected = await owner.delete(
    `/api/calendars/${calendarId}/external-calendars/connections/${connectionId}?events=keep`,
  )
  expect(disconnected.statusCode, disconnected.body).toBe(200)
}

async function choose(when_unchecked: string): Promise<void> {
  const chosen = await own('PATCH', 'external-calendars/settings', { when_unchecked })
  expect(chosen.statusCode, chosen.body).toBe(200)
}

function own(method: 'PATCH' | 'POST', path: string, payload: Record<string, unknown>) {
  const { owner, calendarId } = connected
  return meridian.request({
    method,
    url: `/api/calendars/${calendarId}/${path}`,
    cookie: owner.cookie,
    payload,
  })
}

/** Runs the job that the product runs every minute. */
async function sweep(): Promise<void> {
  await meridian.deps.jobs.send(WAITING_SWEEP_JOB, {})
  await finishLooks()
}

/** Leaves one half hour on Tuesday in London as the only time that can be booked. */
async function openOneHalfHour({
  calendarId = connected.calendarId,
  from = '10:00',
  until = '10:30',
} = {}): Promise<void> {
  await meridian.database.execute('delete from availability where calendar_id = $1', [calendarId])
  await meridian.database.execute(
    `insert into availability (id, calendar_id, day_of_week, start_time, end_time)
      values (gen_random_uuid(), $1, 2, $2, $3)`,
    [calendarId, from, until],
  )
}

async function finishLooks(): Promise<void> {
  const open = `select state from pgboss.job
    where name in ('waiting-list-look', 'waiting-list-sweep') and state <> 'completed'`
  await waitUntil(async () => (await queryRows(meridian.database, open)).length === 0)
}

function offers() {
  return meridian.mails.filter(
    ({ to, subject }) => to.address === email && subject.startsWith('A time is free'),
  )
}
