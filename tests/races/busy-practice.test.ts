// @module-tag slow
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { updateConstraintForAllAppointments } from '#server/areas/availability/locations/taken-time-job.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { addManyAppointments } from '#tests/support/many-appointments.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import { printDuration, queryNumber, startOnPostgresServer } from '#tests/support/race-track.ts'
import { addLocation, setPrimaryLocation } from '#tests/support/stored-rows.ts'

/** Number of future appointments, each with two messages, while the owner changes settings. */
const AHEAD = 24_000
/**
 * Maximum duration of a statement, in milliseconds. Stricter than Meridian's 5 s, because a production machine may be slower
 * than this one.
 */
const STATEMENT_LIMIT_MS = 2_500

let meridian: TestMeridian
/** A connection without the limit, for the tests' own preparations. */
let patient: Database
let owner: TestOwner
/** `busy` is the calendar with the appointments; `other` is another calendar at the same location. */
let busy: Calendar
let other: Calendar
let place: string

beforeAll(async () => {
  const url = await createDatabase(inject('postgresUrl'))
  patient = await openDatabase({ url, dataDir: 'not used', poolSize: 1, patient: true })
  // Without workers, so that the tests can see what is left to the jobs and run them themselves.
  const env = { DEFAULT_PLAN: 'enterprise', ROLE: 'web' }
  meridian = await startOnPostgresServer({ url, timeoutMs: STATEMENT_LIMIT_MS, env })
  owner = await makeOwner(meridian)
  busy = await makeCalendar(meridian, owner, { timezone: 'UTC' })
  other = await makeCalendar(meridian, owner, { timezone: 'UTC' })
  place = await addLocation(meridian, owner, { exclusive: false })
  for (const { id } of [busy, other]) await setPrimaryLocation(meridian, id, place)
  // A third of the appointments lies in the past.
  await addManyAppointments(patient, busy.id, (AHEAD * 3) / 2)
  await patient.execute(
    `update appointments set location_id = $2, location_name = 'Room',
       ends_at = starts_at + interval '5 minutes', blocked = tstzrange(starts_at, starts_at + interval '5 minutes')
     where calendar_id = $1`,
    [busy.id, place],
  )
  await patient.execute(
    `insert into appointment_messages (calendar_id, appointment_id, kind, recipient, occasion, sequence, changed_at)
     select calendar_id, id, kind, 'customer', 'made', 0, starts_at
     from appointments cross join unnest(array['booking_confirmation', 'reminder']) as kind`,
  )
})
afterAll(async () => {
  await meridian.stop()
  await patient.close()
})

test('a place becomes exclusive: what is booked there keeps its time from that moment on', async () => {
  await changePlace({ exclusive: true })
  // Only a few of the many appointments are changed before the response. A booking's own check still prevents conflicts with the
  // others.
  expect(await countConflicts()).toBeLessThan(1_000)
  expect((await bookFarAhead()).json().code).toBe('booking.location_conflict')
  await updateConstraintForAllAppointments(
    { db: meridian.database.db, now: () => meridian.clock.ms },
    { locationId: place },
  )
  expect(await countConflicts()).toBe(AHEAD - STARTED)
})

test('a place is for several at a time again: their time is free from that moment on', async () => {
  await changePlace({ exclusive: false })
  expect(await countConflicts()).toBeGreaterThan(AHEAD - STARTED - 1_000)
  expect((await bookFarAhead()).statusCode).toBe(201)
  await updateConstraintForAllAppointments(
    { db: meridian.database.db, now: () => meridian.clock.ms },
    { locationId: place },
  )
  expect(await countConflicts()).toBe(0)
})

test('a place becomes an online one and physical again', async () => {
  await changePlace({ exclusive: true, type: 'online' })
  await changePlace({ type: 'physical' })
  await updateConstraintForAllAppointments(
    { db: meridian.database.db, now: () => meridian.clock.ms },
    { locationId: place },
  )
  // The appointment booked in the meantime overlaps three others. All four stay as they were booked, without the constraint.
  expect(await countConflicts()).toBe(AHEAD - STARTED - 3)
})

test('a lower buffer frees the time after each of them', async () => {
  const url = `/api/calendars/${busy.id}/slot-settings`
  await change('a buffer', { method: 'PATCH', url, payload: { buffer_time_minutes: 60 } })
  // As if the appointments had been booked with a buffer of five minutes.
  await patient.execute(
    `update appointments set blocked = tstzrange(starts_at, ends_at + interval '5 minutes') where calendar_id = $1`,
    [busy.id],
  )
  await change('a lower buffer', { method: 'PATCH', url, payload: { buffer_time_minutes: 0 } })
  const longer = `select count(*) from appointments where starts_at > '2027-01-05' and upper(blocked) > ends_at`
  expect(await queryNumber(meridian.database, longer)).toBe(0)
})

test('a calendar gets another time zone', async () => {
  const url = `/api/calendars/${busy.id}`
  await change('a time zone', { method: 'PATCH', url, payload: { timezone: 'America/New_York' } })
})

test('the place and the calendar are deleted', async () => {
  await change('the place is deleted', { method: 'DELETE', url: `/api/locations/${place}` })
  await change('the calendar is deleted', { method: 'DELETE', url: `/api/calendars/${busy.id}` })
  expect(
    await queryNumber(meridian.database, 'select count(*) from appointments where calendar_id = $1', [
      busy.id,
    ]),
  ).toBe(0)
})

/** The number of appointments on Monday that have ended by 08:00, when the tests take place. */
const STARTED = 48

function changePlace(payload: Record<string, unknown>): Promise<void> {
  const url = `/api/locations/${place}`
  return change(`a place becomes ${JSON.stringify(payload)}`, { method: 'PATCH', url, payload })
}

function bookFarAhead() {
  return bookAppointment(meridian, other.slug, { starts_at: '2027-05-03T09:00:00Z' })
}

function countConflicts(): Promise<number> {
  return queryNumber(meridian.database, 'select count(*) from appointments where conflict_location_id = $1', [
    place,
  ])
}

async function change(what: string, request: InjectOptions): Promise<void> {
  const startMs = performance.now()
  const answer = await meridian.request({ ...request, cookie: owner.cookie })
  const durationMs = performance.now() - startMs
  printDuration(`${what}, with ${AHEAD} appointments ahead`, durationMs)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
}
