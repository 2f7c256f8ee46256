import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type {
  SpecialDaysBody,
  SpecialDaysEntry,
  SpecialDaysResponse,
} from '#contract/availability/special-days.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import type { SlotCountsPerDay, SlotsResponse } from '#contract/slots/slots.ts'
import { addDays } from '#core/shared/calendar-date.ts'
import { localDateOf } from '#core/shared/zoned-time.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner, TEST_MONDAY } from '#tests/support/meridian.ts'
import { addAppointment } from '#tests/support/stored-rows.ts'

setUpOwner({ env: { DEFAULT_PLAN: 'enterprise' } })

const TODAY = new Date(TEST_MONDAY).toISOString().slice(0, 10)
const TUESDAY = addDays(TODAY, 1)
const SATURDAY = addDays(TODAY, 5)

describe('special days', () => {
  test('that are closed have no times; the days around them keep theirs (rule T34)', async () => {
    const shop = await makeCalendar(meridian, owner)
    const added = await add(shop.id, { first_date: TUESDAY, last_date: addDays(TODAY, 2), hours: [] })
    expect(added.statusCode, added.body).toBe(201)
    expect(added.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      first_date: TUESDAY,
      last_date: addDays(TODAY, 2),
      hours: [],
      note: null,
      public_note: null,
      appointments: 0,
    })
    expect(await timesOn(shop, TUESDAY)).toEqual([])
    expect(await timesOn(shop, addDays(TODAY, 2))).toEqual([])
    expect(await timesOn(shop, addDays(TODAY, 3))).toHaveLength(16)
    expect(
      (await bookAppointment(meridian, shop.slug, { starts_at: `${TUESDAY}T10:00:00Z` })).json(),
    ).toMatchObject({
      code: 'booking.slot_unavailable',
    })
    expect(await openDays(shop)).not.toContain(TUESDAY)
    expect(await openDays(shop)).toContain(addDays(TODAY, 3))
  })

  test('with hours of their own open a day that is closed in the week, in parts, and can be booked', async () => {
    const shop = await makeCalendar(meridian, owner)
    const hours = [range('14:00', '15:00'), range('10:00', '11:00')]
    const added = await add(shop.id, {
      first_date: SATURDAY,
      last_date: SATURDAY,
      hours,
      note: '  Open house ',
    })
    expect(added.json()).toMatchObject({
      hours: [
        { start_time: '10:00:00', end_time: '11:00:00' },
        { start_time: '14:00:00', end_time: '15:00:00' },
      ],
      note: 'Open house',
    })
    expect(await timesOn(shop, SATURDAY)).toEqual(['10:00:00', '10:30:00', '14:00:00', '14:30:00'])
    expect(
      (await bookAppointment(meridian, shop.slug, { starts_at: `${SATURDAY}T10:30:00Z` })).statusCode,
    ).toBe(201)
    expect(await timesOn(shop, SATURDAY)).toEqual(['10:00:00', '14:00:00', '14:30:00'])
  })

  test('are in the day view, in the preview and in what the owner is told of a time (rules T36 and O2)', async () => {
    const shop = await makeCalendar(meridian, owner)
    await add(shop.id, { first_date: TUESDAY, last_date: TUESDAY, hours: [range('12:00', '13:00')] })
    const agenda = await ask('GET', `/api/calendars/${shop.id}/appointments/agenda?from=${TUESDAY}&days=1`)
    expect(agenda.json().days[0].openings).toEqual([
      { starts_at: `${TUESDAY}T12:00:00.000Z`, ends_at: `${TUESDAY}T13:00:00.000Z` },
    ])
    const preview = await ask('GET', `/api/calendars/${shop.id}/availability/preview?from=${TUESDAY}`)
    expect(preview.json().days[0].slots.map((slot: { slot_start: string }) => slot.slot_start)).toEqual([
      '12:00:00',
      '12:30:00',
    ])
    const time = await ask('GET', `/api/calendars/${shop.id}/appointment-time?starts_at=${TUESDAY}T10:00:00Z`)
    expect(time.json()).toMatchObject({
      reasons: ['special_day'],
      special_day: { note: null, hours: [range('12:00:00', '13:00:00')] },
    })
  })

  test.each([
    [{ note: 'Easter Monday', public_note: 'See you on Tuesday' }, 'Easter Monday'],
    [{ public_note: 'See you on Tuesday' }, 'See you on Tuesday'],
  ])('name their note where the owner asks about a time on them: %j', async (notes, note) => {
    const shop = await makeCalendar(meridian, owner)
    await add(shop.id, { first_date: TUESDAY, last_date: TUESDAY, hours: [], ...notes })
    const time = await ask('GET', `/api/calendars/${shop.id}/appointment-time?starts_at=${TUESDAY}T10:00:00Z`)
    expect(time.json()).toMatchObject({ special_day: { note, hours: [] } })
  })

  test('count in insights: a closed day has no open minutes', async () => {
    const shop = await makeCalendar(meridian, owner)
    await add(shop.id, { first_date: TUESDAY, last_date: TUESDAY, hours: [] })
    const insights = await ask('GET', `/api/calendars/${shop.id}/insights?months=3`)
    const { days } = insights.json() as { days: { date: string; open_minutes: number }[] }
    expect(days.find(({ date }) => date === TUESDAY)?.open_minutes).toBe(0)
    expect(days.find(({ date }) => date === addDays(TODAY, 2))?.open_minutes).toBe(480)
  })

  test('leave appointments on them alone, and say how many are still to come (rule T36)', async () => {
    const shop = await makeCalendar(meridian, owner)
    for (const [hour, status] of [
      ['09', 'confirmed'],
      ['10', 'confirmed'],
      ['11', 'cancelled'],
    ] as const) {
      await addAppointment(meridian, shop.id, { startsAt: `${TUESDAY}T${hour}:00:00Z`, status })
    }
    const added = await add(shop.id, { first_date: TODAY, last_date: TUESDAY, hours: [] })
    expect(added.json()).toMatchObject({ appointments: 2 })
    expect((await list(shop.id))[0]).toMatchObject({ appointments: 2 })
    const agenda = await ask('GET', `/api/calendars/${shop.id}/appointments/agenda?from=${TUESDAY}&days=1`)
    expect(agenda.json().appointments.map((row: { status: string }) => row.status)).toEqual(
      expect.arrayContaining(['confirmed', 'confirmed']),
    )
  })

  test('are listed from the nearest on, until they are over in the zone of the calendar', async () => {
    const shop = await makeCalendar(meridian, owner, { timezone: 'Pacific/Auckland' })
    await add(shop.id, { first_date: SATURDAY, last_date: SATURDAY, hours: [] })
    await add(shop.id, { first_date: TUESDAY, last_date: TUESDAY, hours: [] })
    expect((await list(shop.id)).map((entry) => entry.first_date)).toEqual([TUESDAY, SATURDAY])
    // Tuesday ends in Auckland 13 hours earlier than in UTC.
    meridian.clock.ms = Date.parse(`${TUESDAY}T11:30:00Z`)
    expect((await list(shop.id)).map((entry) => entry.first_date)).toEqual([SATURDAY])
  })

  test('have a note that customers read where the date has no times (rule T59)', async () => {
    const shop = await makeCalendar(meridian, owner)
    const other = await makeCalendar(meridian, owner)
    const closed = { ...closedOn(TUESDAY), note: 'Dentist', public_note: ' Easter break ' }
    const { id } = (await add(shop.id, closed)).json() as SpecialDaysEntry
    expect((await list(shop.id))[0]).toMatchObject({ note: 'Dentist', public_note: 'Easter break' })
    const noteOn = async ({ slug }: Calendar, date: string) =>
      ((await ask('GET', `/api/public/calendars/${slug}/slots?date=${date}`)).json() as SlotsResponse).note
    expect(await noteOn(shop, TUESDAY)).toBe('Easter break')
    expect(await noteOn(other, TUESDAY)).toBeUndefined()
    expect(await noteOn(shop, SATURDAY)).toBeUndefined()
    await change(shop.id, id, { ...closed, hours: [range('10:00', '11:00')] })
    expect(await noteOn(shop, TUESDAY)).toBeUndefined()
    await change(shop.id, id, { ...closed, public_note: '' })
    expect(await noteOn(shop, TUESDAY)).toBeUndefined()
    const tooLong = await add(shop.id, { ...closedOn(SATURDAY), public_note: 'a'.repeat(201) })
    expectRefusal(tooLong, 'request.invalid')
  })

  test('are read on the clock of the calendar', async () => {
    const shop = await makeCalendar(meridian, owner, { timezone: 'Pacific/Auckland' })
    await add(shop.id, { first_date: SATURDAY, last_date: SATURDAY, hours: [range('10:00', '10:30')] })
    expect(await timesOn(shop, SATURDAY)).toEqual(['10:00:00'])
  })

  // These are the two zones with the largest difference: 25 hours.
  test.each([
    ['Pacific/Kiritimati', 'Pacific/Pago_Pago'],
    ['Pacific/Pago_Pago', 'Pacific/Kiritimati'],
  ])('in %s are closed as well for who reads the times in %s', async (timezone, shown) => {
    const shop = await makeCalendar(meridian, owner, { timezone })
    const dates = Array.from({ length: 5 }, (_, i) => addDays(TODAY, i))
    const before = await startsOn(shop, dates, shown)
    await add(shop.id, closedOn(addDays(TODAY, 2)))
    const closed = (startsAt: string) => localDateOf(Date.parse(startsAt), timezone) === addDays(TODAY, 2)
    expect(before.filter(closed)).toHaveLength(16)
    expect(await startsOn(shop, dates, shown)).toEqual(before.filter((startsAt) => !closed(startsAt)))
  })
})

