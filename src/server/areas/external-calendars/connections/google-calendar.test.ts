import { beforeAll, expect, test } from 'vitest'
import type { SlotsResponse } from '#contract/slots/slots.ts'
import {
  listStoredBusyTimes,
  readExternalCalendars,
  returnFromProvider,
  startConnecting,
  waitUntilCalendarJobsFinish,
} from '#tests/support/connected-calendar.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner, type TestOwner } from '#tests/support/meridian.ts'
import { postForm } from '#tests/support/post-form.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import { queueDueSyncs } from './sync-use-cases.ts'

/**
 * End-to-end tests with the stand-in of Google: its consent page, its calendar page, and its notifications over HTTP.
 */

let owner: TestOwner
let calendarId: string
let slug: string
const EMAIL = 'katherine@gmail.example'

setUpMeridian()
beforeAll(async () => {
  await meridian.app.listen({ host: '127.0.0.1', port: 0 })
  owner = await makeOwner(meridian, { tier: 'business' })
  const calendar = await makeCalendar(meridian, owner)
  calendarId = calendar.id
  slug = calendar.slug
})

test('an owner connects at Google’s consent page, and busy times are no longer offered', async () => {
  const { sandbox, offered } = await read()
  expect(offered).toContain('google')
  expect(sandbox).toContainEqual(expect.objectContaining({ provider: 'google' }))
  await connect({ access: 'write' })
  const [connection] = (await read()).connections
  expect(connection).toMatchObject({ account_name: EMAIL, can_write: true, state: 'active' })
  expect(connection?.calendars[0]).toMatchObject({ reads_busy_times: true, writes_events: true })
  await waitUntilCalendarJobsFinish(meridian)
  expect(await isOffered('2027-01-05T10:00:00Z')).toBe(true)
})

test('an event added at Google makes its time busy through a notification', async () => {
  await press(`/${encodeURIComponent(EMAIL)}`, { action: 'zone', time_zone: 'Europe/London' })
  await press(`/${encodeURIComponent(EMAIL)}/events`, {
    title: 'Dentist',
    start: '2027-01-05T10:00',
    end: '2027-01-05T11:00',
  })
  await waitUntil(async () => !(await isOffered('2027-01-05T10:00:00Z')))
  expect(await isOffered('2027-01-05T11:00:00Z')).toBe(true)
  const events = await listEvents()
  expect(events).toMatchObject([{ title: 'Dentist', starts_at: '2027-01-05T10:00:00.000Z' }])
})

test('an event that one calendar wrote is busy for the owner’s other calendar, also in checks before bookings', async () => {
  const other = await makeCalendar(meridian, owner)
  await choose(other.id, { reads: [await getReadId()], writes: null })
  const [ten, eleven, noon] = ['10', '11', '12'].map((hour) => `2027-01-07T${hour}:00:00Z`)
  if (ten === undefined || eleven === undefined || noon === undefined) throw new Error('three times')
  await bookNow(slug, ten)
  await waitUntil(async () => !(await isOffered(ten, other.slug)))
  for (const [of, startsAt] of [[other.slug, eleven] as const, [slug, noon] as const]) {
    // The copy is more than a minute old, so the booking asks Google about the time around it.
    meridian.clock.ms += 60_001
    await bookNow(of, startsAt)
    expect(await isOffered(ten, other.slug)).toBe(false)
    expectRefusal(await bookAppointment(meridian, other.slug, { starts_at: ten }), 'booking.slot_unavailable')
  }
  await waitUntilCalendarJobsFinish(meridian)
  expect((await syncNow()).statusCode).toBe(200)
  expect(await isOffered(ten, other.slug)).toBe(false)
  expect(await isOffered('2027-01-07T13:00:00Z', other.slug)).toBe(true)
  await choose(other.id, { reads: [], writes: null })
})

test('an expired cursor, small pages and a failing server lead to the same copy', async () => {
  const copy = await listStoredBusyTimes(meridian, await getReadId())
  await press('/faults', { rate_limit: 'off', loses_cursors: 'on', small_pages: 'on' })
  expect((await syncNow()).statusCode).toBe(200)
  expect(await listStoredBusyTimes(meridian, await getReadId())).toEqual(copy)
  await press('/faults', { rate_limit: 'off', failing: 'on' })
  expectRefusal(await syncNow(), 'external_calendar.sync_failed')
  await press('/faults', { rate_limit: 'off' })
  expect((await syncNow()).json()).toMatchObject({ external_calendars: { connections: [{ problem: null }] } })
  expect(await listStoredBusyTimes(meridian, await getReadId())).toEqual(copy)
})

