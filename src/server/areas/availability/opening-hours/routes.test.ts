import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AvailabilityPreview, AvailabilityResponse } from '#contract/availability/opening-hours.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import { addAppointment, addAppointmentType } from '#tests/support/stored-rows.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' }, calendar: 'file' })

const DEFAULT_SETTINGS = {
  slot_duration_minutes: 30,
  buffer_time_minutes: 0,
  max_appointment_duration_minutes: 120,
  minimum_notice_minutes: 0,
  booking_window: { kind: 'none' },
}

test('a new calendar is open Monday to Friday 09:00 to 17:00, with the default slot settings (rules T17 and T28)', async () => {
  const shop = await makeCalendar(meridian, owner)
  const type = await addAppointmentType(meridian, shop.id, { name: 'Massage', duration: 45 })
  const answer = await ask('GET', '/availability', undefined, shop.id)
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.json()).toEqual({
    ...DEFAULT_SETTINGS,
    booking_limits: [],
    availability: [1, 2, 3, 4, 5].map((day_of_week) => ({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      calendar_id: shop.id,
      day_of_week,
      start_time: '09:00:00',
      end_time: '17:00:00',
      ...DEFAULT_SETTINGS,
    })),
    appointment_types: [
      { id: type, name: 'Massage', duration: 45, start_step_minutes: null, is_packed: false },
    ],
  })
})

describe('a range', () => {
  test('is added with or without seconds, until midnight too, and the week is listed Monday first', async () => {
    const shop = await makeCalendar(meridian, owner)
    const sunday = await add(shop.id, 0, '18:00', '24:00')
    expect(sunday.statusCode, sunday.body).toBe(201)
    expect(sunday.json()).toMatchObject({ day_of_week: 0, start_time: '18:00:00', end_time: '24:00:00' })
    expect((await add(shop.id, 1, '00:00:00', '08:30:00')).statusCode).toBe(201)
    expect(await listWeek(shop.id)).toEqual([
      '1 00:00:00 08:30:00',
      ...[1, 2, 3, 4, 5].map((day) => `${day} 09:00:00 17:00:00`),
      '0 18:00:00 24:00:00',
    ])
  })

  test('may touch another one, and the times that are offered run across the joint', async () => {
    const shop = await makeCalendar(meridian, owner)
    const type = await addAppointmentType(meridian, shop.id, { duration: 60 })
    expect((await add(shop.id, 1, '17:00', '18:00')).statusCode).toBe(201)
    const [monday] = (await preview(shop, { appointment_type_id: type })).days
    expect(monday?.slots.map((slot) => slot.slot_start).slice(-3)).toEqual([
      '16:00:00',
      '16:30:00',
      '17:00:00',
    ])
  })

  test.each([
    ['09:00', '17:00'],
    ['08:00', '09:01'],
    ['16:59', '18:00'],
    ['10:00', '11:00'],
    ['00:00', '24:00'],
  ])('from %s to %s overlaps what is there and is refused', async (start, end) => {
    expectRefusal(await add(calendar.id, 1, start, end), 'availability.overlap')
  })

  test.each([
    ['12:00', '12:00'],
    ['17:00', '09:00'],
    ['24:00', '24:00'],
  ])('from %s to %s is refused: it starts too late', async (start, end) => {
    expectRefusal(await add(calendar.id, 6, start, end), 'availability.start_after_end')
  })

  test.each([
    ['start_time', { start_time: '9:00' }],
    ['start_time', { start_time: '09:00:30' }],
    ['start_time', { start_time: '25:00' }],
    ['end_time', { end_time: '24:01' }],
    ['end_time', { end_time: null }],
    ['day_of_week', { day_of_week: 7 }],
    ['day_of_week', { day_of_week: -1 }],
    ['day_of_week', { day_of_week: 1.5 }],
    ['day_of_week', { day_of_week: '1' }],
  ])('with a %s like %j is refused', async (path, fields) => {
    const body = { day_of_week: 6, start_time: '09:00', end_time: '10:00', ...fields }
    const answer = await ask('POST', '/availability', body)
    expectRefusal(answer, 'request.invalid')
    expect(answer.json().errors).toEqual([{ path, message: expect.any(String) }])
  })

  test('is removed once', async () => {
    const shop = await makeCalendar(meridian, owner)
    const { id } = (await add(shop.id, 6, '10:00', '12:00')).json()
    expect((await ask('DELETE', `/availability/${id}`, undefined, shop.id)).statusCode).toBe(204)
    expectRefusal(await ask('DELETE', `/availability/${id}`, undefined, shop.id), 'availability.not_found')
    expectRefusal(await ask('DELETE', '/availability/1', undefined, shop.id), 'availability.not_found')
    expect(await listWeek(shop.id)).toHaveLength(5)
  })

  test('is one of at most twenty of its weekday', async () => {
    const shop = await makeCalendar(meridian, owner)
    const clock = (half: number) => `${String(half >> 1).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`
    for (let half = 0; half < LIMITS.rangesPerWeekday; half += 1) {
      expect((await add(shop.id, 6, clock(half), clock(half + 1))).statusCode).toBe(201)
    }
    expectRefusal(await add(shop.id, 6, '20:00', '21:00'), 'availability.too_many')
    expect((await add(shop.id, 0, '20:00', '21:00')).statusCode).toBe(201)
  })
})

