import { beforeAll, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import { openSandboxAccount, type SandboxAccount } from '#tests/support/sandbox-account.ts'

/** A Tuesday in winter, when London uses UTC. */
const DATE = '2027-01-05'
const TEN = `${DATE}T10:00:00Z`

// These tests run end to end through each provider's adapter and its stand-in, whose push notifications arrive over
// HTTP.
setUpMeridian()
beforeAll(async () => {
  await meridian.app.listen({ host: '127.0.0.1', port: 0 })
})

describe.each([
  { provider: 'google', email: 'owner@gmail.example', led: 'google_connected=success' },
  { provider: 'microsoft', email: 'owner@outlook.example', led: 'calendar_connected=microsoft' },
] as const)('the calendar of a $provider account', ({ provider, email, led }) => {
  let calendar: Calendar
  let account: SandboxAccount
  beforeAll(async () => {
    const owner = await makeOwner(meridian, { tier: 'business' })
    calendar = await makeCalendar(meridian, owner)
    account = await openSandboxAccount(meridian, { owner, calendar }, { provider, email, date: DATE })
  })

  test('its owner allows the access, and the main one is read and written to', async () => {
    expect(await account.connect()).toBe(
      `http://localhost:3000/calendar/${calendar.id}/settings?tab=integrations&${led}`,
    )
    const { calendars, ...connection } = await account.read()
    expect(connection).toMatchObject({ provider, state: 'active', can_write: true })
    expect(calendars.filter(({ reads_busy_times }) => reads_busy_times)).toMatchObject([
      { is_primary: true, writes_events: true },
    ])
    await waitUntil(async () => (await account.read()).calendars[0]?.synced_at != null)
    // Wait for the push channel, because without one the provider does not report events.
    await waitUntil(async () => (await listChannels()).length > 0)
  })

  test('an event that is added there takes its time here', async () => {
    expect(await listOpenTimes()).toContain(TEN)
    await account.press('/events', { title: 'Dentist', start: `${DATE}T10:00`, end: `${DATE}T11:00` })
    await waitUntil(async () => !(await listOpenTimes()).includes(TEN))
    expect((await bookAppointment(meridian, calendar.slug, { starts_at: TEN })).statusCode).toBe(409)
  })

  test('an appointment is an event there, moves when the event is moved, and ends when it is deleted', async () => {
    const booked = await bookAppointment(meridian, calendar.slug, { starts_at: `${DATE}T13:00:00Z` })
    expect(booked.statusCode, booked.body).toBe(201)
    const { id } = booked.json().appointment ?? booked.json()
    await waitUntil(async () => (await account.listTimes('Grace Hopper')).length > 0)
    expect(await account.listTimes('Grace Hopper')).toEqual(['Tue, January 5, 2027, 13:00 to 13:30'])

    const moved = { action: 'move', start: `${DATE}T15:00`, end: `${DATE}T15:30` }
    await account.pressEvent('Grace Hopper', moved)
    await waitUntil(
      async () => (await findAppointment(id)).starts_at.toISOString() === `${DATE}T15:00:00.000Z`,
    )

    await account.pressEvent('Grace Hopper', { action: 'delete' })
    await waitUntil(async () => (await findAppointment(id)).status === 'cancelled')
  })

  async function listOpenTimes(): Promise<string[]> {
    const answer = await meridian.get(`/api/public/calendars/${calendar.slug}/slots?date=${DATE}`)
    return answer.json().slots.map(({ starts_at }: { starts_at: string }) => starts_at)
  }

  async function listChannels(): Promise<unknown[]> {
    const { rows } = await meridian.database.execute(
      `select channel.id from sync_channels as channel
       join used_external_calendars as used on used.external_calendar_id = channel.external_calendar_id
       where used.calendar_id = $1`,
      [calendar.id],
    )
    return rows
  }
})

function findAppointment(id: string) {
  return meridian.database.db
    .selectFrom('appointments')
    .select(['starts_at', 'status'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}
