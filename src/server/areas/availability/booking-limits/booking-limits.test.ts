import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Policy } from '#core/appointments/policy.ts'
import type { BookingLimit } from '#core/slots/booking-limits.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar } from '#tests/support/meridian.ts'
import { manageTokenOf, savePolicy } from '#tests/support/policies.ts'
import { recordStatements } from '#tests/support/record-statements.ts'
import { addAppointment, addAppointmentType } from '#tests/support/stored-rows.ts'
import { joinWaitingListAndConfirm, listWaitingListEntries, waitForOffer } from '#tests/support/waiting.ts'

const recorder = recordStatements()

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })
afterAll(() => recorder.stop())

const [MONDAY, TUESDAY, WEDNESDAY] = ['2027-01-04', '2027-01-05', '2027-01-06'] as const
const ONE_A_DAY: BookingLimit = { most: 1, unit: 'appointments', period: 'day' }
const FREELY: Policy = {
  moving: { kind: 'until', hours: 0, times: null },
  cancelling: { kind: 'by_request' },
  refunds: [],
}

describe('a calendar that takes one appointment a day', () => {
  beforeEach(() => limitCalendar([ONE_A_DAY]))

  test('offers no times on a day that has one, and refuses a customer in one sentence', async () => {
    expect((await book(`${TUESDAY}T09:00:00Z`)).statusCode).toBe(201)
    expect(await countTimes(MONDAY, WEDNESDAY)).toEqual([16, 0, 16])
    expectRefusal(await book(`${TUESDAY}T11:00:00Z`), 'booking.fully_booked')
    expect((await book(`${WEDNESDAY}T09:00:00Z`)).statusCode).toBe(201)
  })

  test('says that a day is fully booked only if it has times without the limit (rule T80)', async () => {
    const saturday = '2027-01-09'
    await book(`${TUESDAY}T09:00:00Z`)
    expect(await noteOn(TUESDAY)).toBe('This day is fully booked.')
    expect([await noteOn(WEDNESDAY), await noteOn(saturday)]).toEqual([undefined, undefined])
    await addAppointment(meridian, calendar.id, { startsAt: `${TUESDAY}T09:30:00Z`, minutes: 600 })
    expect(await noteOn(TUESDAY)).toBeUndefined()
    await limitCalendar([{ most: 15, unit: 'minutes', period: 'day' }])
    // No appointment fits, whatever is booked.
    expect(await countTimes(WEDNESDAY, WEDNESDAY)).toEqual([0])
    expect(await noteOn(WEDNESDAY)).toBeUndefined()
  })

  test('counts what its owner booked, and has room again after a cancellation', async () => {
    const own = (await bookOwn({ starts_at: `${TUESDAY}T09:00:00Z` })).json().id
    expectRefusal(await book(`${TUESDAY}T11:00:00Z`), 'booking.fully_booked')
    await act(own, 'cancel')
    expect((await book(`${TUESDAY}T11:00:00Z`)).statusCode).toBe(201)
    // A cancelled appointment can be restored, because its customer was promised the time.
    expect((await act(own, 'restore', 'cancelled')).statusCode).toBe(200)
  })

  test('asks its owner, says which limit it is and how full, and books when the owner insists', async () => {
    await book(`${TUESDAY}T09:00:00Z`)
    const time = { starts_at: `${TUESDAY}T11:00:00Z` }
    const { reasons, reached_limits } = await explain(time.starts_at)
    expect(reasons).toEqual(['limit'])
    expect(reached_limits).toEqual([{ limit: ONE_A_DAY, is_of_type: false, taken: 1 }])
    expectRefusal(await bookOwn(time), 'booking.limit_reached')
    expect((await bookOwn({ ...time, outside_hours: true })).statusCode).toBe(201)
    expect((await explain(`${TUESDAY}T12:00:00Z`)).reached_limits).toMatchObject([{ taken: 2 }])
  })

  test('lets an appointment move within its day, but not into a full one', async () => {
    await savePolicy(meridian, owner, calendar, FREELY)
    const id = (await book(`${TUESDAY}T09:00:00Z`)).json().id
    await book(`${WEDNESDAY}T09:00:00Z`)
    expect(await countTimesToMove(id)).toEqual([16, 16, 0])
    const [at9, at11] = [`${TUESDAY}T09:00:00Z`, `${TUESDAY}T11:00:00Z`]
    expect((await move(id, { from: at9, to: at11 })).statusCode).toBe(200)
    const full = `${WEDNESDAY}T15:00:00Z`
    expectRefusal(await move(id, { from: at11, to: full }), 'booking.fully_booked')
    const byOwner = { starts_at: full, expected_starts_at: at11 }
    const path = `/api/calendars/${calendar.id}/appointments/${id}/move`
    expectRefusal(await owner.post(path, byOwner), 'booking.limit_reached')
    expect((await owner.post(path, { ...byOwner, outside_hours: true })).statusCode).toBe(200)
  })

  test('offers a freed time to one customer on the waiting list, and nothing else of the day', async () => {
    const id = (await book(`${TUESDAY}T09:00:00Z`)).json().id
    const day = { from_date: TUESDAY, to_date: TUESDAY }
    await joinWaitingListAndConfirm(meridian, calendar.slug, { ...day, email: 'ada@example.com' })
    await joinWaitingListAndConfirm(meridian, calendar.slug, { ...day, email: 'bob@example.com' })
    await act(id, 'cancel')
    await waitForOffer(meridian, 'ada@example.com')
    expect((await listWaitingListEntries(meridian, owner, calendar)).entries).toMatchObject([
      { customer_email: 'ada@example.com', state: 'offered', offers: [{ is_held: true }] },
      { customer_email: 'bob@example.com', state: 'waiting', offers: [] },
    ])
    expectRefusal(await book(`${TUESDAY}T15:00:00Z`), 'booking.fully_booked')
  })

  test('keeps what is booked when the limit is lowered below it', async () => {
    await limitCalendar([{ ...ONE_A_DAY, most: 3 }])
    for (const time of ['09:00', '10:00', '11:00']) {
      expect((await book(`${TUESDAY}T${time}:00Z`)).statusCode).toBe(201)
    }
    await limitCalendar([ONE_A_DAY])
    expect(await countTimes(TUESDAY, TUESDAY)).toEqual([0])
    const booked = `select count(*)::integer as n from appointments where calendar_id = $1 and status = 'confirmed'`
    expect((await meridian.database.execute(booked, [calendar.id])).rows).toEqual([{ n: 3 }])
  })
})

