import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { HOUR_MS } from '#core/shared/duration.ts'
import type { OfferState } from '#core/waiting-list/waiting-states.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar } from '#tests/support/meridian.ts'
import { queryNumber, waitUntil } from '#tests/support/race-track.ts'
import { addAppointmentType, addLocation, setPrimaryLocation } from '#tests/support/stored-rows.ts'
import {
  getWaitingRequest,
  joinFullyBookedCalendar,
  listWaitingListEntries,
  respondToOffer,
  tokenInWaitingListEmail,
  waitForOffer,
  waitUntilScansFinish,
} from '#tests/support/waiting.ts'
import { scanWaitingList } from './scan-waiting-list.ts'

/** New addresses for each test, because an email of the previous test may still be on its way. */
let [ada, bob] = ['', '']

/** Tuesday in London; 9:00 is the only open time. */
const [NINE, TEN] = ['2027-01-05T09:00:00Z', '2027-01-05T10:00:00Z']

/**
 * These tests offer a time that begins soon: all matching customers are emailed, and the time is not held. Source: rule
 * Z5.
 */
setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  meridian.clock.ms = Date.parse(NINE) - 2 * HOUR_MS
  ada = `ada-${randomUUID()}@example.com`
  bob = `bob-${randomUUID()}@example.com`
  await closeHours()
})

describe('when a time that was offered to all is taken', () => {
  test('by one of them, the others wait again, and the offer does not count as unanswered', async () => {
    const { adas, bobs } = await tellBoth()
    expect((await respondToOffer(meridian, bobs, 'acceptance')).statusCode).toBe(200)
    await waitForOffers(ada, ['taken'])
    expect(await getWaitingRequest(meridian, adas)).toMatchObject({
      state: 'waiting',
      offer: { state: 'taken' },
    })
    expectRefusal(await respondToOffer(meridian, adas, 'acceptance'), 'waiting.time_taken')
    expectRefusal(await respondToOffer(meridian, adas, 'refusal'), 'waiting.time_taken')
    expect(await countUnanswered()).toBe(0)

    await openHours('10:00', '10:30')
    await scanWaitingList(meridian.deps, calendar.id)
    expect((await getWaitingRequest(meridian, adas)).state).toBe('offered')
  })

  test('on the booking page, the owner can offer them another time', async () => {
    await tellBoth()
    expect((await bookAppointment(meridian, calendar.slug, { starts_at: NINE })).statusCode).toBe(201)
    await waitForOffers(ada, ['taken'])
    await waitForOffers(bob, ['taken'])
    await openHours('10:00', '10:30')
    const { entries } = await listWaitingListEntries(meridian, owner, calendar)
    const offered = await own('POST', `waiting-list/${entries[1]?.id}/offer`, { starts_at: TEN })
    expect(offered.statusCode, offered.body).toBe(204)
  })

  test('by restoring an appointment, the others wait again', async () => {
    await openHours('09:00', '09:30')
    const { id } = (await bookAppointment(meridian, calendar.slug, { starts_at: NINE })).json()
    await act(id, 'cancel', 'confirmed')
    await joinFullyBookedCalendar(meridian, calendar.slug, { email: ada, to_date: '2027-01-05' })
    await waitForOffer(meridian, ada)
    await waitUntilScansFinish(meridian)
    await act(id, 'restore', 'cancelled')
    await waitForOffers(ada, ['taken'])
  })

  test.each([
    ['as the primary location of both', false],
    ['through a type of the one whose list it is', true],
  ])(
    'by an appointment on another calendar at the same exclusive location, shared %s, the others wait again',
    async (_how, byType) => {
      const placeId = await addLocation(meridian, owner)
      const other = await makeCalendar(meridian, owner)
      await setPrimaryLocation(meridian, other.id, placeId)
      const wanted = byType
        ? { appointment_type_id: await addAppointmentType(meridian, calendar.id, { location_id: placeId }) }
        : await setPrimaryLocation(meridian, calendar.id, placeId)
      await openHours('09:00', '09:30')
      await closeHours(other)
      await openHours('09:00', '09:30', other)
      await joinFullyBookedCalendar(meridian, calendar.slug, { email: ada, to_date: '2027-01-05', ...wanted })
      await waitForOffer(meridian, ada)
      await waitUntilScansFinish(meridian)
      expect((await bookAppointment(meridian, other.slug, { starts_at: NINE })).statusCode).toBe(201)
      await waitForOffers(ada, ['taken'])
    },
  )

  test('and freed again, they get another email', async () => {
    await tellBoth()
    const { id } = (await bookAppointment(meridian, calendar.slug, { starts_at: NINE })).json()
    await waitForOffers(ada, ['taken'])
    await waitForOffers(bob, ['taken'])
    await waitUntilScansFinish(meridian)
    await act(id, 'cancel', 'confirmed')
    await waitForOffers(ada, ['open', 'taken'])
    await waitForOffers(bob, ['open', 'taken'])
  })
})