describe('other times for a range', () => {
  test('replace its times, and customers are offered the new ones', async () => {
    const shop = await makeCalendar(meridian, owner)
    const id = await rangeOf(shop.id, 1)
    const answer = await changeRange(shop.id, id, { start_time: '22:00', end_time: '24:00' })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json()).toMatchObject({ id, day_of_week: 1, start_time: '22:00:00', end_time: '24:00:00' })
    expect((await listWeek(shop.id))[0]).toBe('1 22:00:00 24:00:00')
    const [monday] = (await preview(shop)).days
    expect(monday?.slots.map(({ slot_start }) => slot_start)).toEqual([
      '22:00:00',
      '22:30:00',
      '23:00:00',
      '23:30:00',
    ])
  })

  test('may overlap the old ones and touch another range, and leave booked appointments alone', async () => {
    const shop = await makeCalendar(meridian, owner)
    const booked = await addAppointment(meridian, shop.id, { startsAt: '2027-01-04T16:30:00Z' })
    await add(shop.id, 1, '17:00', '18:00')
    const id = await rangeOf(shop.id, 1)
    expect((await changeRange(shop.id, id, { start_time: '08:00', end_time: '17:00' })).statusCode).toBe(200)
    expect((await changeRange(shop.id, id, { start_time: '08:00', end_time: '12:00' })).statusCode).toBe(200)
    const text = 'select status from appointments where id = $1'
    expect((await meridian.database.execute(text, [booked])).rows).toEqual([{ status: 'confirmed' }])
  })

  test.each([
    ['availability.overlap', { start_time: '09:00', end_time: '18:01' }],
    ['availability.start_after_end', { start_time: '12:00', end_time: '12:00' }],
    ['request.invalid', { start_time: '9:00', end_time: '12:00' }],
    ['request.invalid', { start_time: '09:00', end_time: '24:30' }],
    [
      'request.changed_meanwhile',
      {
        start_time: '08:00',
        end_time: '17:00',
        was: { start_time: '09:00', end_time: '16:00' },
      },
    ],
  ] as const)('are refused with %s for %j, and nothing changes', async (code, body) => {
    const shop = await makeCalendar(meridian, owner)
    await add(shop.id, 1, '18:00', '19:00')
    expectRefusal(await changeRange(shop.id, await rangeOf(shop.id, 1), body), code)
    expect((await listWeek(shop.id))[0]).toBe('1 09:00:00 17:00:00')
  })

  test('are refused for a range that was removed, and a removal for one with other times', async () => {
    const shop = await makeCalendar(meridian, owner)
    const id = await rangeOf(shop.id, 1)
    const times = { start_time: '09:00', end_time: '12:00' }
    await changeRange(shop.id, id, { ...times, was: { start_time: '09:00', end_time: '17:00' } })
    const late = await ask(
      'DELETE',
      `/availability/${id}?start_time=09:00&end_time=17:00`,
      undefined,
      shop.id,
    )
    expectRefusal(late, 'request.changed_meanwhile')
    const knowing = `/availability/${id}?start_time=09:00:00&end_time=12:00:00`
    expect((await ask('DELETE', knowing, undefined, shop.id)).statusCode).toBe(204)
    expectRefusal(await changeRange(shop.id, id, times), 'availability.not_found')
  })
})

