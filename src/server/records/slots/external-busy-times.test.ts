import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { describe, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import type { SlotsResponse } from '#contract/slots/slots.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import {
  addExternalCalendar,
  addExternalEvent,
  type StoredExternalCalendar,
} from '#tests/support/external-calendar-rows.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeBookingBody, makeCalendar, TEST_MONDAY } from '#tests/support/meridian.ts'
import { addAppointment } from '#tests/support/stored-rows.ts'

const HOUR_MS = 3_600_000

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })

describe('an event of an external calendar takes its time', () => {
  test('from the times of a day, with the buffer on both sides', async () => {
    const { id } = await addExternalCalendar(meridian, owner, calendar.id)
    await addExternalEvent(meridian, id, { startsAt: '2027-01-05T10:00:00Z', endsAt: '2027-01-05T11:00:00Z' })
    expect(await listStarts('2027-01-05')).not.toEqual(expect.arrayContaining(['10:00', '10:30']))
    expect(await listStarts('2027-01-05')).toEqual(expect.arrayContaining(['09:30', '11:00']))
    await setBuffer(15)
    const starts = await listStarts('2027-01-05')
    expect(starts).not.toContain('09:30')
    expect(starts).not.toContain('11:00')
    expect(starts).toEqual(expect.arrayContaining(['09:00', '11:30']))
  })

  test('from each of the days that it lasts, three weeks long', async () => {
    const { id } = await addExternalCalendar(meridian, owner, calendar.id)
    await addExternalEvent(meridian, id, { startsAt: '2027-02-01T00:00:00Z', endsAt: '2027-02-22T00:00:00Z' })
    const { days } = await ask('days', { from: '2027-01-29', to: '2027-02-23' })
    const open = days.filter((day: { open_slots: number }) => day.open_slots > 0)
    expect(open.map((day: { date: string }) => day.date)).toEqual(['2027-01-29', '2027-02-22', '2027-02-23'])
  })

  test('from a customer who saw it free before it arrived (cal#7278, cal#11688)', async () => {
    const { id } = await addExternalCalendar(meridian, owner, calendar.id)
    expect(await listStarts('2027-01-04')).toContain('09:00')
    await addExternalEvent(meridian, id, { startsAt: '2027-01-04T09:15:00Z', endsAt: '2027-01-04T09:20:00Z' })
    const refused = await bookAppointment(meridian, calendar.slug)
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toMatchObject({ code: 'booking.slot_unavailable' })
  })

  test('from an appointment that is to be restored', async () => {
    const { id } = await addExternalCalendar(meridian, owner, calendar.id)
    const appointment = await addAppointment(meridian, calendar.id, {
      startsAt: '2027-01-05T09:00:00Z',
      status: 'cancelled',
    })
    await addExternalEvent(meridian, id, { startsAt: '2027-01-05T09:00:00Z', endsAt: '2027-01-05T10:00:00Z' })
    const refused = await restore(appointment)
    expect(refused.statusCode).toBe(409)
    expect(refused.json().title).toBe(PROBLEMS['appointment.restore_conflict'].title)
  })

  test('from the owner, who reads which event it is', async () => {
    const { id } = await addExternalCalendar(meridian, owner, calendar.id)
    const startsAt = '2027-01-05T09:00:00Z'
    await addExternalEvent(meridian, id, { startsAt, endsAt: '2027-01-05T10:00:00Z', title: 'Dentist' })
    expect(await judge(startsAt)).toMatchObject({
      reasons: ['busy'],
      external_event: { title: 'Dentist', calendar_name: 'Private' },
    })
    const refused = await bookAsOwner(startsAt, true)
    expect(refused.json()).toMatchObject({ code: 'booking.slot_unavailable' })
    // An appointment occupies the time, and not an event, so no event is named.
    await addAppointment(meridian, calendar.id, { startsAt: '2027-01-05T12:00:00Z' })
    expect(await judge('2027-01-05T12:00:00Z')).toMatchObject({ reasons: ['busy'], external_event: null })
  })

  test('from every calendar that reads it but the one that holds its appointment', async () => {
    const other = await makeCalendar(meridian, owner)
    const { id } = await addExternalCalendar(meridian, owner, calendar.id)
    const at = { startsAt: '2027-01-05T10:00:00Z', endsAt: '2027-01-05T10:30:00Z' }
    await addExternalEvent(meridian, id, { ...at, appointmentCalendarId: calendar.id })
    expect(await listStarts('2027-01-05')).toContain('10:00')
    expect(await judge(at.startsAt)).toMatchObject({ external_event: null })
    await addExternalEvent(meridian, id, { ...at, appointmentCalendarId: other.id, title: 'Other' })
    expect(await listStarts('2027-01-05')).not.toContain('10:00')
    expect(await judge(at.startsAt)).toMatchObject({ reasons: ['busy'], external_event: { title: 'Other' } })
  })

  test('and not from a calendar that does not read it', async () => {
    const other = await makeCalendar(meridian, owner)
    const { id } = await addExternalCalendar(meridian, owner, other.id)
    await meridian.database.db
      .insertInto('used_external_calendars')
      .values({ calendar_id: calendar.id, external_calendar_id: id, writes_events: true })
      .execute()
    await addExternalEvent(meridian, id, { startsAt: '2027-01-05T09:00:00Z', endsAt: '2027-01-05T17:00:00Z' })
    expect(await listStarts('2027-01-05')).toHaveLength(16)
  })
})

