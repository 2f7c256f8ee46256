import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { CalendarLocation } from '#contract/availability/locations.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { type BlockingSession, openBlockingSession } from '#tests/support/other-session.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import { countDeadlocks, queryNumber, queryRows, startOnPostgresServer } from '#tests/support/race-track.ts'
import { addAppointmentType } from '#tests/support/stored-rows.ts'

let meridian: TestMeridian
let owner: TestOwner
let other: BlockingSession

beforeAll(async () => {
  const url = await createDatabase(inject('postgresUrl'))
  meridian = await startOnPostgresServer({ url, poolSize: 20, env: { DEFAULT_PLAN: 'enterprise' } })
  owner = await makeOwner(meridian)
  other = await openBlockingSession(url)
})
afterAll(async () => {
  expect(await countDeadlocks(meridian.database)).toBe(0)
  await other.end()
  await meridian.stop()
})

describe('a place that is deleted while it is booked', () => {
  test('is on every booking that came before, and on none that came after', async () => {
    const { calendars, place } = await sharePlace(3)
    const typed = calendars[2] as Calendar // there are three calendars
    const typeId = await addAppointmentType(meridian, typed.id, { location_id: place.location_id })
    const bookings = Array.from({ length: 30 }, (_, i) => {
      const calendar = calendars[i % 3] as Calendar // the index is below the length
      const type = calendar === typed ? { appointment_type_id: typeId } : {}
      return bookAppointment(meridian, calendar.slug, {
        starts_at: timeOf(Math.floor(i / 2)),
        ...customer(i),
        ...type,
      })
    })
    await Promise.race(bookings)
    const deletions = await Promise.all([deletePlace(place), deletePlace(place)])
    const answers = await Promise.all(bookings)

    expect(deletions.map((answer) => answer.statusCode).sort()).toEqual([204, 404])
    expectBookedOrRefused(answers)
    // Each appointment has the location with its name and its conflict constraint, or none of the three.
    const rows = await queryRows(
      meridian.database,
      `select distinct location_name, conflict_location_id, location_id
       from appointments where calendar_id = any($1::uuid[]) order by location_name`,
      [calendars.map((calendar) => calendar.id)],
    )
    const { location_id } = place
    const kept = { location_name: 'Room', conflict_location_id: location_id, location_id }
    const none = { location_name: null, conflict_location_id: null, location_id: null }
    expect(rows).toContainEqual(kept)
    for (const row of rows) expect([kept, none]).toContainEqual(row)
  })

  test('is waited for by a booking, which then has no place', async () => {
    const { calendars, place } = await sharePlace(1)
    const { answer } = await other.hold([['delete from locations where id = $1', [place.location_id]]], () =>
      bookAppointment(meridian, (calendars[0] as Calendar).slug),
    )
    expect([answer.statusCode, answer.json().location_name]).toEqual([201, null])
  })

  test('and given to one more calendar at that moment takes that calendar into account', async () => {
    const { place } = await sharePlace(1)
    const late = await makeCalendar(meridian, owner)
    const attach = `insert into calendar_locations (calendar_id, id, location_id, is_primary)
      values ($1, gen_random_uuid(), $2, true)`
    const { answer } = await other.hold([[attach, [late.id, place.location_id]]], () => deletePlace(place))
    expect(answer.statusCode).toBe(204)
    expect(await countPrimaries(late)).toBe(0)
  })
})

describe('a place that changes while it is booked', () => {
  test('never holds two appointments at a time once it has become exclusive', async () => {
    const { calendars, place } = await sharePlace(4, { exclusive: false })
    const wish = (i: number) =>
      bookAppointment(meridian, (calendars[i % 4] as Calendar).slug, {
        starts_at: timeOf(Math.floor(i / 4)),
        ...customer(i),
      })
    const before = Array.from({ length: 24 }, (_, i) => wish(i))
    await Promise.race(before)
    const [edit, ...answers] = await Promise.all([edited(place, { exclusive: true }), ...before])
    expect(edit.statusCode, edit.body).toBe(200)
    expectBookedOrRefused(answers)
    const overlaps = `select count(*) from appointments a join appointments b
      on a.id < b.id and a.location_id = b.location_id and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)
      where a.location_id = $1`
    const overlapping = await queryNumber(meridian.database, overlaps, [place.location_id])
    await Promise.all(Array.from({ length: 32 }, (_, i) => wish(i)))
    expect(await queryNumber(meridian.database, overlaps, [place.location_id])).toBe(overlapping)
    // The constraint covers every appointment that overlapped no other. Appointments that overlapped are not covered.
    const unheld = `select count(*) from appointments a where location_id = $1 and conflict_location_id is null
      and not exists (select 1 from appointments b where b.location_id = $1 and b.id <> a.id
        and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at))`
    expect(await queryNumber(meridian.database, unheld, [place.location_id])).toBe(0)
  })

  test('is waited for by a booking, which then keeps to what it has become', async () => {
    const { calendars, place } = await sharePlace(1, { exclusive: false })
    const change = 'update locations set exclusive = true where id = $1'
    const { answer } = await other.hold([[change, [place.location_id]]], () =>
      bookAppointment(meridian, (calendars[0] as Calendar).slug),
    )
    expect(answer.statusCode).toBe(201)
    const held = 'select count(*) from appointments where conflict_location_id = $1'
    expect(await queryNumber(meridian.database, held, [place.location_id])).toBe(1)
  })
})