test('access that the owner revoked at Google has to be renewed, and then syncs continue', async () => {
  await press('/faults', { rate_limit: 'off', revoked: 'on' })
  expectRefusal(await syncNow(), 'external_calendar.authorization_expired')
  const [expired] = (await read()).connections
  expect(expired).toMatchObject({ state: 'expired' })
  await meridian.waitForMail(({ subject }) => subject === `Please reconnect your calendar: ${EMAIL}`)
  await press('/faults', { rate_limit: 'off' })
  await connect({ access: 'write', connection_id: expired?.id ?? '' })
  await waitUntilCalendarJobsFinish(meridian)
  expect((await read()).connections).toMatchObject([{ id: expired?.id, state: 'active' }])
  await press(`/${encodeURIComponent(EMAIL)}/events`, { start: '2027-01-06T10:00', end: '2027-01-06T11:00' })
  meridian.clock.ms += 15 * 60_000
  await queueDueSyncs(meridian.deps)
  await waitUntil(async () => !(await isOffered('2027-01-06T10:00:00Z')))
})

test('after disconnecting, all times are offered again', async () => {
  const [connection] = (await read()).connections
  const url = `/api/calendars/${calendarId}/external-calendars/connections/${connection?.id}`
  expect((await owner.delete(url)).statusCode).toBe(200)
  expect(await isOffered('2027-01-05T10:00:00Z')).toBe(true)
  expect(await listEvents()).toEqual([])
  await waitUntilCalendarJobsFinish(meridian)
})

function read() {
  return readExternalCalendars(meridian, { owner, calendarId })
}

/** Connects the account: the owner opens the consent page, ticks every box, and is redirected back. */
async function connect(payload: { access: 'read' | 'write'; connection_id?: string }): Promise<void> {
  const url = await startConnecting(meridian, { owner, calendarId }, payload)
  const page = await (await fetch(url)).text()
  const boxes = [...page.matchAll(/type="checkbox" name="([^"]+)"/g)].map(([, name = '']) => [name, 'on'])
  const consent = await postForm(url.href, { email: EMAIL, decision: 'allow', ...Object.fromEntries(boxes) })
  const back = new URL(consent.headers.get('location') ?? '')
  const answer = await returnFromProvider(meridian, owner.cookie, Object.fromEntries(back.searchParams))
  expect(answer.headers.location).toContain('google_connected=success')
}

/** Presses a button on the account's page in the sandbox. */
async function press(path: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const [google] = (await read()).sandbox
  const answer = await postForm(`${google?.page}/${encodeURIComponent(EMAIL)}${path}`, fields)
  expect(answer.status).toBe(303)
}

function syncNow() {
  return owner.post(`/api/calendars/${calendarId}/external-calendars/sync`)
}

async function getReadId(): Promise<string> {
  const calendars = (await read()).connections.flatMap((connection) => connection.calendars)
  return calendars.find(({ reads_busy_times }) => reads_busy_times)?.id ?? ''
}

async function bookNow(of: string, startsAt: string): Promise<void> {
  const answer = await bookAppointment(meridian, of, { starts_at: startsAt })
  expect(answer.statusCode, answer.body).toBe(201)
}

async function choose(id: string, payload: { reads: string[]; writes: null }): Promise<void> {
  const answer = await owner.put(`/api/calendars/${id}/external-calendars/choice`, payload)
  expect(answer.statusCode, answer.body).toBe(200)
}

async function isOffered(startsAt: string, of = slug): Promise<boolean> {
  const answer = await meridian.get(`/api/public/calendars/${of}/slots?date=${startsAt.slice(0, 10)}`)
  expect(answer.statusCode).toBe(200)
  const { slots }: SlotsResponse = answer.json()
  return slots.some((slot) => Date.parse(slot.starts_at) === Date.parse(startsAt))
}

async function listEvents(): Promise<unknown[]> {
  const range = 'from=2027-01-04T00:00:00Z&until=2027-01-11T00:00:00Z'
  return (await owner.get(`/api/calendars/${calendarId}/external-events?${range}`)).json().events
}
