import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { SlotsResponse } from '#contract/slots/slots.ts'
import { waitUntilCalendarJobsFinish } from '#tests/support/connected-calendar.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import { openSandboxAccount, type SandboxAccount } from '#tests/support/sandbox-account.ts'
import { renewChannels } from './channel-use-cases.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DATE = '2027-01-05'
const WEBHOOK = '/api/webhooks/microsoft-calendar'

let calendar: Calendar
let account: SandboxAccount
let email: string
let accounts = 0
/** End-to-end tests with the stand-in of Microsoft. Each test has its own account and calendar. */
setUpMeridian()
beforeAll(async () => {
  await meridian.app.listen({ host: '127.0.0.1', port: 0 })
})
beforeEach(async () => {
  const owner = await makeOwner(meridian, { tier: 'business' })
  calendar = await makeCalendar(meridian, owner)
  accounts += 1
  email = `hedy-${accounts}@outlook.example`
  account = await openSandboxAccount(
    meridian,
    { owner, calendar },
    { provider: 'microsoft', email, date: DATE },
  )
})

async function connect(): Promise<void> {
  expect(await account.connect()).toContain('calendar_connected=microsoft')
  await waitUntilCalendarJobsFinish(meridian)
}

test('cal#28847: an existing recurring meeting is busy at each occurrence until it is deleted', async () => {
  const weekly = { repeats: 'weekly', times: '3' }
  await account.press('/events', { title: 'Choir', start: `${DATE}T10:00`, end: `${DATE}T11:00`, ...weekly })
  await connect()
  const days = [DATE, '2027-01-12', '2027-01-19', '2027-01-26']
  const areOpen = () => Promise.all(days.map((day) => isOffered(`${day}T10:00:00Z`)))
  expect(await areOpen()).toEqual([false, false, false, true])
  // Moves one occurrence, in the week that the page shows.
  await account.pressEvent('Choir', { action: 'move', start: `${DATE}T14:00`, end: `${DATE}T15:00` })
  await waitUntil(async () => !(await isOffered(`${DATE}T14:00:00Z`)))
  expect(await areOpen()).toEqual([true, false, false, true])
  await account.pressEvent('Choir', { action: 'delete' })
  await waitUntil(() => isOffered(`${DATE}T14:00:00Z`))
  expect(await areOpen()).toEqual([true, false, false, true])
})

test('cal#28847: a deleted series is no longer busy', async () => {
  const daily = { repeats: 'daily', times: '3' }
  await account.press('/events', { title: 'Course', start: `${DATE}T10:00`, end: `${DATE}T11:00`, ...daily })
  await connect()
  const days = [DATE, '2027-01-06', '2027-01-07']
  const countOpen = async () => {
    const open = await Promise.all(days.map((day) => isOffered(`${day}T10:00:00Z`)))
    return open.filter(Boolean).length
  }
  expect(await countOpen()).toBe(0)
  await account.pressEvent('Course', { action: 'delete_series' })
  await waitUntil(async () => (await countOpen()) === days.length)
})

test('cal#11913: Outlook still works after an hour: each refresh token is used once, and the next one is stored', async () => {
  await connect()
  for (const hour of ['09', '11', '12']) {
    meridian.clock.ms += 2 * HOUR_MS
    await account.press('/events', { start: `${DATE}T${hour}:00`, end: `${DATE}T${hour}:30` })
    expect((await account.syncNow()).statusCode).toBe(200)
    expect(await isOffered(`${DATE}T${hour}:00:00Z`)).toBe(false)
  }
  expect(await account.read()).toMatchObject({ state: 'active', problem: null })
  expect(await readSandbox('refresh_token')).toMatchObject([
    { isUsed: true },
    { isUsed: true },
    { isUsed: true },
    { isUsed: false },
  ])
})

test('cal#11913: events are still written after an hour', async () => {
  await connect()
  meridian.clock.ms += 2 * HOUR_MS
  expect(
    (await bookAppointment(meridian, calendar.slug, { starts_at: `${DATE}T13:00:00Z` })).statusCode,
  ).toBe(201)
  await waitUntil(async () => (await account.listTimes('Grace Hopper')).length === 1)
})