describe('an entry', () => {
  test.each<[ProblemCode, Partial<SpecialDaysBody>]>([
    ['special_days.first_after_last', { first_date: SATURDAY, last_date: TUESDAY }],
    ['special_days.too_long', { first_date: TUESDAY, last_date: addDays(TUESDAY, 366) }],
    ['special_days.hours_overlap', { hours: [range('09:00', '12:00'), range('11:59', '13:00')] }],
    ['availability.start_after_end', { hours: [range('12:00', '12:00')] }],
    ['availability.too_many', { hours: Array.from({ length: 21 }, (_, i) => range(clock(i), clock(i + 1))) }],
  ])('is refused with %s', async (code, given) => {
    const shop = await makeCalendar(meridian, owner)
    expectRefusal(await add(shop.id, { ...closedOn(TUESDAY), ...given }), code)
  })

  test('may have ranges that touch, in any order, and 366 days', async () => {
    const shop = await makeCalendar(meridian, owner)
    const added = await add(shop.id, {
      first_date: TUESDAY,
      last_date: addDays(TUESDAY, 365),
      hours: [range('12:00', '24:00'), range('00:00', '12:00')],
    })
    expect(added.statusCode, added.body).toBe(201)
    expect((await timesOn(shop, SATURDAY)).length).toBe(48)
  })

  test('whose last day is over is refused, one that has begun is not (rule T35)', async () => {
    const { id } = await makeCalendar(meridian, owner)
    expectRefusal(await add(id, closedOn(addDays(TODAY, -1))), 'special_days.over')
    const begun = await add(id, { first_date: addDays(TODAY, -3), last_date: TODAY, hours: [] })
    expect(begun.statusCode, begun.body).toBe(201)
  })

  test('shares no date with another one of the calendar', async () => {
    const other = await makeCalendar(meridian, owner)
    const { id } = await makeCalendar(meridian, owner)
    await add(id, { first_date: TUESDAY, last_date: SATURDAY, hours: [] })
    expectRefusal(await add(id, closedOn(SATURDAY)), 'special_days.overlap')
    expectRefusal(await add(id, { ...closedOn(TODAY), last_date: TUESDAY }), 'special_days.overlap')
    expect((await add(id, closedOn(TODAY))).statusCode).toBe(201)
    expect((await add(other.id, closedOn(SATURDAY))).statusCode).toBe(201)
  })

  test(`is refused when ${LIMITS.specialDays} others are still to come; those that are over do not count`, async () => {
    const shop = await makeCalendar(meridian, owner)
    for (let day = 1; day <= LIMITS.specialDays; day++) {
      expect((await add(shop.id, closedOn(addDays(TODAY, day)))).statusCode).toBe(201)
    }
    const next = closedOn(addDays(TODAY, LIMITS.specialDays + 1))
    expectRefusal(await add(shop.id, next), 'special_days.too_many')
    meridian.clock.ms = Date.parse(`${addDays(TODAY, 2)}T08:00:00Z`)
    expect((await add(shop.id, next)).statusCode).toBe(201)
  })

  test('is changed as a whole, unless it is another one by now (rule X4)', async () => {
    const shop = await makeCalendar(meridian, owner)
    const before = (await add(shop.id, { ...closedOn(TUESDAY), note: 'Dentist' })).json() as SpecialDaysEntry
    const was = { first_date: TUESDAY, last_date: TUESDAY, hours: [], note: 'Dentist' }
    const becomes = {
      first_date: TUESDAY,
      last_date: TUESDAY,
      hours: [range('15:00', '16:00')],
      note: null,
    }
    const changed = await change(shop.id, before.id, { ...becomes, was })
    expect(changed.statusCode, changed.body).toBe(200)
    expect(changed.json()).toMatchObject({
      id: before.id,
      note: null,
      hours: [{ start_time: '15:00:00', end_time: '16:00:00' }],
    })
    expect(await timesOn(shop, TUESDAY)).toEqual(['15:00:00', '15:30:00'])
    expectRefusal(await change(shop.id, before.id, { ...becomes, was }), 'request.changed_meanwhile')
    const same = await change(shop.id, before.id, { ...closedOn(SATURDAY), was: becomes })
    expect(same.statusCode, same.body).toBe(200)
    expect(await timesOn(shop, TUESDAY)).toHaveLength(16)
    await add(shop.id, closedOn(TUESDAY))
    expectRefusal(await change(shop.id, before.id, closedOn(TUESDAY)), 'special_days.overlap')
    expectRefusal(await change(shop.id, before.id, closedOn(addDays(TODAY, -1))), 'special_days.over')
  })

  test('that is removed gives the weekly hours back, once', async () => {
    const shop = await makeCalendar(meridian, owner)
    const { id } = (await add(shop.id, closedOn(TUESDAY))).json() as SpecialDaysEntry
    expect((await remove(shop.id, id)).statusCode).toBe(204)
    expect(await timesOn(shop, TUESDAY)).toHaveLength(16)
    expectRefusal(await remove(shop.id, id), 'special_days.not_found')
    expectRefusal(await change(shop.id, id, closedOn(TUESDAY)), 'special_days.not_found')
  })

  test('of somebody else is neither read nor written', async () => {
    const shop = await makeCalendar(meridian, owner)
    const other = await makeCalendar(meridian, owner)
    const { id } = (await add(shop.id, closedOn(TUESDAY))).json() as SpecialDaysEntry
    // The id of an entry does not work with another calendar.
    expectRefusal(await remove(other.id, id), 'special_days.not_found')
    const stranger = await makeOwner(meridian)
    const path = `/api/calendars/${shop.id}/special-days`
    for (const [method, url, payload] of [
      ['GET', path, undefined],
      ['POST', path, closedOn(SATURDAY)],
      ['PUT', `${path}/${id}`, closedOn(SATURDAY)],
      ['DELETE', `${path}/${id}`, undefined],
    ] as const) {
      expectRefusal(await ask(method, url, payload, stranger), 'calendar.forbidden')
      expectRefusal(
        await ask(method, url.replace(shop.id, randomUUID()), payload, stranger),
        'calendar.not_found',
      )
    }
    expect(await list(shop.id)).toHaveLength(1)
  })
})