test('a day is one of the calendar’s time zone, and a week begins on Monday', async () => {
  const tokyo = await makeCalendar(meridian, owner, { timezone: 'Asia/Tokyo' })
  // Monday, 4 January, 23:30 in Tokyo, which is still Monday in London; and Tuesday, 00:00 in Tokyo.
  await addAppointment(meridian, tokyo.id, { startsAt: '2027-01-04T14:30:00Z' })
  await limitCalendar([ONE_A_DAY], tokyo.id)
  expect(await countTimes(MONDAY, TUESDAY, tokyo.slug)).toEqual([0, 16])
  await addAppointment(meridian, tokyo.id, { startsAt: '2027-01-04T15:00:00Z' })
  expect(await countTimes(MONDAY, WEDNESDAY, tokyo.slug)).toEqual([0, 0, 16])
  await limitCalendar([{ most: 2, unit: 'appointments', period: 'week' }], tokyo.id)
  expect(await countTimes('2027-01-08', '2027-01-12', tokyo.slug)).toEqual([0, 0, 0, 16, 16])
})

test('a month’s minutes are counted from its first day to its last, whatever days are asked for', async () => {
  await addAppointment(meridian, calendar.id, { startsAt: '2027-02-01T09:00:00Z', minutes: 45 })
  await addAppointment(meridian, calendar.id, { startsAt: '2027-02-26T09:00:00Z', minutes: 30 })
  await limitCalendar([{ most: 100, unit: 'minutes', period: 'month' }])
  expect(await countTimes('2027-02-10', '2027-02-10')).toEqual([0])
  await limitCalendar([{ most: 105, unit: 'minutes', period: 'month' }])
  expect(await countTimes('2027-02-10', '2027-02-10')).toEqual([16])
  expect(await countTimes('2027-03-01', '2027-03-01')).toEqual([16])
})

