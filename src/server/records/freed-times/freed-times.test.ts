import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { releaseExpiredHolds } from '#server/areas/payments/checkouts/end-checkouts.ts'
import { applyStoredPlans } from '#server/areas/plans/billing/apply-stored-plan.ts'
import { scanWaitingList } from '#server/areas/waiting-list/scan-waiting-list.ts'
import { makeFakeProviders, startCheckout } from '#tests/support/checkouts.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner, type TestOwner } from '#tests/support/meridian.ts'
import {
  addAppointmentType,
  addLocation,
  connectStripe,
  setPrimaryLocation,
} from '#tests/support/stored-rows.ts'
import {
  joinFullyBookedCalendar,
  joinWaitingListAndConfirm,
  listWaitingListEntries,
  waitForOffer,
  waitUntilScansFinish,
} from '#tests/support/waiting.ts'

// `owner` has the location.
setUpOwner({ env: { DEFAULT_PLAN: 'enterprise' }, providers: makeFakeProviders() })
/** Another owner, who has a practice at the same location. */
let neighbour: TestOwner
let here: Calendar
let there: Calendar

beforeAll(async () => {
  neighbour = await makeOwner(meridian)
})
beforeEach(async () => {
  meridian.mails.length = 0
  here = await makeCalendar(meridian, owner)
  there = await makeCalendar(meridian, neighbour)
})

const ADA = 'ada@example.com'
/** Tuesday at 09:00 in London. */
const NINE = '2027-01-05T09:00:00Z'

describe('a time at a place that takes one appointment at a time is offered on every calendar that shares it', () => {
  let place: string

  /** Puts Ada on the neighbour's list for its only open time, which an appointment here takes. */
  async function waitForPlace(take: () => Promise<string>): Promise<string> {
    place = await addLocation(meridian, owner, { shareable: true })
    for (const { id } of [here, there]) await setPrimaryLocation(meridian, id, place)
    await openOnly(there, 2, '09:00')
    const id = await take()
    await joinWaitingListAndConfirm(meridian, there.slug, { email: ADA, to_date: '2027-01-05' })
    await waitUntilScansFinish(meridian)
    expect((await listWaitingListEntries(meridian, neighbour, there)).entries).toMatchObject([{ offers: [] }])
    return id
  }

  async function bookHere(): Promise<string> {
    const booked = await bookAppointment(meridian, here.slug, { starts_at: NINE })
    expect(booked.statusCode, booked.body).toBe(201)
    return booked.json().id
  }

  async function expectOffer(): Promise<void> {
    const mail = await waitForOffer(meridian, ADA)
    expect(mail.subject).toContain('Tuesday, January 5, 9:00 AM')
    // The message does not say whose appointment it was.
    expect(mail.text).not.toContain(here.name)
  }

  test('when the appointment there is cancelled', async () => {
    const id = await waitForPlace(bookHere)
    await own('POST', `/appointments/${id}/actions`, {
      action: 'cancel',
      was: { status: 'confirmed', payment_status: 'not_required' },
    })
    await expectOffer()
  })

  test('when the appointment there is moved', async () => {
    const id = await waitForPlace(bookHere)
    await own('POST', `/appointments/${id}/move`, {
      starts_at: '2027-01-06T09:00:00Z',
      expected_starts_at: NINE,
      notify_customer: false,
    })
    await expectOffer()
  })

  test('when nobody pays for the appointment there', async () => {
    await waitForPlace(async () => {
      const typeId = await addAppointmentType(meridian, here.id, { price_cents: 4_000 })
      await connectStripe(meridian, here.id)
      return (await startCheckout(meridian, { ...here, typeId }, { starts_at: NINE })).id
    })
    meridian.clock.ms += 6 * MINUTE_MS
    await releaseExpiredHolds(meridian.deps)
    await expectOffer()
  })

  test('when what was offered there is declined', async () => {
    await waitForPlace(async () => {
      await openOnly(here, 2, '09:00')
      await joinFullyBookedCalendar(meridian, here.slug, { email: 'bob@example.com', to_date: '2027-01-05' })
      await waitForOffer(meridian, 'bob@example.com')
      return ''
    })
    const [bob] = (await listWaitingListEntries(meridian, owner, here)).entries
    await own('DELETE', `/waiting-list/${bob?.id}`)
    await expectOffer()
  })

  test('when the calendar of the appointment is deleted', async () => {
    await waitForPlace(bookHere)
    await own('DELETE', '')
    await expectOffer()
  })

  test('when the place takes several at a time from now on', async () => {
    await waitForPlace(bookHere)
    await ask(owner, 'PATCH', `/api/locations/${place}`, { exclusive: false })
    await expectOffer()
  })

  test('when the place is deleted', async () => {
    await waitForPlace(bookHere)
    await ask(owner, 'DELETE', `/api/locations/${place}`)
    await expectOffer()
  })

  test('when the place is taken from the calendar of those who wait', async () => {
    await waitForPlace(bookHere)
    await ask(owner, 'DELETE', `/api/locations/${place}/calendars/${there.id}`)
    await expectOffer()
  })

  test('when the calendar of those who wait leaves the place', async () => {
    await waitForPlace(bookHere)
    await ask(neighbour, 'DELETE', `/api/calendars/${there.id}/locations/${await findUse()}`)
    await expectOffer()
  })

  test('when the calendar of those who wait has another primary place', async () => {
    await waitForPlace(bookHere)
    const added = await ask(neighbour, 'POST', `/api/calendars/${there.id}/locations`, { name: 'Attic' })
    await ask(neighbour, 'POST', `/api/calendars/${there.id}/locations/${added.id}/primary`)
    await expectOffer()
  })

  async function findUse(): Promise<string> {
    const { id } = await meridian.database.db
      .selectFrom('calendar_locations')
      .select('id')
      .where('calendar_id', '=', there.id)
      .executeTakeFirstOrThrow()
    return id
  }
})

