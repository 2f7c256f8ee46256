import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars.ts'
import { comeBack, readExternalCalendars, setOut } from '#tests/support/connected-calendar.ts'
import { decide } from '#tests/support/google-stand-in.ts'
import {
  book,
  makeCalendar,
  makeOwner,
  startMeridian,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { post } from '#tests/support/post-form.ts'
import { waitUntil } from '#tests/support/race-track.ts'

const EMAIL = 'owner@gmail.example'

// The whole way through Google's own client library and the stand-in, whose notifications come over HTTP.
let meridian: TestMeridian
let owner: TestOwner
let calendar: Calendar
/** The page of the account at the stand-in. */
let page: string
beforeAll(async () => {
  meridian = await startMeridian()
  await meridian.app.listen({ host: '127.0.0.1', port: 0 })
  owner = await makeOwner(meridian, { tier: 'business' })
  calendar = await makeCalendar(meridian, owner)
})
afterAll(() => meridian.stop())

test('an owner allows the access, and chooses the calendar to read and to write', async () => {
  const own = { owner, calendarId: calendar.id }
  const url = await setOut(meridian, own, { access: 'write' })
  const back = await decide(url.toString(), { email: EMAIL })
  const answer = await comeBack(meridian, owner.cookie, Object.fromEntries(back.searchParams))
  expect(answer.headers.location).toContain('google_connected=success')

  const { connections, sandbox } = await readExternalCalendars(meridian, own)
  expect(sandbox).toContainEqual({ provider: 'google', page: `${url.origin}/calendar` })
  expect(connections).toMatchObject([{ provider: 'google', account_name: EMAIL, can_write: true }])
  page = `${url.origin}/calendar/${encodeURIComponent(EMAIL)}`
  await post(`${page}/${encodeURIComponent(EMAIL)}`, { action: 'zone', time_zone: 'Europe/London' })

  const main = connections[0]?.calendars.find(({ is_primary }) => is_primary)?.id
  const chosen = await meridian.request({
    method: 'PUT',
    url: `/api/calendars/${calendar.id}/external-calendars/choice`,
    cookie: owner.cookie,
    payload: { reads: [main], writes: main },
  })
  expect(chosen.statusCode, chosen.body).toBe(200)
  await waitUntil(async () => {
    const [connection] = (await readExternalCalendars(meridian, own)).connections
    return connection?.calendars.find(({ id }) => id === main)?.synced_at != null
  })
  // Before there is a channel, Google tells nobody about an event.
  await waitUntil(
    async () => (await meridian.database.execute('select id from sync_channels')).rows.length > 0,
  )
})

test('an event that the owner adds there takes its time here', async () => {
  expect(await listOpenTimes()).toContain('2027-01-05T10:00:00Z')
  await post(`${page}/${encodeURIComponent(EMAIL)}/events`, {
    title: 'Dentist',
    start: '2027-01-05T10:00',
    end: '2027-01-05T11:00',
  })
  await waitUntil(async () => !(await listOpenTimes()).includes('2027-01-05T10:00:00Z'))
  const refused = await book(meridian, calendar.slug, { starts_at: '2027-01-05T10:00:00Z' })
  expect(refused.statusCode).toBe(409)
})

test('an appointment is an event there, moves when the event is moved, and ends when it is deleted', async () => {
  const booked = await book(meridian, calendar.slug, { starts_at: '2027-01-05T13:00:00Z' })
  expect(booked.statusCode, booked.body).toBe(201)
  const { id } = booked.json().appointment ?? booked.json()
  await waitUntil(async () => (await readWeek()).includes('Tue, January 5, 2027, 13:00 to '))

  const [, path = ''] = /action="([^"]+\/events\/mrd[^"]+)"/.exec(await readWeek()) ?? []
  const event = new URL(path.replaceAll('&amp;', '&'), page).toString()
  await post(event, { action: 'move', start: '2027-01-05T15:00', end: '2027-01-05T15:30' })
  await waitUntil(
    async () => (await findAppointment(id)).starts_at.toISOString() === '2027-01-05T15:00:00.000Z',
  )

  await post(event, { action: 'delete' })
  await waitUntil(async () => (await findAppointment(id)).status === 'cancelled')
})

async function listOpenTimes(): Promise<string[]> {
  const url = `/api/public/calendars/${calendar.slug}/slots?date=2027-01-05`
  const answer = await meridian.request({ url })
  return answer.json().slots.map(({ starts_at }: { starts_at: string }) => starts_at)
}

async function readWeek(): Promise<string> {
  return (await fetch(`${page}?week=2027-01-05`)).text()
}

function findAppointment(id: string) {
  return meridian.database.db
    .selectFrom('appointments')
    .select(['starts_at', 'status'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}