test('a type’s limit counts that type, the calendar’s counts all, and both must hold', async () => {
  const [visit, other] = [await addType('Visit'), await addType('Call')]
  await limitType(visit, [ONE_A_DAY])
  await limitCalendar([{ ...ONE_A_DAY, most: 2 }])
  expect((await book(`${TUESDAY}T09:00:00Z`, visit)).statusCode).toBe(201)
  expectRefusal(await book(`${TUESDAY}T10:00:00Z`, visit), 'booking.fully_booked')
  const { reached_limits } = await explain(`${TUESDAY}T10:00:00Z`, visit)
  expect(reached_limits).toEqual([{ limit: ONE_A_DAY, is_of_type: true, taken: 1 }])
  expect((await book(`${TUESDAY}T10:00:00Z`, other)).statusCode).toBe(201)
  expectRefusal(await book(`${TUESDAY}T11:00:00Z`, other), 'booking.fully_booked')
  expect((await book(`${WEDNESDAY}T09:00:00Z`, visit)).statusCode).toBe(201)
})

test('a day that is full by its week says so in the zone of the visitor (rule T80)', async () => {
  await limitCalendar([{ most: 1, unit: 'appointments', period: 'week' }])
  await book(`${TUESDAY}T09:00:00Z`)
  const fromFarEast = (date: string) => noteOn(date, 'Pacific/Kiritimati')
  expect(await fromFarEast(WEDNESDAY)).toBe('This day is fully booked.')
  expect(await fromFarEast('2027-01-12')).toBeUndefined()
})

test('limits take one more statement than the times of a calendar without any', async () => {
  const count = async () => (await recorder.during(() => countTimes(MONDAY, TUESDAY))).length
  const without = await count()
  await limitCalendar([ONE_A_DAY, { ...ONE_A_DAY, period: 'month' }])
  expect(await count()).toBe(without + 1)
})

describe('the settings', () => {
  test('keep limits in order, and refuse a change of limits that another window has changed', async () => {
    const week: BookingLimit = { most: 3, unit: 'appointments', period: 'week' }
    await limitCalendar([week, ONE_A_DAY])
    const shown = (await owner.get(`/api/calendars/${calendar.id}/availability`)).json()
    expect(shown.booking_limits).toEqual([ONE_A_DAY, week])
    const stale = await saveCalendarLimits([], { was: { booking_limits: [] } })
    expectRefusal(stale, 'request.changed_meanwhile')
    const fresh = await saveCalendarLimits([], { was: { booking_limits: [ONE_A_DAY, week] } })
    expect(fresh.json().booking_limits).toEqual([])
  })

  test('refuse a day above its week, and two limits of one kind', async () => {
    const week: BookingLimit = { most: 3, unit: 'appointments', period: 'week' }
    expectRefusal(
      await saveCalendarLimits([{ ...ONE_A_DAY, most: 4 }, week]),
      'booking_limits.out_of_order',
      'booking_limits',
    )
    expectRefusal(await saveCalendarLimits([week, week]), 'booking_limits.twice', 'booking_limits')
    expect((await saveCalendarLimits([{ ...ONE_A_DAY, most: 0 }])).statusCode).toBe(400)
  })

  test('take ten limits with those of the types, and those of a deleted type no longer count', async () => {
    const six = (['appointments', 'minutes'] as const).flatMap((unit) =>
      (['day', 'week', 'month'] as const).map((period) => ({ most: 400, unit, period })),
    )
    await limitCalendar(six)
    const type = await addType('Visit')
    await limitType(type, six.slice(0, 4))
    const other = await addType('Call')
    expectRefusal(await saveTypeLimits(other, [ONE_A_DAY]), 'booking_limits.too_many')
    expect((await owner.delete(`/api/calendars/${calendar.id}/appointment-types/${type}`)).statusCode).toBe(
      204,
    )
    await limitType(other, [ONE_A_DAY])
  })

  test('show a type’s limits to its owner, not to customers, and a change of its name keeps them', async () => {
    const path = `/api/calendars/${calendar.id}/appointment-types`
    const created = await owner.post(path, { name: 'Visit', booking_limits: [ONE_A_DAY] })
    expect(created.json().booking_limits).toEqual([ONE_A_DAY])
    const renamed = await owner.patch(`${path}/${created.json().id}`, { name: 'House call' })
    expect(renamed.json().booking_limits).toEqual([ONE_A_DAY])
    const shown = await meridian.get(`/api/public/calendars/${calendar.slug}/appointment-types`)
    expect(shown.body).not.toContain('booking_limits')
  })
})