describe('while an external calendar cannot be checked', () => {
  const trusts = async (ageHours: number) => {
    meridian.clock.ms = TEST_MONDAY + ageHours * HOUR_MS
    return (await listStarts('2027-01-07')).length
  }

  test('the last copy is trusted for 24 hours, and then nothing is offered', async () => {
    await addExternalCalendar(meridian, owner, calendar.id, { connection: { state: 'expired' } })
    expect(await trusts(24)).toBe(16)
    expect(await trusts(24.001)).toBe(0)
    const { days } = await ask('days', { from: '2027-01-06', to: '2027-01-08' })
    expect(days.map((day: { open_slots: number }) => day.open_slots)).toEqual([0, 0, 0])
    const refused = await bookAppointment(meridian, calendar.slug, { starts_at: '2027-01-07T09:00:00Z' })
    expect(refused.json()).toMatchObject({ code: 'booking.slot_unavailable' })
  })

  test('nothing is offered before the first copy is there', async () => {
    await addExternalCalendar(meridian, owner, calendar.id, { calendar: { synced_at: null } })
    expect(await listStarts('2027-01-07')).toEqual([])
  })

  test.each([
    ['its connection has expired', { connection: { state: 'expired' as const } }],
    ['its last check failed', { connection: { failed_attempts: 1 } }],
    ['it was not checked for half an hour', { calendar: { synced_at: new Date(TEST_MONDAY - 1_800_001) } }],
  ])('nothing is offered at once when the owner wants it so and %s', async (_case, values) => {
    await setPolicy('offer_nothing')
    const healthy = await addExternalCalendar(meridian, owner, calendar.id)
    expect(await listStarts('2027-01-07')).toHaveLength(16)
    await stopReading(healthy)
    await addExternalCalendar(meridian, owner, calendar.id, values)
    expect(await listStarts('2027-01-07')).toEqual([])
  })

  test('everything is offered when the owner wants it so, but for what the last copy has', async () => {
    await setPolicy('always_offer')
    const { id } = await addExternalCalendar(meridian, owner, calendar.id, {
      connection: { state: 'expired', failed_attempts: 9 },
    })
    await addExternalEvent(meridian, id, { startsAt: '2027-01-07T09:00:00Z', endsAt: '2027-01-07T10:00:00Z' })
    expect(await trusts(48)).toBe(14)
  })

  test('a calendar that the provider does not list any more stops nothing', async () => {
    await addExternalCalendar(meridian, owner, calendar.id, { calendar: { synced_at: null, is_gone: true } })
    expect(await listStarts('2027-01-07')).toHaveLength(16)
  })

  test('the owner reads which calendar cannot be checked, and when it was last read', async () => {
    const read_at = new Date(TEST_MONDAY - 25 * HOUR_MS)
    await addExternalCalendar(meridian, owner, calendar.id, {
      calendar: { name: 'Read', synced_at: new Date(TEST_MONDAY) },
    })
    await addExternalCalendar(meridian, owner, calendar.id, {
      calendar: { name: 'Private', synced_at: read_at },
    })
    await addExternalCalendar(meridian, owner, calendar.id, { calendar: { name: 'New', synced_at: null } })
    const { unchecked_calendars } = await judge('2027-01-05T09:00:00Z')
    expect(unchecked_calendars).toEqual([
      { name: 'New', account_name: expect.any(String), read_at: null },
      { name: 'Private', account_name: expect.any(String), read_at: read_at.toISOString() },
    ])
  })

  test('the owner is asked, and can book all the same', async () => {
    await addExternalCalendar(meridian, owner, calendar.id, { calendar: { synced_at: null } })
    expect(await judge('2027-01-05T09:00:00Z')).toMatchObject({ reasons: ['unchecked'] })
    const asked = await bookAsOwner('2027-01-05T09:00:00Z', false)
    expect(asked.json()).toMatchObject({
      code: 'booking.unchecked',
      title: PROBLEMS['booking.unchecked'].title,
    })
    expect((await bookAsOwner('2027-01-05T09:00:00Z', true)).statusCode).toBe(201)
  })

  test('an appointment is restored with a warning', async () => {
    await addExternalCalendar(meridian, owner, calendar.id, { calendar: { synced_at: null } })
    const cancelled = { startsAt: '2027-01-05T09:00:00Z', status: 'cancelled' as const }
    const id = await addAppointment(meridian, calendar.id, cancelled)
    const restored = await restore(id)
    expect(restored.json()).toMatchObject({
      status: 'confirmed',
      warning: 'Could not verify Google Calendar conflicts. Please check manually.',
    })
  })
})