describe('other hours for whole days', () => {
  const LUNCH_BREAK = [
    { start_time: '13:00', end_time: '17:00' },
    { start_time: '09:00', end_time: '12:00' },
  ]

  test('replace those of the named days and leave the others', async () => {
    const shop = await makeCalendar(meridian, owner)
    const days = [
      { day_of_week: 1, ranges: LUNCH_BREAK },
      { day_of_week: 0, ranges: [{ start_time: '22:00', end_time: '24:00' }] },
      { day_of_week: 5, ranges: [] },
    ]
    const answer = await replaceDays(shop.id, { days })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(toLines(answer.json())).toEqual([
      '1 09:00:00 12:00:00',
      '1 13:00:00 17:00:00',
      ...[2, 3, 4].map((day) => `${day} 09:00:00 17:00:00`),
      '0 22:00:00 24:00:00',
    ])
    expect(await listWeek(shop.id)).toEqual(toLines(answer.json()))
  })

  test.each([
    [
      'availability.overlap',
      [{ day_of_week: 1, ranges: [...LUNCH_BREAK, { start_time: '11:00', end_time: '12:30' }] }],
    ],
    [
      'availability.start_after_end',
      [{ day_of_week: 1, ranges: [{ start_time: '12:00', end_time: '12:00' }] }],
    ],
    ['request.invalid', []],
    ['request.invalid', [{ day_of_week: 7, ranges: [] }]],
    ['request.invalid', [1, 1].map((day_of_week) => ({ day_of_week, ranges: [] }))],
    ['availability.too_many', [{ day_of_week: 1, ranges: listQuarters(21) }]],
  ] as const)('are refused with %s for %j, and nothing changes', async (code, days) => {
    const shop = await makeCalendar(meridian, owner)
    expectRefusal(await replaceDays(shop.id, { days }), code)
    expect(await listWeek(shop.id)).toHaveLength(5)
  })

  test('are not overwritten unseen when another window was faster, by a copy neither', async () => {
    const shop = await makeCalendar(meridian, owner)
    const shown = [{ day_of_week: 2, ranges: [{ start_time: '09:00', end_time: '17:00' }] }]
    const wednesday = [{ day_of_week: 3, ranges: [] }]
    const days = [{ day_of_week: 2, ranges: LUNCH_BREAK }]
    // Another window changes another day, which does not matter, and then the same one.
    await replaceDays(shop.id, { days: wednesday })
    expect((await replaceDays(shop.id, { days, was: shown })).statusCode).toBe(200)
    expectRefusal(await replaceDays(shop.id, { days: shown, was: shown }), 'request.changed_meanwhile')
    const copy = { from_day: 1, to_days: [2] }
    const late = await ask('POST', '/availability/copy', { ...copy, was: shown }, shop.id)
    expectRefusal(late, 'request.changed_meanwhile')
    // The order of the ranges does not matter.
    const knowing = await ask('POST', '/availability/copy', { ...copy, was: days }, shop.id)
    expect(knowing.statusCode, knowing.body).toBe(200)
    expect((await listWeek(shop.id)).slice(0, 2)).toEqual(['1 09:00:00 17:00:00', '2 09:00:00 17:00:00'])
  })
})

describe('copying a day', () => {
  test('puts its ranges in the place of those of the chosen days and leaves the others', async () => {
    const shop = await makeCalendar(meridian, owner)
    await ask('DELETE', `/availability/${await rangeOf(shop.id, 1)}`, undefined, shop.id)
    await add(shop.id, 1, '08:00', '12:00')
    await add(shop.id, 1, '14:00', '24:00')
    const answer = await ask('POST', '/availability/copy', { from_day: 1, to_days: [2, 0, 2] }, shop.id)
    expect(answer.statusCode, answer.body).toBe(200)
    const week = ['1', '2'].flatMap((day) => [`${day} 08:00:00 12:00:00`, `${day} 14:00:00 24:00:00`])
    const rest = ['3', '4', '5'].map((day) => `${day} 09:00:00 17:00:00`)
    expect(toLines(answer.json())).toEqual([...week, ...rest, '0 08:00:00 12:00:00', '0 14:00:00 24:00:00'])
    expect(await listWeek(shop.id)).toEqual(toLines(answer.json()))
  })

  test('that is closed closes the others', async () => {
    const shop = await makeCalendar(meridian, owner)
    await ask('POST', '/availability/copy', { from_day: 6, to_days: [1, 2, 3] }, shop.id)
    expect(await listWeek(shop.id)).toEqual(['4 09:00:00 17:00:00', '5 09:00:00 17:00:00'])
  })

  test.each([
    { from_day: 1, to_days: [] },
    { from_day: 1, to_days: [1] },
    { from_day: 1, to_days: [7] },
    { from_day: 9, to_days: [1] },
    { from_day: 1, to_days: [0, 2, 3, 4, 5, 6, 0] },
  ])('by %j is refused', async (body) => {
    expectRefusal(await ask('POST', '/availability/copy', body), 'request.invalid')
  })
})