function book(starts_at: string, appointment_type_id?: string): Promise<LightMyRequestResponse> {
  return bookAppointment(meridian, calendar.slug, { starts_at, appointment_type_id })
}

function bookOwn(body: Record<string, unknown>): Promise<LightMyRequestResponse> {
  return owner.post(`/api/calendars/${calendar.id}/appointments`, { customer: { name: 'Phoned' }, ...body })
}

function act(id: string, action: string, status = 'confirmed'): Promise<LightMyRequestResponse> {
  const was = { status, payment_status: 'not_required' }
  return owner.post(`/api/calendars/${calendar.id}/appointments/${id}/actions`, { action, was })
}

function move(id: string, { from, to }: { from: string; to: string }): Promise<LightMyRequestResponse> {
  const body = { starts_at: to, expected_starts_at: from }
  return meridian.post(`/api/public/manage/${manageTokenOf(meridian, id)}/move`, body)
}

async function explain(startsAt: string, typeId?: string) {
  const query = new URLSearchParams({ starts_at: startsAt, ...(typeId && { appointment_type_id: typeId }) })
  return (await owner.get(`/api/calendars/${calendar.id}/appointment-time?${query}`)).json()
}

async function countTimes(from: string, to: string, slug = calendar.slug): Promise<number[]> {
  const answer = await meridian.get(`/api/public/calendars/${slug}/days?from=${from}&to=${to}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().days.map(({ open_slots }: { open_slots: number }) => open_slots)
}

async function noteOn(date: string, zone = calendar.timezone): Promise<string | undefined> {
  const query = new URLSearchParams({ date, time_zone: zone })
  return (await meridian.get(`/api/public/calendars/${calendar.slug}/slots?${query}`)).json().note
}

async function countTimesToMove(id: string): Promise<number[]> {
  const query = `from=${MONDAY}&to=${WEDNESDAY}`
  const answer = await meridian.get(`/api/public/manage/${manageTokenOf(meridian, id)}/days?${query}`)
  return answer.json().days.map(({ open_slots }: { open_slots: number }) => open_slots)
}

function saveCalendarLimits(
  booking_limits: readonly BookingLimit[],
  { was, id = calendar.id }: { was?: unknown; id?: string } = {},
): Promise<LightMyRequestResponse> {
  return owner.patch(`/api/calendars/${id}/slot-settings`, { booking_limits, was })
}

async function limitCalendar(limits: readonly BookingLimit[], id = calendar.id): Promise<void> {
  const saved = await saveCalendarLimits(limits, { id })
  expect(saved.statusCode, saved.body).toBe(200)
}

function saveTypeLimits(
  id: string,
  booking_limits: readonly BookingLimit[],
): Promise<LightMyRequestResponse> {
  return owner.patch(`/api/calendars/${calendar.id}/appointment-types/${id}`, { booking_limits })
}

async function limitType(id: string, limits: readonly BookingLimit[]): Promise<void> {
  const saved = await saveTypeLimits(id, limits)
  expect(saved.statusCode, saved.body).toBe(200)
}

function addType(name: string): Promise<string> {
  return addAppointmentType(meridian, calendar.id, { name })
}
