import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { CalendarLocation } from '#contract/availability/locations.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { makeCalendar, makeOwner, type TestMeridian, type TestOwner } from '#tests/support/meridian.ts'
import { type BlockingSession, openBlockingSession } from '#tests/support/other-session.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import { countDeadlocks, queryNumber, startOnPostgresServer } from '#tests/support/race-track.ts'

type Guest = { readonly owner: TestOwner; readonly calendar: Calendar }

const ROUNDS = 8

let meridian: TestMeridian
let host: TestOwner
let other: BlockingSession

beforeAll(async () => {
  const url = await createDatabase(inject('postgresUrl'))
  meridian = await startOnPostgresServer({ url, poolSize: 20, env: { DEFAULT_PLAN: 'enterprise' } })
  host = await makeOwner(meridian)
  other = await openBlockingSession(url)
})
afterAll(async () => {
  expect(await countDeadlocks(meridian.database)).toBe(0)
  await other.end()
  await meridian.stop()
})

test('a code that is renewed while others enter it lets in those who came before, and nobody after', async () => {
  const place = await sharePlace()
  const guests = await Promise.all(Array.from({ length: ROUNDS }, makeGuest))
  const entered = guests.map((guest) => enter(guest, place.location.sharing_code))
  await Promise.race(entered)
  const renewed = await ask(host, 'POST', `/api/locations/${place.location_id}/sharing-code`)
  const late = await enter(await makeGuest(), place.location.sharing_code)
  const answers = await Promise.all(entered)

  expect(renewed.statusCode, renewed.body).toBe(200)
  expect(late.json().code).toBe('location.code_unknown')
  for (const answer of answers) {
    expect(['in', 'location.code_unknown']).toContain(answer.statusCode === 201 ? 'in' : answer.json().code)
  }
  const letIn = answers.filter(({ statusCode }) => statusCode === 201).length
  expect(letIn).toBeGreaterThan(0)
  expect(await countGuests(place)).toBe(letIn)
  expect(await countUsesWithoutConsent(place)).toBe(0)
})

test('a code that is renewed at the moment in which it is entered is unknown', async () => {
  const place = await sharePlace()
  const renew = `update locations set sharing_code = 'zzzzzzzzzz' where id = $1`
  const guest = await makeGuest()
  const { answer } = await other.hold([[renew, [place.location_id]]], () =>
    enter(guest, place.location.sharing_code),
  )
  expect(answer.json().code).toBe('location.code_unknown')
  expect(await countGuests(place)).toBe(0)
})

test('a guest who is removed while they enter the code again is a guest or has no place, and nothing between', async () => {
  const place = await sharePlace()
  for (let round = 0; round < ROUNDS; round += 1) {
    const guest = await makeGuest()
    const code = await readCode(place)
    expect((await enter(guest, code)).statusCode).toBe(201)
    // The guest has removed the location from the calendar, but may still use it.
    const [use] = (await ask(guest.owner, 'GET', `/api/calendars/${guest.calendar.id}/locations`)).json()
      .calendar_locations
    await ask(guest.owner, 'DELETE', `/api/calendars/${guest.calendar.id}/locations/${use.id}`)
    const removal = `/api/locations/${place.location_id}/calendars/${guest.calendar.id}`
    const early = round % 2 === 0 ? enter(guest, code) : null
    const removed = ask(host, 'DELETE', removal)
    const again = await (early ?? enter(guest, code))
    expect((await removed).statusCode).toBe(204)
    expect(['in', 'location.code_unknown']).toContain(again.statusCode === 201 ? 'in' : again.json().code)
    // The removal has changed the code, so nobody who enters the old code later becomes a guest.
    expect(await countGuests(place)).toBe(0)
    expect(await countUsesWithoutConsent(place)).toBe(0)
    expect(await readCode(place)).not.toBe(code)
  }
})

async function sharePlace(): Promise<CalendarLocation> {
  const home = await makeCalendar(meridian, host)
  const room = { name: 'Room', address: `Room of ${home.id}`, shareable: true }
  return (await ask(host, 'POST', `/api/calendars/${home.id}/locations`, room)).json()
}

async function makeGuest(): Promise<Guest> {
  const owner = await makeOwner(meridian)
  return { owner, calendar: await makeCalendar(meridian, owner) }
}

function enter({ owner, calendar }: Guest, sharing_code: string | null) {
  return ask(owner, 'POST', `/api/calendars/${calendar.id}/locations`, { sharing_code })
}

async function readCode({ location_id }: CalendarLocation): Promise<string | null> {
  const { locations } = (await ask(host, 'GET', '/api/locations')).json()
  return locations.find(({ id }: { id: string }) => id === location_id).sharing_code
}

function countGuests({ location_id }: CalendarLocation): Promise<number> {
  const guests = 'select count(*) from location_guests where location_id = $1'
  return queryNumber(meridian.database, guests, [location_id])
}

/** Counts the calendars of other owners that use the location without being guests of it. */
function countUsesWithoutConsent({ location_id }: CalendarLocation): Promise<number> {
  const uses = `select count(*) from calendar_locations as use
    join calendars on calendars.id = use.calendar_id join locations on locations.id = use.location_id
    where use.location_id = $1 and calendars.user_id <> locations.user_id and not exists (
      select from location_guests as guest where guest.calendar_id = use.calendar_id and guest.location_id = $1
    )`
  return queryNumber(meridian.database, uses, [location_id])
}

function ask(
  asker: TestOwner,
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  payload?: Record<string, unknown>,
) {
  return meridian.request({
    method,
    url,
    cookie: asker.cookie,
    ...(payload === undefined ? {} : { payload }),
  })
}