test('a scan ends the offers of a time that is no longer open', async () => {
  const { adas } = await tellBoth()
  await closeHours()
  await scanWaitingList(meridian.deps, calendar.id)
  expect(await getWaitingRequest(meridian, adas)).toMatchObject({
    state: 'waiting',
    offer: { state: 'taken' },
  })
})

test('a scan keeps the offers of a paused calendar', async () => {
  const { adas } = await tellBoth()
  await pause(true)
  await scanWaitingList(meridian.deps, calendar.id)
  expectRefusal(await respondToOffer(meridian, adas, 'acceptance'), 'calendar.paused')
  expect((await getWaitingRequest(meridian, adas)).offer?.state).toBe('open')
  await pause(false)
  expect((await respondToOffer(meridian, adas, 'acceptance')).statusCode).toBe(200)
})

test('a scan keeps the offers of a time that is still free', async () => {
  const { adas, bobs } = await tellBoth()
  await scanWaitingList(meridian.deps, calendar.id)
  expect((await getWaitingRequest(meridian, adas)).offer?.state).toBe('open')
  expect((await respondToOffer(meridian, bobs, 'acceptance')).statusCode).toBe(200)
})

async function pause(isPaused: boolean): Promise<void> {
  await meridian.database.execute('update calendars set is_paused = $2 where id = $1', [
    calendar.id,
    isPaused,
  ])
}

/** Makes both customers get an offer of 9:00. */
async function tellBoth(): Promise<{ adas: string; bobs: string }> {
  await openHours('09:00', '09:30')
  for (const email of [ada, bob])
    await joinFullyBookedCalendar(meridian, calendar.slug, { email, to_date: '2027-01-05' })
  const adas = tokenInWaitingListEmail(await waitForOffer(meridian, ada))
  const bobs = tokenInWaitingListEmail(await waitForOffer(meridian, bob))
  await waitUntilScansFinish(meridian)
  return { adas, bobs }
}

/** Waits until the customer's offers have these states, sorted alphabetically. */
async function waitForOffers(email: string, states: readonly OfferState[]): Promise<void> {
  await waitUntil(async () => {
    const { entries } = await listWaitingListEntries(meridian, owner, calendar)
    const found = entries.find(({ customer_email }) => customer_email === email)?.offers ?? []
    const seen = found
      .map(({ state }) => state)
      .sort()
      .join()
    return seen === states.join() || seen
  })
}

function countUnanswered(): Promise<number> {
  const text = 'select sum(unanswered) from waiting_entries where calendar_id = $1'
  return queryNumber(meridian.database, text, [calendar.id])
}

async function act(id: string, action: 'cancel' | 'restore', status: string): Promise<void> {
  const acted = await own('POST', `appointments/${id}/actions`, {
    action,
    was: { status, payment_status: 'not_required' },
  })
  expect(acted.statusCode, acted.body).toBe(200)
}

function own(method: 'POST', path: string, payload: Record<string, unknown>) {
  return meridian.request({
    method,
    url: `/api/calendars/${calendar.id}/${path}`,
    cookie: owner.cookie,
    payload,
  })
}

/** Opens hours directly in the database, so no scan is requested. */
async function openHours(start_time: string, end_time: string, { id }: Calendar = calendar): Promise<void> {
  await meridian.database.db
    .insertInto('availability')
    .values({ calendar_id: id, id: randomUUID(), day_of_week: 2, start_time, end_time })
    .execute()
}

async function closeHours({ id }: Calendar = calendar): Promise<void> {
  await meridian.database.db.deleteFrom('availability').where('calendar_id', '=', id).execute()
}
