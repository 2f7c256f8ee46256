import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { AppointmentType, PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { PublicCalendar } from '#contract/calendars/calendars.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment } from '#tests/support/meridian.ts'
import { makeQuestion } from '#tests/support/questions.ts'
import { getWaitingRequest, joinFullyBookedCalendar, waitForOffer } from '#tests/support/waiting.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })

/** A Tuesday, on which the calendar is open from 9:00 to 17:00. */
const TUESDAY = '2027-01-05'
let byLink: AppointmentType

beforeEach(async () => {
  byLink = await addType({ name: 'Friends', is_listed: false, fee_note: 'Half price' })
})

test('a type by link only is on no public list, and its link shows it alone', async () => {
  await addType({ name: 'Visit' })
  expect(await namesFor('')).toEqual(['Visit'])
  expect(await namesFor(`?type=${byLink.id}`)).toEqual(['Friends'])
  const [linked] = await publicTypes(`?type=${byLink.id}`)
  expect(linked?.is_listed).toBe(false)
})

test('its times, booking and move are those of every other type', async () => {
  const slots = await meridian.get(`${publicPath()}/slots?date=${TUESDAY}&appointment_type_id=${byLink.id}`)
  expect(slots.json().slots).not.toEqual([])
  const booked = await book('09:00')
  expect(booked.statusCode, booked.body).toBe(201)
  expect(booked.json().appointment_type_name).toBe('Friends')
  const moved = await meridian.post(`/api/public/manage/${booked.json().manage_token}/move`, {
    starts_at: `${TUESDAY}T11:00:00Z`,
    expected_starts_at: booked.json().starts_at,
  })
  expect(moved.statusCode, moved.body).toBe(200)
  expectRefusal(await book('11:00'), 'booking.slot_unavailable')
})

test('an offer from the waiting list names its price and its policy', async () => {
  await addType({ name: 'Visit', fee_note: 'Full price' })
  const email = `ada-${randomUUID()}@example.com`
  const token = await joinFullyBookedCalendar(meridian, calendar.slug, {
    email,
    appointment_type_id: byLink.id,
  })
  await waitForOffer(meridian, email)
  expect(await getWaitingRequest(meridian, token)).toMatchObject({
    appointment_type_name: 'Friends',
    offer: { state: 'open', fee_note: 'Half price' },
  })
})

test('its questions are shown with its link only', async () => {
  const ofAll = makeQuestion('What for?')
  const ofType = makeQuestion('Whose friend are you?', { appointment_type_id: byLink.id })
  const saved = await owner.put(`/api/calendars/${calendar.id}/questions`, { questions: [ofAll, ofType] })
  expect(saved.statusCode, saved.body).toBe(200)
  expect(await labelsFor('')).toEqual(['What for?'])
  expect(await labelsFor(`?type=${randomUUID()}`)).toEqual(['What for?'])
  expect(await labelsFor(`?type=${byLink.id}`)).toEqual(['What for?', 'Whose friend are you?'])
  await owner.patch(`${typesPath()}/${byLink.id}`, { is_listed: true })
  expect(await labelsFor('')).toEqual(['What for?', 'Whose friend are you?'])
})

test('a page with types by link only says that a link is needed, and not what the link would show', async () => {
  const text = 'To book here, you need a link to an appointment type. Please ask for one.'
  expect(await publicCalendar('')).toMatchObject({ is_paused: false, closed_text: text })
  expect(await namesFor('')).toEqual([])
  expectRefusal(
    await bookAppointment(meridian, calendar.slug, { starts_at: `${TUESDAY}T09:00:00Z` }),
    'booking.incomplete',
  )
  await addType({ name: 'Visit' })
  expect((await publicCalendar('')).closed_text).toBeNull()
  await owner.patch(`/api/calendars/${calendar.id}`, { takes_bookings: false })
  expect((await publicCalendar('')).closed_text).toBe(PROBLEMS['calendar.paused'].title)
})

test.each([
  ['an unknown id', () => randomUUID()],
  ['a text that is no id', () => 'x'],
  ['a text of hostile characters', () => encodeURIComponent("'\u202e<script>")],
])('%s in a link shows the ordinary list', async (_case, makeId) => {
  await addType({ name: 'Visit' })
  expect(await namesFor(`?type=${makeId()}`)).toEqual(['Visit'])
})

test('the link of a removed type, and of another calendar, shows the ordinary list', async () => {
  await addType({ name: 'Visit' })
  expect((await owner.delete(`${typesPath()}/${byLink.id}`)).statusCode).toBe(204)
  expect(await namesFor(`?type=${byLink.id}`)).toEqual(['Visit'])
})

test('a copy of the calendar keeps a type off the list', async () => {
  const copied = await owner.post(`/api/calendars/${calendar.id}/copies`, { name: 'Copy' })
  expect(copied.statusCode, copied.body).toBe(201)
  const types = await owner.get(`/api/calendars/${copied.json().id}/appointment-types`)
  expect(types.json().appointment_types).toMatchObject([{ name: 'Friends', is_listed: false }])
})

function typesPath(): string {
  return `/api/calendars/${calendar.id}/appointment-types`
}

function publicPath(): string {
  return `/api/public/calendars/${calendar.slug}`
}

async function addType(fields: object): Promise<AppointmentType> {
  const added = await owner.post(typesPath(), fields)
  expect(added.statusCode, added.body).toBe(201)
  return added.json()
}

function book(clock: string) {
  const starts_at = `${TUESDAY}T${clock}:00Z`
  return bookAppointment(meridian, calendar.slug, { starts_at, appointment_type_id: byLink.id })
}

async function publicCalendar(query: string): Promise<PublicCalendar> {
  return (await meridian.get(`${publicPath()}${query}`)).json()
}

async function labelsFor(query: string): Promise<string[]> {
  return (await publicCalendar(query)).questions.map(({ label }) => label)
}

async function publicTypes(query: string): Promise<PublicAppointmentType[]> {
  const answer = await meridian.get(`${publicPath()}/appointment-types${query}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().appointment_types
}

async function namesFor(query: string): Promise<string[]> {
  return (await publicTypes(query)).map(({ name }) => name)
}
