import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import type { SlotCountsPerDay, SlotsResponse } from '#contract/slots/slots.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar } from '#tests/support/meridian.ts'
import {
  addAppointment,
  addAppointmentType,
  addLocation,
  setPrimaryLocation,
} from '#tests/support/stored-rows.ts'

setUpOwner({ env: { DEFAULT_PLAN: 'enterprise' } })

describe('the open times of a day', () => {
  test('are the half hours from nine to five, each with its instant', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const answer = await getSlots(calendar, { date: '2027-07-05' })
    expect(answer).toMatchObject({ date: '2027-07-05', time_zone: 'Europe/London' })
    expect(answer.slots).toHaveLength(16)
    expect(answer.slots[0]).toEqual({
      slot_start: '09:00:00',
      slot_end: '09:30:00',
      starts_at: '2027-07-05T08:00:00Z',
      ends_at: '2027-07-05T08:30:00Z',
    })
    expect(answer.slots.at(-1)).toMatchObject({ slot_start: '16:30:00', slot_end: '17:00:00' })
  })

  test('last as long as the chosen type and still begin on the half hour', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const type = await addAppointmentType(meridian, calendar.id, { duration: 50 })
    const { slots } = await getSlots(calendar, { date: '2027-01-05', appointment_type_id: type })
    expect(slots[0]).toMatchObject({ slot_start: '09:00:00', slot_end: '09:50:00' })
    expect(slots.at(-1)).toMatchObject({ slot_start: '16:00:00', slot_end: '16:50:00' })
  })

  test('are none for a type longer than the calendar allows', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const longest = await addAppointmentType(meridian, calendar.id, { duration: 120 })
    const tooLong = await addAppointmentType(meridian, calendar.id, { duration: 121 })
    expect(await countSlots(calendar, '2027-01-05', longest)).toBe(13)
    expect(await countSlots(calendar, '2027-01-05', tooLong)).toBe(0)
  })

  test('are none on a day that is past, and only those after this very moment today', async () => {
    const calendar = await makeCalendar(meridian, owner)
    expect(await countSlots(calendar, '2027-01-01')).toBe(0)
    meridian.clock.ms = Date.parse('2027-01-04T10:30:00Z')
    const { slots } = await getSlots(calendar, { date: '2027-01-04' })
    expect(slots[0]?.slot_start).toBe('11:00:00')
  })

  test('end 730 days ahead to the minute', async () => {
    const calendar = await makeCalendar(meridian, owner)
    meridian.clock.ms = Date.parse('2027-01-04T12:00:00Z')
    expect((await getSlots(calendar, { date: '2029-01-03' })).slots.at(-1)?.slot_start).toBe('12:00:00')
    expect(await countSlots(calendar, '2029-01-04')).toBe(0)
  })

  test('leave out what is booked, and give back what is cancelled or a hold that has ended', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const ended = new Date(meridian.clock.ms)
    await addAppointment(meridian, calendar.id, { startsAt: '2027-01-05T09:10:00Z' })
    await addAppointment(meridian, calendar.id, { startsAt: '2027-01-05T10:30:00Z', status: 'cancelled' })
    await addAppointment(meridian, calendar.id, {
      startsAt: '2027-01-05T11:00:00Z',
      status: 'pending_payment',
      hold_expires_at: ended,
      released_at: ended,
    })
    await addAppointment(meridian, calendar.id, {
      startsAt: '2027-01-05T12:00:00Z',
      status: 'pending_payment',
    })
    expect(await listStarts(calendar, '2027-01-05')).toEqual(
      halfHours('10:00', '16:30').filter((time) => time !== '12:00'),
    )
  })

  test('keep the buffer free on both sides of an appointment', async () => {
    const calendar = await makeCalendar(meridian, owner)
    await setRules(calendar, { buffer_time_minutes: 15 })
    await addAppointment(meridian, calendar.id, { startsAt: '2027-01-05T10:00:00Z' })
    expect(await listStarts(calendar, '2027-01-05')).toEqual(['09:00', ...halfHours('11:00', '16:30')])
  })

  test('leave out what takes the same exclusive place on another calendar, without its buffer', async () => {
    const { here, there, location } = await makeNeighbours()
    await setRules(here, { buffer_time_minutes: 30 })
    await addAppointment(meridian, there.id, {
      startsAt: '2027-01-05T10:00:00Z',
      conflict_location_id: location,
    })
    expect(await listStarts(here, '2027-01-05')).toEqual(['09:00', '09:30', ...halfHours('10:30', '16:30')])
  })

  test('leave out preparation and wrap-up at the same exclusive place on another calendar', async () => {
    const { here, there, location } = await makeNeighbours()
    await addAppointment(meridian, there.id, {
      startsAt: '2027-01-05T10:00:00Z',
      conflict_location_id: location,
      wrap_up_minutes: 30,
    })
    const typeId = await addAppointmentType(meridian, here.id, { wrap_up_minutes: 35 })
    expect(await listStarts(here, '2027-01-05', typeId)).toEqual(halfHours('11:00', '16:30'))
  })

  test('keep preparation and wrap-up free across midnight', async () => {
    const calendar = await makeCalendar(meridian, owner)
    await open(calendar, 2, '22:00', '24:00')
    await open(calendar, 3, '00:00', '02:00')
    await addAppointment(meridian, calendar.id, { startsAt: '2027-01-06T00:30:00Z', prepare_minutes: 45 })
    const typeId = await addAppointmentType(meridian, calendar.id, { wrap_up_minutes: 45 })
    const evening = (await listStarts(calendar, '2027-01-05', typeId)).filter((time) => time >= '22:00')
    expect(evening).toEqual(['22:00', '22:30'])
  })

  test('do not mind who else is at a place that several may use, or at a place of another type', async () => {
    const { here, there } = await makeNeighbours({ exclusive: false })
    expect((await bookAppointment(meridian, there.slug)).statusCode).toBe(201)
    expect(await listStarts(here, '2027-01-04')).toContain('09:00')
  })

  test('of an online type need no place', async () => {
    const { here, there } = await makeNeighbours()
    const online = await addAppointmentType(meridian, here.id, { is_online: true })
    const inPerson = await addAppointmentType(meridian, here.id)
    expect((await bookAppointment(meridian, there.slug)).statusCode).toBe(201)
    expect(await listStarts(here, '2027-01-04', online)).toContain('09:00')
    expect(await listStarts(here, '2027-01-04', inPerson)).not.toContain('09:00')
  })

  test('of a type with a place of its own do not need the calendar’s', async () => {
    const { here, there } = await makeNeighbours()
    const elsewhere = await addLocation(meridian, owner, { name: 'Elsewhere' })
    const type = await addAppointmentType(meridian, here.id, { location_id: elsewhere })
    expect((await bookAppointment(meridian, there.slug)).statusCode).toBe(201)
    expect(await listStarts(here, '2027-01-04', type)).toContain('09:00')
  })

  test.each([
    {
      change: 'forward',
      date: '2027-03-28',
      times: ['00:00+0', '00:30+0', '02:00+1', '02:30+1'],
    },
    {
      change: 'back',
      date: '2027-10-31',
      times: ['00:00+1', '00:30+1', '01:00+1', '01:30+1', '01:00+0', '01:30+0', '02:00+0', '02:30+0'],
    },
  ])('carry the wall clock of their moment when clocks go $change', async ({ date, times }) => {
    const calendar = await makeCalendar(meridian, owner)
    await open(calendar, 0, '00:00', '03:00')
    const { slots } = await getSlots(calendar, { date })
    expect(slots.map(({ slot_start, starts_at }) => withOffset(date, slot_start, starts_at))).toEqual(times)
  })
})

