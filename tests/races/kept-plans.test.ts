// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { addExternalCalendar } from '#tests/support/external-calendar-rows.ts'
import { offeredHalfHour } from '#tests/support/half-hour.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { startOnPostgresServer } from '#tests/support/race-track.ts'
import { addLocation, setPrimaryLocation } from '#tests/support/stored-rows.ts'

/**
 * Planning the statements about times takes PostgreSQL ten times as long as executing them. After five executions it reuses one
 * generic plan, unless it estimates a plan for the current parameters to be much cheaper: then it plans every time. That once
 * accounted for a third of a booking's cost.
 */
let meridian: TestMeridian
beforeAll(async () => {
  meridian = await startOnPostgresServer({ poolSize: 1 })
})
afterAll(() => meridian.stop())

test('the statements about times keep their plans beside 40,000 external events', async () => {
  const calendars = await Promise.all(Array.from({ length: 4 }, makePractice))
  const [calendar] = calendars
  if (calendar === undefined) throw new Error('there are four practices')
  await meridian.database.execute('analyze')
  for (let i = 0; i < 12; i += 1) {
    const slots = await meridian.get(`/api/public/calendars/${calendar.slug}/slots?date=2027-01-05`)
    expect(slots.statusCode).toBe(200)
    await bookAppointment(meridian, calendar.slug, { starts_at: offeredHalfHour(i) })
  }
  expect(await listReplanned(['slot-facts', 'times'])).toEqual([])
})

test('a booking at a calendar that nothing elsewhere concerns keeps its plans, too', async () => {
  const owner = await makeOwner(meridian, { tier: 'business' })
  const calendar = await makeCalendar(meridian, owner)
  await setPrimaryLocation(meridian, calendar.id, await addLocation(meridian, owner))
  for (let i = 0; i < 12; i += 1) {
    const booked = await bookAppointment(meridian, calendar.slug, { starts_at: offeredHalfHour(i) })
    expect(booked.statusCode, booked.body).toBe(201)
  }
  expect(await listReplanned(['times-of-calendar-alone', 'lock-type-and-location'])).toEqual([])
})

/**
 * Lists the statements on the only connection that have no reused plan, or that never ran. PostgreSQL plans the first five
 * executions anew, so more than five new plans mean that it plans every time.
 */
async function listReplanned(names: readonly string[]) {
  const { rows } = await meridian.database.execute(
    `select wanted.name, generic_plans::integer, custom_plans::integer
     from unnest($1::text[]) as wanted (name) left join pg_prepared_statements using (name)
     where generic_plans is null or generic_plans = 0 or custom_plans > 5`,
    [[...names]],
  )
  return rows
}

/** Makes an owner with five calendars, each with an external calendar. @returns the first calendar */
async function makePractice(): Promise<Calendar> {
  const owner = await makeOwner(meridian, { tier: 'business' })
  const calendars: Calendar[] = []
  for (let i = 0; i < 5; i += 1) {
    const calendar = await makeCalendar(meridian, owner)
    await addEvents(owner, calendar.id)
    calendars.push(calendar)
  }
  const [first] = calendars
  if (first === undefined) throw new Error('there are five calendars')
  return first
}

/** Adds 2,000 events of an hour each, around the clock. */
async function addEvents(owner: TestOwner, calendarId: string): Promise<void> {
  const external = await addExternalCalendar(meridian, owner, calendarId)
  await meridian.database.execute(
    `insert into external_busy_times (external_calendar_id, event_id, starts_at, ends_at, generation)
     select $1, 'event ' || n, hour, hour + interval '1 hour', 1
     from (select n, $2::timestamptz + n * interval '8 hours' as hour from generate_series(1, 2000) as n) as hours`,
    [external.id, new Date(meridian.clock.ms)],
  )
}