describe('notifications', () => {
  test('come after Microsoft validated the address, which reveals nothing to others', async () => {
    const question = `${WEBHOOK}?validationToken=${encodeURIComponent('Validation: <b>1</b>')}`
    const answer = await meridian.post(question)
    expect(answer).toMatchObject({ statusCode: 200, body: 'Validation: <b>1</b>' })
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    await connect()
    // The stand-in opens no subscription unless its validation request got a response.
    expect(await readSandbox('subscription')).toMatchObject([{ email, isEnded: false }])
  })

  test('are accepted only with the secret of their subscription', async () => {
    await connect()
    const [open] = await readSandbox('subscription')
    const { id, clientState } = open ?? {}
    expect(clientState).toMatch(/^[\w-]{43}$/)
    const notify = (value: object) =>
      meridian.request({
        method: 'POST',
        url: WEBHOOK,
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ value: [{ subscriptionId: id, changeType: 'updated', ...value }] }),
      })
    expectRefusal(await notify({ clientState: 'guessed' }), 'external_calendar.channel_unknown')
    expectRefusal(await notify({}), 'external_calendar.channel_unknown')
    // Notifications of an unknown kind are accepted as well.
    for (const lifecycleEvent of [undefined, null, 'somethingNew']) {
      expect((await notify({ clientState, lifecycleEvent })).statusCode).toBe(202)
    }
    await waitUntilCalendarJobsFinish(meridian)
    expect(await readSandbox('subscription')).toMatchObject([{ isEnded: false }])
  })

  test('continue through a new subscription after half of the old one’s lifetime', async () => {
    await connect()
    meridian.clock.ms += 4 * DAY_MS
    await renewChannels(meridian.deps)
    expect((await readSandbox('subscription')).map(({ isEnded }) => isEnded).sort()).toEqual([false, true])
    await account.press('/events', { start: '2027-01-12T10:00', end: '2027-01-12T11:00' })
    await waitUntil(async () => !(await isOffered('2027-01-12T10:00:00Z')))
  })
})

test('an expired cursor, small pages and a failing server lead to the same times', async () => {
  for (const hour of ['09', '10', '11', '12', '13', '14']) {
    await account.press('/events', { start: `${DATE}T${hour}:00`, end: `${DATE}T${hour}:20` })
    await account.press('/events', { start: `${DATE}T${hour}:30`, end: `${DATE}T${hour}:50` })
  }
  await connect()
  const times = await listOffered()
  expect(times).not.toContain(`${DATE}T14:00:00.000Z`)
  await account.switchFaults({ loses_cursors: 'on', small_pages: 'on' })
  expect((await account.syncNow()).statusCode).toBe(200)
  expect(await listOffered()).toEqual(times)
  await account.switchFaults({ failing: 'on' })
  expectRefusal(await account.syncNow(), 'external_calendar.sync_failed')
  expect(await listOffered()).toEqual(times)
  await account.switchFaults()
  expect((await account.syncNow()).statusCode).toBe(200)
  expect(await account.read()).toMatchObject({ problem: null })
})

test('access revoked at Microsoft is renewed with the same account, without duplicates', async () => {
  await connect()
  expect(
    (await bookAppointment(meridian, calendar.slug, { starts_at: `${DATE}T13:00:00Z` })).statusCode,
  ).toBe(201)
  await waitUntil(async () => (await account.listTimes('Grace Hopper')).length === 1)
  await account.switchFaults({ revoked: 'on' })
  expectRefusal(await account.syncNow(), 'external_calendar.authorization_expired')
  await meridian.waitForMail(({ subject }) => subject === `Please reconnect your calendar: ${email}`)
  const { id, state } = await account.read()
  expect(state).toBe('expired')
  // This appointment is booked while nothing can be written.
  expect(
    (await bookAppointment(meridian, calendar.slug, { starts_at: `${DATE}T14:00:00Z` })).statusCode,
  ).toBe(201)

  expect(await account.connect({ access: 'write', connection_id: id })).toContain('=microsoft')
  expect(await account.read()).toMatchObject({ id, state: 'active' })
  await waitUntil(async () => (await account.listTimes('Grace Hopper')).length === 2)
})

test('disconnecting removes the events, frees the times and ends the subscription', async () => {
  await account.press('/events', { title: 'Dentist', start: `${DATE}T10:00`, end: `${DATE}T11:00` })
  await connect()
  expect(await isOffered(`${DATE}T10:00:00Z`)).toBe(false)
  await bookAppointment(meridian, calendar.slug, { starts_at: `${DATE}T13:00:00Z` })
  await waitUntil(async () => (await account.listTimes('Grace Hopper')).length === 1)
  expect((await account.disconnect('remove')).statusCode).toBe(200)
  expect(await isOffered(`${DATE}T10:00:00Z`)).toBe(true)
  await waitUntil(async () => (await account.listTimes('Grace Hopper')).length === 0)
  expect(await account.listTimes('Dentist')).toHaveLength(1)
  await waitUntil(async () => (await readSandbox('subscription')).every(({ isEnded }) => isEnded === true))
  const { rows } = await meridian.database.execute(
    'select 1 from calendar_connections where account_name = $1',
    [email],
  )
  expect(rows).toEqual([])
})

async function listOffered(date = DATE): Promise<string[]> {
  const url = `/api/public/calendars/${calendar.slug}/slots?date=${date}`
  const { slots }: SlotsResponse = (await meridian.get(url)).json()
  return slots.map(({ starts_at }) => new Date(starts_at).toISOString())
}

async function isOffered(startsAt: string): Promise<boolean> {
  return (await listOffered(startsAt.slice(0, 10))).includes(new Date(startsAt).toISOString())
}

/** Lists the stand-in's records of this account, oldest first. */
async function readSandbox(kind: 'refresh_token' | 'subscription'): Promise<Record<string, unknown>[]> {
  const { rows } = await meridian.database.execute(
    `select object from sandbox_objects where provider = 'microsoft' and kind = $1 and object ->> 'email' = $2
     order by created_at`,
    [kind, email],
  )
  return rows.map(({ object }) => object as Record<string, unknown>) // The rows contain JSON objects.
}