describe('the open days of a range', () => {
  test('have as many times as the days say one by one, for a whole month with bookings', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const type = await addAppointmentType(meridian, calendar.id, { duration: 45 })
    for (const startsAt of ['2027-01-05T09:00:00Z', '2027-01-13T12:15:00Z', '2027-01-29T16:00:00Z']) {
      await addAppointment(meridian, calendar.id, { startsAt, minutes: 40 })
    }
    const { days } = await getDays(calendar, '2027-01-01', '2027-01-31', type)
    expect(days).toHaveLength(31)
    for (const day of days) expect(day.open_slots, day.date).toBe(await countSlots(calendar, day.date, type))
    expect(new Set(days.map((day) => day.open_slots)).size).toBeGreaterThan(2)
  })

  test('are at most 62, both ends included', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const { days, time_zone } = await getDays(calendar, '2027-01-04', '2027-03-06')
    expect(time_zone).toBe('Europe/London')
    expect(days).toHaveLength(62)
    expect(days[0]).toEqual({ date: '2027-01-04', open_slots: 16 })
    expect(days.at(-1)).toEqual({ date: '2027-03-06', open_slots: 0 })
  })

  test.each([
    ['63 days', '2027-01-04', '2027-03-07'],
    ['a range that ends before it begins', '2027-01-05', '2027-01-04'],
    ['a day that does not exist', '2027-02-01', '2027-02-30'],
    ['no end', '2027-02-01', ''],
  ])('are refused for %s', async (_case, from, to) => {
    const calendar = await makeCalendar(meridian, owner)
    const response = await get(calendar.slug, 'days', { from, to })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'request.invalid', errors: [{ path: 'to' }] })
  })
})

