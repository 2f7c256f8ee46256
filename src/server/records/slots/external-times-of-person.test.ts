import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { DEFAULT_POLICY } from '#core/appointments/policy.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { addExternalCalendar, addExternalEvent } from '#tests/support/external-calendar-rows.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import {
  bookAppointment,
  makeBookingBody,
  makeCalendar,
  makeOwner,
  TEST_MONDAY,
} from '#tests/support/meridian.ts'
import { manageTokenOf } from '#tests/support/policies.ts'
import { addAppointment } from '#tests/support/stored-rows.ts'

// Source: rules G5, G8 and G31.

const HOUR_MS = 3_600_000
const TEN = '2027-01-05T10:00:00Z'
const HALF_PAST_TEN = '2027-01-05T10:30:00Z'
const TWO = '2027-01-05T14:00:00Z'

setUpOwner({ owner: { lifetime: 'test', tier: 'enterprise' } })
/** The calendar that reads the external calendar. */
let reader: Calendar
/** Another calendar of the same person, which reads no external calendar. */
let second: Calendar
/** A calendar of another person in the same account. */
let theirs: Calendar
let externalId: string

beforeEach(async () => {
  reader = await makeCalendar(meridian, owner, { name: 'Family law', person_name: '' })
  second = await makeCalendar(meridian, owner, { name: 'Tenancy law', person_name: '' })
  theirs = await makeCalendar(meridian, owner, { person_name: 'Jon Osei' })
  externalId = (await addExternalCalendar(meridian, owner, reader.id)).id
})

