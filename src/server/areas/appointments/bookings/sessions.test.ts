import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Policy } from '#core/appointments/policy.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment } from '#tests/support/meridian.ts'
import { manageTokenOf, savePolicy } from '#tests/support/policies.ts'
import { countSeatsTaken } from '#tests/support/sessions.ts'
import { addAppointmentType } from '#tests/support/stored-rows.ts'
import { joinWaitingListAndConfirm, listWaitingListEntries, waitForOffer } from '#tests/support/waiting.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })

const TUESDAY = '2027-01-05'
const [NINE, HALF_PAST, TEN, ELEVEN] = ['09:00', '09:30', '10:00', '11:00'].map(
  (time) => `${TUESDAY}T${time}:00Z`,
) as [string, string, string, string]

let yoga: string
let visit: string
/** Gives each customer an address of their own. */
let customers = 0

beforeEach(async () => {
  yoga = await addAppointmentType(meridian, calendar.id, { name: 'Yoga', duration: 60, seats: 2 })
  visit = await addAppointmentType(meridian, calendar.id, { name: 'Visit', duration: 30 })
})

describe('customers of a type with seats', () => {
  test('share a time until its seats are taken, and see how many are left', async () => {
    expect(await seatsAt(NINE)).toBe(2)
    await book(NINE)
    expect(await seatsAt(NINE)).toBe(1)
    await book(NINE)
    expect(await seatsAt(NINE)).toBeUndefined()
    expectRefusal(await tryToBook(NINE), 'booking.session_full')
    expect((await explain(NINE)).reasons).toEqual(['full'])
  })

  test('read that a day is fully booked once its sessions have no free seat (rule T80)', async () => {
    await book(NINE)
    await fillDay()
    expect(await slotsOf(yoga)).not.toHaveProperty('note')
    await book(NINE)
    expect(await slotsOf(yoga)).toMatchObject({ slots: [], note: 'This day is fully booked.' })
    // A type without seats has no session: appointments take its times.
    expect(await slotsOf(visit)).not.toHaveProperty('note')
  })

  test('have the whole time busy for everybody else', async () => {
    await book(NINE)
    expect(await startsOf(visit)).not.toContain(HALF_PAST)
    expectRefusal(await tryToBook(HALF_PAST, visit), 'booking.slot_unavailable')
    // A session has one start.
    expectRefusal(await tryToBook(HALF_PAST), 'booking.slot_unavailable')
  })

  test('do not read the number of seats when the owner hides it', async () => {
    await changeType({ shows_seats: false })
    const { slots } = await slotsOf(yoga)
    expect(slots[0]).not.toHaveProperty('seats_left')
  })

  test('free their seat when they cancel, and get it back when the owner restores it', async () => {
    const [first] = [await book(NINE), await book(NINE)]
    await act(first, 'cancel')
    expect(await seatsAt(NINE)).toBe(1)
    await book(NINE)
    expectRefusal(await act(first, 'restore', 'cancelled'), 'appointment.restore_conflict')
    const third = await idAt(NINE, first)
    await act(third, 'cancel')
    expect((await act(first, 'restore', 'cancelled')).statusCode).toBe(200)
    expect(await seatsAt(NINE)).toBeUndefined()
  })

  test('return to the same session after all of them have cancelled', async () => {
    const first = await book(NINE)
    await act(first, 'cancel')
    await book(NINE)
    expect((await act(first, 'restore', 'cancelled')).statusCode).toBe(200)
    expect(await countSeatsTaken(meridian, calendar)).toEqual([2])
  })

  test('count once towards a limit', async () => {
    const limits = [{ most: 1, unit: 'appointments', period: 'day' }]
    await owner.patch(`/api/calendars/${calendar.id}/slot-settings`, { booking_limits: limits })
    await book(NINE)
    expect(await startsOf(yoga)).toEqual([NINE])
    expectRefusal(await tryToBook(ELEVEN), 'booking.fully_booked')
    await book(NINE)
  })

  test('take at most ten seats in a day', async () => {
    await changeType({ seats: 12 })
    const customer = { name: 'Ada', email: 'ada@example.com' }
    const bookForAda = () =>
      bookAppointment(meridian, calendar.slug, { starts_at: NINE, appointment_type_id: yoga, customer })
    for (let seat = 0; seat < 10; seat += 1) expect((await bookForAda()).statusCode).toBe(201)
    expectRefusal(await bookForAda(), 'booking.too_many_seats')
    await book(NINE)
  })

  test('move to another session with a free seat, and leave theirs to others', async () => {
    await savePolicy(meridian, owner, calendar, FREELY)
    const [first, second] = [await book(NINE), await book(NINE)]
    const [other] = [await book(ELEVEN)]
    expect((await moveAsCustomer(first, NINE, ELEVEN)).statusCode).toBe(200)
    expect(await seatsAt(NINE)).toBe(1)
    expectRefusal(await moveAsCustomer(second, NINE, ELEVEN), 'booking.session_full')
    await act(other, 'cancel')
    expect((await moveAsCustomer(second, NINE, ELEVEN)).statusCode).toBe(200)
    expect(await countSeatsTaken(meridian, calendar)).toEqual([2])
  })

  test('on the waiting list are offered each freed seat, one person a seat', async () => {
    const [first, second] = [await book(NINE), await book(NINE)]
    const day = { from_date: TUESDAY, to_date: TUESDAY, appointment_type_id: yoga }
    await fillDay()
    for (const email of ['ada@example.com', 'bob@example.com', 'cyd@example.com'])
      await joinWaitingListAndConfirm(meridian, calendar.slug, { ...day, email })
    await act(first, 'cancel')
    await act(second, 'cancel')
    await waitForOffer(meridian, 'ada@example.com')
    await waitForOffer(meridian, 'bob@example.com')
    expect((await listWaitingListEntries(meridian, owner, calendar)).entries).toMatchObject([
      { state: 'offered', offers: [{ is_held: true }] },
      { state: 'offered', offers: [{ is_held: true }] },
      { state: 'waiting', offers: [] },
    ])
    expectRefusal(await tryToBook(NINE), 'booking.session_full')
  })

  test('on the waiting list are offered the seat that somebody leaves by moving', async () => {
    await savePolicy(meridian, owner, calendar, FREELY)
    const [first] = [await book(NINE), await book(NINE), await book(ELEVEN)]
    await fillDay()
    const day = { from_date: TUESDAY, to_date: TUESDAY, appointment_type_id: yoga }
    await joinWaitingListAndConfirm(meridian, calendar.slug, { ...day, email: 'dan@example.com' })
    expect((await moveAsCustomer(first, NINE, ELEVEN)).statusCode).toBe(200)
    const mail = await waitForOffer(meridian, 'dan@example.com')
    expect(mail.text).toContain('9:00 AM')
    expect(mail.text).not.toMatch(/Customer \d|customer-\d/)
    expect(await countSeatsTaken(meridian, calendar)).toEqual([2, 2])
    expectRefusal(await tryToBook(NINE), 'booking.session_full')
  })
})