async function ask(operation: 'slots' | 'days', query: Record<string, string>) {
  const response = await meridian.get(
    `/api/public/calendars/${calendar.slug}/${operation}?${new URLSearchParams(query)}`,
  )
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

/** Lists the starts on a date, as HH:MM in local time. */
async function listStarts(date: string): Promise<string[]> {
  const { slots }: SlotsResponse = await ask('slots', { date })
  return slots.map((slot) => slot.slot_start.slice(0, 5))
}

async function setBuffer(minutes: number): Promise<void> {
  await meridian.database.db
    .updateTable('calendars')
    .set({ buffer_time_minutes: minutes })
    .where('id', '=', calendar.id)
    .execute()
}

type Policy = Insertable<Schema['external_calendar_settings']>['when_unchecked']

async function setPolicy(when_unchecked: Policy): Promise<void> {
  await meridian.database.db
    .insertInto('external_calendar_settings')
    .values({ calendar_id: calendar.id, when_unchecked })
    .execute()
}

async function stopReading({ id }: StoredExternalCalendar): Promise<void> {
  await meridian.database.db
    .deleteFrom('used_external_calendars')
    .where('external_calendar_id', '=', id)
    .execute()
}

async function judge(starts_at: string) {
  const response = await owner.get(
    `/api/calendars/${calendar.id}/appointment-time?${new URLSearchParams({ starts_at })}`,
  )
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

function bookAsOwner(starts_at: string, outside_hours: boolean) {
  const { customer } = makeBookingBody()
  return meridian.request({
    method: 'POST',
    url: `/api/calendars/${calendar.id}/appointments`,
    headers: { cookie: owner.cookie, 'idempotency-key': randomUUID() },
    payload: { starts_at, customer, outside_hours },
  })
}

function restore(appointmentId: string) {
  return owner.post(`/api/calendars/${calendar.id}/appointments/${appointmentId}/actions`, {
    action: 'restore',
  })
}