describe('the slot settings', () => {
  test('are changed in what is sent and keep the rest', async () => {
    const shop = await makeCalendar(meridian, owner)
    const first = await change(shop.id, { slot_duration_minutes: 15, buffer_time_minutes: 10 })
    expect(first.statusCode, first.body).toBe(200)
    expect(first.json()).toEqual({
      ...DEFAULT_SETTINGS,
      slot_duration_minutes: 15,
      buffer_time_minutes: 10,
      booking_limits: [],
    })
    const second = await change(shop.id, { max_appointment_duration_minutes: 480 })
    expect(second.json()).toEqual({ ...first.json(), max_appointment_duration_minutes: 480 })
    expect((await ask('GET', '/availability', undefined, shop.id)).json()).toMatchObject(second.json())
  })

  test.each([
    { slot_duration_minutes: 20 },
    { slot_duration_minutes: '30' },
    { buffer_time_minutes: -5 },
    { buffer_time_minutes: 65 },
    { buffer_time_minutes: 7 },
    { max_appointment_duration_minutes: 481 },
    { max_appointment_duration_minutes: 60.5 },
  ])('%j is refused', async (body) => {
    expectRefusal(await change(calendar.id, body), 'request.invalid')
  })

  test('keep the longest appointment at least as long as a slot, whichever of the two is changed', async () => {
    const shop = await makeCalendar(meridian, owner)
    expectRefusal(
      await change(shop.id, { max_appointment_duration_minutes: 29 }),
      'availability.max_below_slot',
    )
    expectRefusal(
      await change(shop.id, { max_appointment_duration_minutes: 5 }),
      'availability.max_below_slot',
    )
    expect((await change(shop.id, { max_appointment_duration_minutes: 30 })).statusCode).toBe(200)
    expectRefusal(await change(shop.id, { slot_duration_minutes: 60 }), 'availability.max_below_slot')
    const both = { slot_duration_minutes: 60, max_appointment_duration_minutes: 60 }
    expect((await change(shop.id, both)).json()).toMatchObject(both)
  })

  test('are not overwritten unseen when another window was faster', async () => {
    const shop = await makeCalendar(meridian, owner)
    await change(shop.id, { buffer_time_minutes: 15 })
    const late = await change(shop.id, { buffer_time_minutes: 5, was: { buffer_time_minutes: 0 } })
    expectRefusal(late, 'request.changed_meanwhile')
    expect(late.json().errors).toEqual([{ path: 'buffer_time_minutes', message: expect.any(String) }])
    const knowing = await change(shop.id, { buffer_time_minutes: 5, was: { buffer_time_minutes: 15 } })
    expect(knowing.json()).toMatchObject({ buffer_time_minutes: 5 })
  })
})

test('a minimum notice takes away what is too soon, refuses it to customers and asks the owner', async () => {
  const shop = await makeCalendar(meridian, owner)
  const changed = await change(shop.id, { minimum_notice_minutes: 26 * 60 })
  expect(changed.json()).toMatchObject({ minimum_notice_minutes: 1_560, buffer_time_minutes: 0 })
  // The test clock shows Monday 08:00, so the first start is on Tuesday at 10:00.
  const startsOn = async (date: string) => {
    const { days } = await preview(shop, { from: date })
    return days[0]?.slots.map(({ slot_start }) => slot_start) ?? []
  }
  expect(await startsOn('2027-01-04')).toEqual([])
  expect((await startsOn('2027-01-05'))[0]).toBe('10:00:00')
  const soon = { starts_at: '2027-01-05T09:30:00Z' }
  expectRefusal(await bookAppointment(meridian, shop.slug, soon), 'booking.slot_unavailable')
  const own = { ...soon, customer: { name: 'Grace Hopper' } }
  expectRefusal(await ask('POST', '/appointments', own, shop.id), 'booking.short_notice')
  const booked = await ask('POST', '/appointments', { ...own, outside_hours: true }, shop.id)
  expect(booked.statusCode, booked.body).toBe(201)
  expectRefusal(await change(shop.id, { minimum_notice_minutes: 43_201 }), 'request.invalid')
})