describe('two windows', () => {
  test('that set another primary place leave exactly one', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const uses = await Promise.all(['A', 'B', 'C', 'D'].map((name) => add(calendar, { name })))
    // The locations were added at the same moment, and exactly one of them became primary.
    expect(uses.filter((answer) => answer.json().is_primary)).toHaveLength(1)
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => {
        const use: CalendarLocation = (uses[i % 4] as LightMyRequestResponse).json() // there are four locations
        return ask('POST', `/api/calendars/${calendar.id}/locations/${use.id}/primary`)
      }),
    )
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(16).fill(200))
    expect(await countPrimaries(calendar)).toBe(1)
  })

  test('that add the same place make and add it once', async () => {
    const calendars = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
    const place = { name: 'Twin', address: '1 Twin Street' }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => add(calendars[i % 2] as Calendar, place)), // there are two calendars
    )
    const refused = answers.filter((answer) => answer.statusCode !== 201)
    expect(refused.map((answer) => answer.json().title)).toEqual(
      Array(6).fill(PROBLEMS['location.already_added'].title),
    )
    const twins = `select count(*) from locations where name = 'Twin'`
    expect(await queryNumber(meridian.database, twins)).toBe(1)
    for (const calendar of calendars) expect(await countPrimaries(calendar)).toBe(1)
  })

  test('that remove all places and book meanwhile are both answered', async () => {
    const { calendars, place } = await sharePlace(1)
    const [calendar] = calendars as [Calendar] // there is one calendar
    const bookings = Array.from({ length: 8 }, (_, i) =>
      bookAppointment(meridian, calendar.slug, { starts_at: timeOf(i), ...customer(i) }),
    )
    const removal = ask('DELETE', `/api/calendars/${calendar.id}/locations/${place.id}`)
    expect((await Promise.all(bookings)).map((answer) => answer.statusCode)).toEqual(Array(8).fill(201))
    expect((await removal).statusCode).toBe(204)
  })
})

/** Makes calendars that share one room as their primary location. */
async function sharePlace(count: number, body: Record<string, unknown> = {}) {
  const calendars: Calendar[] = []
  let place: CalendarLocation | undefined
  for (let i = 0; i < count; i += 1) {
    const calendar = await makeCalendar(meridian, owner)
    const added = await add(
      calendar,
      place === undefined
        ? { name: 'Room', address: `Room of ${calendar.id}`, ...body }
        : { location_id: place.location_id },
    )
    place ??= added.json()
    calendars.push(calendar)
  }
  return { calendars, place: place as CalendarLocation } // the first calendar creates the location
}

/** Expects that no customer gets an error: each time is booked, gone, or taken at the location. */
function expectBookedOrRefused(answers: readonly LightMyRequestResponse[]): void {
  const fair = ['booked', 'booking.slot_unavailable', 'booking.location_conflict']
  for (const answer of answers) {
    expect(fair).toContain(answer.statusCode === 201 ? 'booked' : answer.json().code)
  }
  expect(answers.some((answer) => answer.statusCode === 201)).toBe(true)
}

function countPrimaries(calendar: Calendar): Promise<number> {
  const primaries = 'select count(*) from calendar_locations where calendar_id = $1 and is_primary'
  return queryNumber(meridian.database, primaries, [calendar.id])
}

/** The i-th half hour of Monday, counted from 09:00 in London. */
function timeOf(i: number): string {
  return new Date(Date.parse('2027-01-04T09:00:00Z') + i * 1_800_000).toISOString()
}

function customer(i: number) {
  return { customer: { name: `Guest ${i}`, email: `guest-${i}@example.com` } }
}

function add(calendar: Calendar, body: Record<string, unknown>) {
  return ask('POST', `/api/calendars/${calendar.id}/locations`, body)
}

function edited(place: CalendarLocation, changes: Record<string, unknown>) {
  return ask('PATCH', `/api/locations/${place.location_id}`, changes)
}

function deletePlace(place: CalendarLocation) {
  return ask('DELETE', `/api/locations/${place.location_id}`)
}

function ask(method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: Record<string, unknown>) {
  return meridian.request({
    method,
    url,
    cookie: owner.cookie,
    ...(payload === undefined ? {} : { payload }),
  })
}