describe('an event that one calendar of a person reads takes its time on the other', () => {
  beforeEach(() =>
    addExternalEvent(meridian, externalId, { startsAt: TEN, endsAt: HALF_PAST_TEN, title: 'Dentist' }),
  )

  test('from its times and days, with its own buffer, and not from the calendar of somebody else', async () => {
    expect(await listStarts(second)).not.toContain('10:00')
    expect(await listStarts(second)).toEqual(expect.arrayContaining(['09:30', '10:30']))
    expect(await listStarts(theirs)).toContain('10:00')
    const open = async (calendar: Calendar) => (await listDays(calendar))[0]?.open_slots
    expect(await open(second)).toBe(15)
    expect(await open(theirs)).toBe(16)
    await setBuffer(second, 15)
    expect(await listStarts(second)).not.toContain('09:30')
  })

  test('from its first times', async () => {
    await addExternalEvent(meridian, externalId, {
      startsAt: '2027-01-04T00:00:00Z',
      endsAt: '2027-01-05T09:30:00Z',
    })
    const first = async (calendar: Calendar) =>
      (await ask(`/api/public/calendars/${calendar.slug}/first-times`)).days[0]
    expect(await first(second)).toMatchObject({
      date: '2027-01-05',
      slots: [{ slot_start: '09:30:00' }, {}, {}],
    })
    expect(await first(theirs)).toMatchObject({ date: '2027-01-04' })
  })

  test('from a customer who books or moves an appointment there', async () => {
    expectRefusal(
      await bookAppointment(meridian, second.slug, { starts_at: TEN }),
      'booking.slot_unavailable',
    )
    expect((await bookAppointment(meridian, theirs.slug, { starts_at: TEN })).statusCode).toBe(201)
    const policy = { ...DEFAULT_POLICY, moving: { kind: 'until', hours: 0, times: null } }
    const id = await addAppointment(meridian, second.id, {
      startsAt: TWO,
      policy: JSON.stringify(policy),
      policy_text: 'Freely.',
    })
    const moved = await meridian.post(`/api/public/manage/${manageTokenOf(meridian, id)}/move`, {
      starts_at: TEN,
      expected_starts_at: TWO,
    })
    expectRefusal(moved, 'booking.slot_unavailable')
  })

  test('from the owner who books, moves or restores one, and reads which event it is', async () => {
    expect(await judge(second)).toMatchObject({
      reasons: ['busy'],
      external_event: { title: 'Dentist', calendar_name: 'Private' },
    })
    expect(await judge(theirs)).toMatchObject({ reasons: [], external_event: null })
    const { customer } = makeBookingBody()
    expectRefusal(
      await act(second, '', { starts_at: TEN, customer, outside_hours: true }),
      'booking.slot_unavailable',
    )
    const kept = await addAppointment(meridian, second.id, { startsAt: TWO })
    expectRefusal(
      await act(second, `/${kept}/move`, { starts_at: TEN, expected_starts_at: TWO, outside_hours: true }),
      'appointment.move_conflict',
    )
    const cancelled = await addAppointment(meridian, second.id, { startsAt: TEN, status: 'cancelled' })
    expectRefusal(
      await act(second, `/${cancelled}/actions`, { action: 'restore' }),
      'appointment.restore_conflict',
    )
  })

  test('and stands in the week of both, with its name', async () => {
    const titles = async (calendar: Calendar) => {
      const url = `/api/calendars/${calendar.id}/external-events?from=2027-01-05T00:00:00Z&until=2027-01-06T00:00:00Z`
      return (await ask(url)).events.map(({ title }: { title: string }) => title)
    }
    expect(await titles(second)).toEqual(['Dentist'])
    expect(await titles(theirs)).toEqual([])
  })

  test('and stands once in the week over all calendars of the owner, and in that of nobody else', async () => {
    const query = 'from=2027-01-05T00:00:00Z&until=2027-01-06T00:00:00Z'
    expect((await ask(`/api/external-events?${query}`)).events).toMatchObject([{ title: 'Dentist' }])
    const stranger = await makeOwner(meridian)
    expect((await stranger.get(`/api/external-events?${query}`)).json().events).toEqual([])
  })

  test('once, when both read it', async () => {
    await meridian.database.db
      .insertInto('used_external_calendars')
      .values({ calendar_id: second.id, external_calendar_id: externalId, reads_busy_times: true })
      .execute()
    expect(await listStarts(second)).toHaveLength(15)
    expect(await listStarts(reader)).toHaveLength(15)
  })

  test('until the calendar is given to somebody else, whose events count from then on', async () => {
    const { id } = await addExternalCalendar(meridian, owner, theirs.id)
    await addExternalEvent(meridian, id, { startsAt: TWO, endsAt: '2027-01-05T14:30:00Z' })
    await give(second, { name: 'Jon Osei' })
    expect(await listStarts(second)).toContain('10:00')
    expect(await listStarts(second)).not.toContain('14:00')
    await give(second, { person_id: owner.id })
    expect(await listStarts(second)).not.toContain('10:00')
    expect(await listStarts(second)).toContain('14:00')
  })

  test('and not where the other calendar only writes to it', async () => {
    const written = await addExternalCalendar(meridian, owner, reader.id, {
      used: { reads_busy_times: false, writes_events: true },
    })
    await addExternalEvent(meridian, written.id, { startsAt: TWO, endsAt: '2027-01-05T14:30:00Z' })
    expect(await listStarts(second)).toContain('14:00')
  })
})

describe('the event of an appointment', () => {
  test('on any calendar of the person counts as an appointment, with the larger buffer', async () => {
    await setBuffer(reader, 30)
    await addAppointment(meridian, second.id, { startsAt: TEN })
    await addExternalEvent(meridian, externalId, {
      startsAt: TEN,
      endsAt: HALF_PAST_TEN,
      appointmentCalendarId: second.id,
    })
    const around = ['09:30', '10:00', '10:30']
    for (const calendar of [reader, second])
      expect(await judge(calendar)).toMatchObject({ external_event: null })
    expect((await listStarts(reader)).filter((start) => around.includes(start))).toEqual([])
    expect((await listStarts(second)).filter((start) => around.includes(start))).toEqual(['09:30', '10:30'])
    // The event exists until we delete it. The cancelled appointment does not occupy the time.
    await meridian.database.execute(`update appointments set status = 'cancelled' where calendar_id = $1`, [
      second.id,
    ])
    for (const calendar of [reader, second]) expect(await listStarts(calendar)).toContain('10:00')
  })

  test('of somebody else is busy', async () => {
    await addExternalEvent(meridian, externalId, {
      startsAt: TEN,
      endsAt: HALF_PAST_TEN,
      appointmentCalendarId: theirs.id,
    })
    for (const calendar of [reader, second]) expect(await listStarts(calendar)).not.toContain('10:00')
  })
})