describe.each([
  ['slots', { date: '2027-01-05' }],
  ['days', { from: '2027-01-05', to: '2027-01-05' }],
] as const)('asking for %s', (operation, range) => {
  test.each([
    ['a link that leads nowhere', 'nobody'],
    ['a link longer than links are', 'a'.repeat(190)],
    ['a link that PostgreSQL cannot read', '%00'],
  ])('with %s is a 404 problem', async (_case, slug) => {
    const response = await get(slug, operation, range)
    expect(response.statusCode).toBe(404)
    expect(response.headers['content-type']).toContain('application/problem+json')
    expect(response.json()).toMatchObject({ code: 'calendar.not_found', title: 'Calendar not found' })
  })

  test('for a type that is unknown or another calendar’s is refused', async () => {
    const [calendar, other] = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
    const foreign = await addAppointmentType(meridian, other.id)
    for (const appointment_type_id of [randomUUID(), foreign]) {
      const response = await get(calendar.slug, operation, { ...range, appointment_type_id })
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({
        code: 'booking.type_unknown',
        title: PROBLEMS['booking.type_unknown'].title,
      })
    }
  })
})

test.each(['tomorrow', '2027-02-30', '2027-1-5', '20270105', '2027-01-05T00:00:00Z', '1969-12-31', ''])(
  'the date %j is refused with the field it stands in',
  async (date) => {
    const calendar = await makeCalendar(meridian, owner)
    const response = await get(calendar.slug, 'slots', { date })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({
      code: 'request.invalid',
      title: PROBLEMS['request.invalid'].title,
      errors: [{ path: 'date', message: 'Please enter a date as yyyy-MM-dd.' }],
    })
  },
)

function get(slug: string, operation: 'slots' | 'days', query: Record<string, string>) {
  return meridian.get(`/api/public/calendars/${slug}/${operation}?${new URLSearchParams(query)}`)
}

async function getSlots(calendar: Calendar, query: Record<string, string>): Promise<SlotsResponse> {
  const response = await get(calendar.slug, 'slots', query)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

async function getDays(
  calendar: Calendar,
  from: string,
  to: string,
  type?: string,
): Promise<SlotCountsPerDay> {
  const query = { from, to, ...(type === undefined ? {} : { appointment_type_id: type }) }
  const response = await get(calendar.slug, 'days', query)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

/** Lists the starts on a date, as HH:MM in local time. */
async function listStarts(calendar: Calendar, date: string, type?: string): Promise<string[]> {
  const query = { date, ...(type === undefined ? {} : { appointment_type_id: type }) }
  return (await getSlots(calendar, query)).slots.map((slot) => slot.slot_start.slice(0, 5))
}

async function countSlots(calendar: Calendar, date: string, type?: string): Promise<number> {
  return (await listStarts(calendar, date, type)).length
}

function halfHours(from: string, to: string): string[] {
  const times: string[] = []
  for (let minutes = 0; minutes < 24 * 60; minutes += 30) {
    const time = new Date(minutes * 60_000).toISOString().slice(11, 16)
    if (time >= from && time <= to) times.push(time)
  }
  return times
}

/** Returns the time as HH:MM, and how many hours local time is ahead of UTC at that instant. */
function withOffset(date: string, label: string, startsAt: string): string {
  const hours = (Date.parse(`${date}T${label}Z`) - Date.parse(startsAt)) / 3_600_000
  return `${label.slice(0, 5)}+${hours}`
}

/** Creates two calendars with the same location as their primary one. */
async function makeNeighbours(place: { exclusive?: boolean } = {}) {
  const [here, there] = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
  const location = await addLocation(meridian, owner, place)
  for (const calendar of [here, there]) await setPrimaryLocation(meridian, calendar.id, location)
  return { here, there, location }
}

async function setRules(calendar: Calendar, rules: { buffer_time_minutes: number }): Promise<void> {
  await meridian.database.db.updateTable('calendars').set(rules).where('id', '=', calendar.id).execute()
}

async function open(calendar: Calendar, dayOfWeek: number, start: string, end: string): Promise<void> {
  await meridian.database.db
    .insertInto('availability')
    .values({
      calendar_id: calendar.id,
      id: randomUUID(),
      day_of_week: dayOfWeek,
      start_time: start,
      end_time: end,
    })
    .execute()
}