test('a booking window takes away the days after it, refuses them to customers and asks the owner', async () => {
  const shop = await makeCalendar(meridian, owner)
  const changed = await change(shop.id, { booking_window: { kind: 'days', days: 1 } })
  expect(changed.json()).toMatchObject({
    booking_window: { kind: 'days', days: 1 },
    minimum_notice_minutes: 0,
  })
  // The test clock shows Monday 08:00, so the last day is Tuesday.
  const { days } = await preview(shop, { from: '2027-01-04' })
  expect(days.map(({ slots }) => slots.length > 0)).toEqual([true, true, false, false, false, false, false])
  const page = await meridian.get(`/api/public/calendars/${shop.slug}`)
  expect(page.json()).toMatchObject({ bookable_from: null, bookable_until: '2027-01-05' })
  const late = { starts_at: '2027-01-06T09:30:00Z' }
  expectRefusal(await bookAppointment(meridian, shop.slug, late), 'booking.slot_unavailable')
  const judged = await ask('GET', `/appointment-time?${new URLSearchParams(late)}`, undefined, shop.id)
  expect(judged.json()).toMatchObject({ reasons: ['window'] })
  const own = { ...late, customer: { name: 'Grace Hopper' } }
  expectRefusal(await ask('POST', '/appointments', own, shop.id), 'booking.outside_window')
  const booked = await ask('POST', '/appointments', { ...own, outside_hours: true }, shop.id)
  expect(booked.statusCode, booked.body).toBe(201)
  for (const days of [-1, 731, 1.5])
    expectRefusal(await change(shop.id, { booking_window: { kind: 'days', days } }), 'request.invalid')
})

describe('the preview', () => {
  test('shows seven days of what customers get, from today in the calendar’s zone', async () => {
    const shop = await makeCalendar(meridian, owner)
    await addAppointment(meridian, shop.id, { startsAt: '2027-01-05T10:00:00Z' })
    const week = await preview(shop)
    expect(week.time_zone).toBe('Europe/London')
    expect(week.days.map((day) => [day.date, day.slots.length])).toEqual([
      ['2027-01-04', 16],
      ['2027-01-05', 15],
      ['2027-01-06', 16],
      ['2027-01-07', 16],
      ['2027-01-08', 16],
      ['2027-01-09', 0],
      ['2027-01-10', 0],
    ])
    const url = `/api/public/calendars/${shop.slug}/slots?date=2027-01-05`
    expect((await meridian.get(url)).json().slots).toEqual(week.days[1]?.slots)
  })

  test('begins on the day that is asked for and takes the length of the chosen type', async () => {
    const shop = await makeCalendar(meridian, owner)
    const type = await addAppointmentType(meridian, shop.id, { duration: 90 })
    const tooLong = await addAppointmentType(meridian, shop.id, { duration: 121 })
    const week = await preview(shop, { from: '2027-03-01', appointment_type_id: type })
    expect(week.days[0]).toMatchObject({ date: '2027-03-01' })
    expect(week.days[0]?.slots.at(-1)).toMatchObject({ slot_start: '15:30:00', slot_end: '17:00:00' })
    const none = await preview(shop, { from: '2027-03-01', appointment_type_id: tooLong })
    expect(none.days.flatMap((day) => day.slots)).toEqual([])
  })

  test('today begins at the calendar’s midnight, not at ours', async () => {
    meridian.clock.ms = Date.parse('2027-01-04T23:30:00Z')
    const tokyo = await makeCalendar(meridian, owner, { timezone: 'Asia/Tokyo' })
    expect((await preview(tokyo)).days[0]?.date).toBe('2027-01-05')
  })

  test.each([
    ['request.invalid', { from: 'tomorrow' }],
    ['request.invalid', { from: '2200-12-31' }],
    ['booking.type_unknown', { appointment_type_id: randomUUID() }],
  ] as const)('is refused with %s for %j', async (code, query) => {
    const url = `/availability/preview?${new URLSearchParams(query)}`
    expectRefusal(await ask('GET', url), code)
  })
})