function ask(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: Record<string, unknown>,
  asker = owner,
) {
  const sent = payload === undefined ? {} : { payload }
  return meridian.request({ method, url, cookie: asker.cookie, ...sent })
}

function add(calendarId: string, body: SpecialDaysBody) {
  return ask('POST', `/api/calendars/${calendarId}/special-days`, body)
}

function change(calendarId: string, id: string, body: SpecialDaysBody & { was?: SpecialDaysBody }) {
  return ask('PUT', `/api/calendars/${calendarId}/special-days/${id}`, body)
}

function remove(calendarId: string, id: string) {
  return ask('DELETE', `/api/calendars/${calendarId}/special-days/${id}`)
}

async function list(calendarId: string): Promise<SpecialDaysEntry[]> {
  const answer: SpecialDaysResponse = (await ask('GET', `/api/calendars/${calendarId}/special-days`)).json()
  return answer.special_days
}

function closedOn(date: string): SpecialDaysBody {
  return { first_date: date, last_date: date, hours: [] }
}

function range(start_time: string, end_time: string) {
  return { start_time, end_time }
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

/** Lists when the slots that customers are offered on a date begin, in the calendar's time zone. */
async function timesOn({ slug }: Calendar, date: string): Promise<string[]> {
  const answer = await ask('GET', `/api/public/calendars/${slug}/slots?date=${date}`)
  return (answer.json() as SlotsResponse).slots.map((slot) => slot.slot_start)
}

/** Lists the starts that customers are offered on the given dates, in the given time zone. */
async function startsOn({ slug }: Calendar, dates: readonly string[], timeZone: string): Promise<string[]> {
  const starts: string[] = []
  for (const date of dates) {
    const query = new URLSearchParams({ date, time_zone: timeZone })
    const answer: SlotsResponse = (await ask('GET', `/api/public/calendars/${slug}/slots?${query}`)).json()
    starts.push(...answer.slots.map((slot) => slot.starts_at))
  }
  return starts
}

/** Lists the dates of a week on which customers are offered times. */
async function openDays({ slug }: Calendar): Promise<string[]> {
  const url = `/api/public/calendars/${slug}/days?from=${TODAY}&to=${addDays(TODAY, 6)}`
  const answer: SlotCountsPerDay = (await ask('GET', url)).json()
  return answer.days.filter(({ open_slots }) => open_slots > 0).map(({ date }) => date)
}