describe('the owner of a type with seats', () => {
  test('adds people to a session, but never more than it has seats', async () => {
    await book(NINE)
    expect((await bookOwn(NINE)).statusCode).toBe(201)
    expectRefusal(await bookOwn(NINE), 'booking.session_full')
    expectRefusal(await bookOwn(NINE, { outside_hours: true }), 'booking.session_full')
  })

  test('moves one person to another session, and everybody at once, each with a message', async () => {
    const [first, second] = [await book(NINE), await book(NINE)]
    expect((await move(first, NINE, ELEVEN)).statusCode).toBe(200)
    expect(await countSeatsTaken(meridian, calendar)).toEqual([1, 1])
    expect((await move(first, ELEVEN, NINE)).statusCode).toBe(200)
    const cancelled = await book(ELEVEN)
    await act(cancelled, 'cancel')

    const moved = await move(first, NINE, TEN, { whole_session: true })
    expect(moved.json()).toMatchObject({ id: first, starts_at: '2027-01-05T10:00:00.000Z', email: 'queued' })
    expect(await startOf(first)).toBe('2027-01-05T10:00:00.000Z')
    expect(await startOf(second)).toBe('2027-01-05T10:00:00.000Z')
    expect(await startsOf(yoga)).toContain(NINE)
    expectRefusal(await tryToBook(TEN), 'booking.session_full')
    // Overlaps the time that the session has now, which is no obstacle for the whole session.
    const path = `/api/calendars/${calendar.id}/appointments/${second}/move-time?starts_at=2027-01-05T10:30:00Z`
    expect((await owner.get(path)).json().reasons).toEqual(['busy'])
    expect((await owner.get(`${path}&moved=session`)).json().reasons).toEqual([])
    const shifted = await move(second, TEN, '2027-01-05T10:30:00Z', { whole_session: true })
    expect(shifted.statusCode, shifted.body).toBe(200)
  })

  test('cannot move a session onto another one, nor one in which somebody has not confirmed', async () => {
    const first = await book(NINE)
    await book(NINE)
    await book(ELEVEN)
    const others = { whole_session: true }
    expectRefusal(await move(first, NINE, ELEVEN, others), 'appointment.move_conflict')
    await holdSeatAt(TEN)
    const held = await idAt(TEN, first)
    const seat = await bookOwn(TEN)
    expectRefusal(
      await move(seat.json().id, TEN, '2027-01-05T13:00:00Z', others),
      'appointment.session_unconfirmed',
    )
    expect(await startOf(held)).toBe('2027-01-05T10:00:00.000Z')
  })

  test('books each date on its own, not a series', async () => {
    const query = new URLSearchParams({
      appointment_type_id: yoga,
      date: TUESDAY,
      time: '09:00',
      every_weeks: '1',
      count: '3',
    })
    const plan = await owner.get(`/api/calendars/${calendar.id}/series-plan?${query}`)
    expectRefusal(plan, 'series.type_has_seats')
  })

  test('cannot have fewer seats than are taken, and reads their number', async () => {
    await changeType({ seats: 5 })
    for (let seat = 0; seat < 3; seat += 1) await book(NINE)
    const path = `/api/calendars/${calendar.id}/appointment-types/${yoga}`
    for (const seats of [2, null]) {
      expect((await owner.patch(path, { seats })).json()).toMatchObject({
        code: 'request.invalid',
        errors: [{ path: 'seats', message: '3 seats of a session are taken. Please keep at least 3 seats.' }],
      })
    }
    expect((await owner.patch(path, { seats: 3 })).statusCode).toBe(200)
    expectRefusal(await tryToBook(NINE), 'booking.session_full')
  })
})