test('a schedule is changed through its own calendar only, and by its owner only', async () => {
  const other = await makeCalendar(meridian, owner)
  const stranger = await makeOwner(meridian)
  const id = await rangeOf(calendar.id, 1)
  const times = { start_time: '09:00', end_time: '10:00' }
  expectRefusal(await changeRange(other.id, id, times), 'availability.not_found')
  expectRefusal(await ask('DELETE', `/availability/${id}`, undefined, other.id), 'availability.not_found')
  const body = { day_of_week: 6, start_time: '09:00', end_time: '10:00' }
  for (const [method, path, payload] of [
    ['GET', '/availability'],
    ['GET', '/availability/preview'],
    ['POST', '/availability', body],
    ['POST', '/availability/copy', { from_day: 1, to_days: [2] }],
    ['PUT', '/availability/days', { days: [{ day_of_week: 1, ranges: [] }] }],
    ['PUT', `/availability/${id}`, { start_time: '09:00', end_time: '10:00' }],
    ['DELETE', `/availability/${id}`],
    ['PATCH', '/slot-settings', { buffer_time_minutes: 60 }],
  ] as const) {
    expectRefusal(await ask(method, path, payload, calendar.id, stranger), 'calendar.forbidden')
    expectRefusal(await ask(method, path, payload, randomUUID()), 'calendar.not_found')
  }
  expect(await listWeek(calendar.id)).toHaveLength(5)
})

test('the sentences are exact', () => {
  expect(PROBLEMS['availability.start_after_end'].title).toBe('Start time must be earlier than end time')
  expect(PROBLEMS['availability.overlap'].title).toBe(
    'This time range overlaps with existing availability for this day',
  )
})

function ask(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  payload?: Record<string, unknown>,
  calendarId = calendar.id,
  asker = owner,
) {
  return meridian.request({
    method,
    url: `/api/calendars/${calendarId}${path}`,
    cookie: asker.cookie,
    ...(payload === undefined ? {} : { payload }),
  })
}

function add(calendarId: string, day_of_week: number, start_time: string, end_time: string) {
  return ask('POST', '/availability', { day_of_week, start_time, end_time }, calendarId)
}

function changeRange(calendarId: string, id: string, body: Record<string, unknown>) {
  return ask('PUT', `/availability/${id}`, body, calendarId)
}

function replaceDays(calendarId: string, body: Record<string, unknown>) {
  return ask('PUT', '/availability/days', body, calendarId)
}

/** Lists consecutive ranges of a quarter of an hour, from midnight on. */
function listQuarters(count: number) {
  const clock = (quarter: number) =>
    [Math.floor(quarter / 4), (quarter % 4) * 15].map((part) => `${part}`.padStart(2, '0')).join(':')
  return Array.from({ length: count }, (_, i) => ({ start_time: clock(i), end_time: clock(i + 1) }))
}

function change(calendarId: string, body: Record<string, unknown>) {
  return ask('PATCH', '/slot-settings', body, calendarId)
}

async function preview(shop: Calendar, query: Record<string, string> = {}): Promise<AvailabilityPreview> {
  const url = `/availability/preview?${new URLSearchParams(query)}`
  return (await ask('GET', url, undefined, shop.id)).json()
}

async function listWeek(calendarId: string): Promise<string[]> {
  return toLines((await ask('GET', '/availability', undefined, calendarId)).json())
}

function toLines({ availability }: AvailabilityResponse): string[] {
  return availability.map((range) => `${range.day_of_week} ${range.start_time} ${range.end_time}`)
}

/** Returns the first opening hours of a weekday. */
async function rangeOf(calendarId: string, dayOfWeek: number): Promise<string> {
  const week: AvailabilityResponse = (await ask('GET', '/availability', undefined, calendarId)).json()
  return week.availability.find((range) => range.day_of_week === dayOfWeek)?.id ?? ''
}