describe('while an external calendar that another calendar of the person reads cannot be checked', () => {
  const stopChecks = () =>
    meridian.database.execute(`update calendar_connections set failed_attempts = 1 where user_id = $1`, [
      owner.id,
    ])

  test('nothing is offered a day after the last copy, as on the calendar that reads it', async () => {
    meridian.clock.ms = TEST_MONDAY + 24 * HOUR_MS + 1
    for (const calendar of [reader, second]) {
      expect(await listStarts(calendar, '2027-01-07')).toEqual([])
      expect(await judge(calendar, '2027-01-07T09:00:00Z')).toMatchObject({ reasons: ['unchecked'] })
    }
    expect(await listStarts(theirs, '2027-01-07')).toHaveLength(16)
  })

  test('the calendar that reads it decides what is offered', async () => {
    await stopChecks()
    await setPolicy(second, 'offer_nothing')
    expect(await listStarts(second)).toHaveLength(16)
    await setPolicy(reader, 'offer_nothing')
    expect(await listStarts(second)).toEqual([])
  })

  test('a calendar that reads it as well decides for itself', async () => {
    await stopChecks()
    await setPolicy(reader, 'offer_nothing')
    await meridian.database.db
      .insertInto('used_external_calendars')
      .values({ calendar_id: second.id, external_calendar_id: externalId, reads_busy_times: true })
      .execute()
    expect(await listStarts(second)).toHaveLength(16)
    expect(await listStarts(reader)).toEqual([])
  })
})

async function ask(url: string) {
  const response = await owner.get(url)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

/** Lists the starts on a date, as HH:MM in local time. */
async function listStarts({ slug }: Calendar, date = '2027-01-05'): Promise<string[]> {
  const { slots } = await ask(`/api/public/calendars/${slug}/slots?date=${date}`)
  return slots.map(({ slot_start }: { slot_start: string }) => slot_start.slice(0, 5))
}

async function listDays({ slug }: Calendar): Promise<{ open_slots: number }[]> {
  return (await ask(`/api/public/calendars/${slug}/days?from=2027-01-05&to=2027-01-05`)).days
}

function judge({ id }: Calendar, startsAt = TEN) {
  return ask(`/api/calendars/${id}/appointment-time?${new URLSearchParams({ starts_at: startsAt })}`)
}

function act({ id }: Calendar, path: string, payload: Record<string, unknown>) {
  return meridian.request({
    method: 'POST',
    url: `/api/calendars/${id}/appointments${path}`,
    cookie: owner.cookie,
    headers: { 'idempotency-key': randomUUID() },
    payload,
  })
}

async function give({ id }: Calendar, payload: Record<string, unknown>): Promise<void> {
  const given = await owner.put(`/api/calendars/${id}/person`, payload)
  expect(given.statusCode, given.body).toBe(200)
}

async function setBuffer({ id }: Calendar, minutes: number): Promise<void> {
  await meridian.database.execute('update calendars set buffer_time_minutes = $2 where id = $1', [
    id,
    minutes,
  ])
}

async function setPolicy({ id }: Calendar, policy: 'offer_nothing' | 'always_offer'): Promise<void> {
  await meridian.database.db
    .insertInto('external_calendar_settings')
    .values({ calendar_id: id, when_unchecked: policy })
    .execute()
}