const FREELY: Policy = {
  moving: { kind: 'until', hours: 0, times: null },
  cancelling: { kind: 'by_request' },
  refunds: [],
}

function tryToBook(starts_at: string, appointment_type_id = yoga): Promise<LightMyRequestResponse> {
  customers += 1
  const customer = { name: `Customer ${customers}`, email: `customer-${customers}@example.com` }
  return bookAppointment(meridian, calendar.slug, { starts_at, appointment_type_id, customer })
}

async function book(startsAt: string, typeId = yoga): Promise<string> {
  const booked = await tryToBook(startsAt, typeId)
  expect(booked.statusCode, booked.body).toBe(201)
  return booked.json().id
}

function bookOwn(starts_at: string, body: Record<string, unknown> = {}): Promise<LightMyRequestResponse> {
  const customer = { name: 'Phoned' }
  const path = `/api/calendars/${calendar.id}/appointments`
  return owner.post(path, { customer, starts_at, appointment_type_id: yoga, ...body })
}

function act(id: string, action: string, status = 'confirmed'): Promise<LightMyRequestResponse> {
  const was = { status, payment_status: 'not_required' }
  return owner.post(`/api/calendars/${calendar.id}/appointments/${id}/actions`, { action, was })
}

function move(
  id: string,
  from: string,
  to: string,
  more: Record<string, unknown> = {},
): Promise<LightMyRequestResponse> {
  const body = { starts_at: to, expected_starts_at: from, ...more }
  return owner.post(`/api/calendars/${calendar.id}/appointments/${id}/move`, body)
}

function moveAsCustomer(id: string, from: string, to: string): Promise<LightMyRequestResponse> {
  const body = { starts_at: to, expected_starts_at: from }
  return meridian.post(`/api/public/manage/${manageTokenOf(meridian, id)}/move`, body)
}

/** Makes the next seat wait for a confirmed email address. */
async function holdSeatAt(startsAt: string): Promise<void> {
  const confirming = (email_confirmation_required: boolean) =>
    owner.patch(`/api/calendars/${calendar.id}`, { email_confirmation_required })
  expect((await confirming(true)).statusCode).toBe(200)
  await book(startsAt)
  await confirming(false)
}

async function changeType(changes: Record<string, unknown>): Promise<void> {
  const path = `/api/calendars/${calendar.id}/appointment-types/${yoga}`
  const answer = await owner.patch(path, changes)
  expect(answer.statusCode, answer.body).toBe(200)
}

async function slotsOf(typeId: string): Promise<{ slots: { starts_at: string; seats_left?: number }[] }> {
  const query = `date=${TUESDAY}&appointment_type_id=${typeId}`
  return (await meridian.get(`/api/public/calendars/${calendar.slug}/slots?${query}`)).json()
}

async function startsOf(typeId: string): Promise<string[]> {
  const { slots } = await slotsOf(typeId)
  return slots.map(({ starts_at }) => new Date(starts_at).toISOString().replace('.000', ''))
}

/** Returns the seats left at a start; undefined when it is not offered. */
async function seatsAt(startsAt: string): Promise<number | undefined> {
  const { slots } = await slotsOf(yoga)
  return slots.find((slot) => Date.parse(slot.starts_at) === Date.parse(startsAt))?.seats_left
}

async function explain(startsAt: string) {
  const query = new URLSearchParams({ starts_at: startsAt, appointment_type_id: yoga })
  return (await owner.get(`/api/calendars/${calendar.id}/appointment-time?${query}`)).json()
}

async function fillDay(): Promise<void> {
  for (const startsAt of await startsOf(visit)) await book(startsAt, visit)
}

async function startOf(id: string): Promise<string> {
  const query = meridian.database.db.selectFrom('appointments').select('starts_at').where('id', '=', id)
  return (await query.executeTakeFirstOrThrow()).starts_at.toISOString()
}

/** Returns another appointment that takes a time. */
async function idAt(startsAt: string, except: string): Promise<string> {
  const query = meridian.database.db
    .selectFrom('appointments')
    .select('id')
    .where('calendar_id', '=', calendar.id)
    .where('starts_at', '=', new Date(startsAt))
    .where('status', '<>', 'cancelled')
    .where('id', '<>', except)
  return (await query.executeTakeFirstOrThrow()).id
}