test('a time is offered when its type has another place, which is free', async () => {
  const place = await addLocation(meridian, owner)
  const other = await makeCalendar(meridian, owner)
  await setPrimaryLocation(meridian, other.id, place)
  const typeId = await addAppointmentType(meridian, here.id, { location_id: place })
  await openOnly(here, 2, '09:00')
  expect((await bookAppointment(meridian, other.slug, { starts_at: NINE })).statusCode).toBe(201)
  await joinWaitingListAndConfirm(meridian, here.slug, {
    email: ADA,
    to_date: '2027-01-05',
    appointment_type_id: typeId,
  })
  await waitUntilScansFinish(meridian)
  await own('PATCH', `/appointment-types/${typeId}`, { is_online: true })
  expect((await waitForOffer(meridian, ADA)).subject).toContain('9:00 AM')
})

test('times are offered when a plan opens the calendar again', async () => {
  await joinWaitingListAndConfirm(meridian, here.slug, { email: ADA, weekdays: [0] })
  // This happens when a plan allows fewer calendars.
  await meridian.database.db
    .updateTable('calendars')
    .set({ is_paused: true })
    .where('id', '=', here.id)
    .execute()
  await openOnly(here, 0, '09:00')
  await scanWaitingList(meridian.deps, here.id)
  await waitUntilScansFinish(meridian)
  expect((await listWaitingListEntries(meridian, owner, here)).entries).toMatchObject([{ offers: [] }])
  await applyStoredPlans({ ...meridian.deps, defaultTier: 'enterprise' })
  await waitForOffer(meridian, ADA)
})

test('a time is offered when the owner asks for a shorter notice', async () => {
  await ask(owner, 'PATCH', `/api/calendars/${here.id}/slot-settings`, { minimum_notice_minutes: 48 * 60 })
  await openOnly(here, 2, '14:00')
  await joinWaitingListAndConfirm(meridian, here.slug, { email: ADA, to_date: '2027-01-05' })
  await waitUntilScansFinish(meridian)
  expect((await listWaitingListEntries(meridian, owner, here)).entries).toMatchObject([{ offers: [] }])
  await ask(owner, 'PATCH', `/api/calendars/${here.id}/slot-settings`, { minimum_notice_minutes: 60 })
  expect((await waitForOffer(meridian, ADA)).subject).toContain('2:00 PM')
})

/** Opens only one half hour of the week. It writes to the database directly, so nothing is announced. */
async function openOnly({ id }: Calendar, dayOfWeek: number, start: string): Promise<void> {
  const { db } = meridian.database
  await db.deleteFrom('availability').where('calendar_id', '=', id).execute()
  const end = start.replace(':00', ':30')
  await db
    .insertInto('availability')
    .values({ calendar_id: id, id: randomUUID(), day_of_week: dayOfWeek, start_time: start, end_time: end })
    .execute()
}

function own(method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: Record<string, unknown>) {
  return ask(owner, method, `/api/calendars/${here.id}${path}`, payload)
}

async function ask(
  who: TestOwner,
  method: 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: Record<string, unknown>,
) {
  const answer = await meridian.request({ method, url, cookie: who.cookie, ...(payload && { payload }) })
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.body === '' ? null : answer.json()
}
