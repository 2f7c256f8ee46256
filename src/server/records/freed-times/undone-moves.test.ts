import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { scanWaitingList } from '#server/areas/waiting-list/scan-waiting-list.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  startMeridian,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { addLocation, setPrimaryLocation } from '#tests/support/stored-rows.ts'
import { joinWaitingListAndConfirm, listWaitingListEntries, waitForOffer } from '#tests/support/waiting.ts'

/**
 * For how many seconds a move can be undone: either so long that the period never ends during a test, or so short that
 * a test can wait for its end.
 */
const [NEVER_OVER, SOON_OVER] = [600, 2]

let patient: TestMeridian
let quick: TestMeridian

beforeAll(async () => {
  const env = { DEFAULT_PLAN: 'enterprise' }
  patient = await startMeridian({ undoSeconds: NEVER_OVER, env })
  quick = await startMeridian({ undoSeconds: SOON_OVER, env })
})
beforeEach(() => {
  patient.mails.length = 0
})
afterAll(async () => {
  await patient.stop()
  await quick.stop()
})

const ADA = 'ada@example.com'
/** Tuesday at 09:00 in London, the only open time of the week, and a time to which only the owner can move. */
const [NINE, TEN] = ['2027-01-05T09:00:00.000Z', '2027-01-05T10:00:00.000Z']

test('a time that a move left is offered to nobody while the move can be taken back, whatever else happens', async () => {
  const { owner, calendar, id } = await makeFullCalendar(patient)
  await joinWaitingListAndConfirm(patient, calendar.slug, { email: ADA, to_date: '2027-01-05' })
  await scanWaitingList(patient.deps, calendar.id)
  expect((await move(patient, owner, { calendar, id }, [NINE, TEN])).statusCode).toBe(200)
  // The same scan runs when another offer ends, or when the sweep finds the calendar.
  await scanWaitingList(patient.deps, calendar.id)
  // The same scan runs when somebody joins the list.
  await joinWaitingListAndConfirm(patient, calendar.slug, { email: 'bob@example.com', to_date: '2027-01-05' })
  await scanWaitingList(patient.deps, calendar.id)
  expect((await listWaitingListEntries(patient, owner, calendar)).entries).toMatchObject([
    { offers: [] },
    { offers: [] },
  ])
  const undone = await move(patient, owner, { calendar, id }, [TEN, NINE])
  expect(undone.statusCode, undone.body).toBe(200)
  expect(undone.json()).toMatchObject({ starts_at: NINE })
})

test('so it is on the other calendars of a place that takes one appointment at a time', async () => {
  const { owner, calendar, id } = await makeFullCalendar(patient, { place: true })
  const there = await makeCalendar(patient, owner)
  await setPrimaryLocation(patient, there.id, calendar.placeId)
  await openOnlyNine(patient, there.id)
  await joinWaitingListAndConfirm(patient, there.slug, { email: ADA, to_date: '2027-01-05' })
  await scanWaitingList(patient.deps, there.id)
  expect((await move(patient, owner, { calendar, id }, [NINE, TEN])).statusCode).toBe(200)
  await scanWaitingList(patient.deps, there.id)
  expect((await listWaitingListEntries(patient, owner, there)).entries).toMatchObject([{ offers: [] }])
})

test('a time that a move left is offered once the move cannot be taken back any more', async () => {
  const { owner, calendar, id } = await makeFullCalendar(quick)
  await joinWaitingListAndConfirm(quick, calendar.slug, { email: ADA, to_date: '2027-01-05' })
  expect((await move(quick, owner, { calendar, id }, [NINE, TEN])).statusCode).toBe(200)
  expect((await waitForOffer(quick, ADA)).subject).toContain('9:00 AM')
})

/** Creates a calendar whose only time on that day is booked. */
async function makeFullCalendar(meridian: TestMeridian, { place = false } = {}) {
  const owner = await makeOwner(meridian)
  const calendar = await makeCalendar(meridian, owner)
  const placeId = place ? await addLocation(meridian, owner) : ''
  if (place) await setPrimaryLocation(meridian, calendar.id, placeId)
  await openOnlyNine(meridian, calendar.id)
  const booked = await bookAppointment(meridian, calendar.slug, { starts_at: NINE })
  expect(booked.statusCode, booked.body).toBe(201)
  return { owner, calendar: { ...calendar, placeId }, id: String(booked.json().id) }
}

async function openOnlyNine({ database: { db } }: TestMeridian, calendarId: string): Promise<void> {
  await db.deleteFrom('availability').where('calendar_id', '=', calendarId).execute()
  const range = { day_of_week: 2, start_time: '09:00', end_time: '09:30' }
  await db
    .insertInto('availability')
    .values({ calendar_id: calendarId, id: randomUUID(), ...range })
    .execute()
}

function move(
  meridian: TestMeridian,
  { cookie }: TestOwner,
  { calendar, id }: { readonly calendar: Calendar; readonly id: string },
  [from, to]: readonly [string, string],
): Promise<LightMyRequestResponse> {
  return meridian.as({ cookie }).post(`/api/calendars/${calendar.id}/appointments/${id}/move`, {
    expected_starts_at: from,
    starts_at: to,
    outside_hours: true,
  })
}
