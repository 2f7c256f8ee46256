import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AppointmentTimeCheck } from '#contract/appointments/owner-booking.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { moveAppointment } from '#server/areas/appointments/moves/use-cases.ts'
import { releaseExpiredHolds } from '#server/areas/payments/checkouts/end-checkouts.ts'
import {
  makeFakeProviders,
  readAppointmentAndPayment,
  settlePayment,
  startCheckout,
  startFirstCheckout,
} from '#tests/support/checkouts.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import { bookAppointment, makeBookingBody, makeCalendar } from '#tests/support/meridian.ts'
import { HALF_REFUND_POLICY, manageTokenOf } from '#tests/support/policies.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import { addAppointment, addAppointmentType, connectStripe } from '#tests/support/stored-rows.ts'
import {
  joinFullyBookedCalendar,
  joinWaitingListAndConfirm,
  listWaitingListEntries,
  respondToOffer,
  tokenInWaitingListEmail,
  waitForOffer,
  waitUntilScansFinish,
} from '#tests/support/waiting.ts'

/** These tests use two calendars of one person. Source: rules T39, T40 and T43. */
const providers = makeFakeProviders()
let here: Calendar
let there: Calendar

/** Times on a Tuesday, in London. */
const NINE = '2027-01-05T09:00:00Z'
const TEN = '2027-01-05T10:00:00Z'
const HALF_PAST_TEN = '2027-01-05T10:30:00Z'
const TWO = '2027-01-05T14:00:00Z'
const ADA = 'ada@example.com'
const BOB = 'bob@example.com'

const env = { DEFAULT_PLAN: 'enterprise', BUDGETS: `${GENEROUS_BUDGETS},held_share_of_day=50` }
setUpOwner({ env, providers, owner: { lifetime: 'test' } })
beforeEach(async () => {
  meridian.mails.length = 0
  here = await makeCalendar(meridian, owner, { name: 'Family law', person_name: '' })
  there = await makeCalendar(meridian, owner, { name: 'Tenancy law', person_name: '' })
})

type Way = {
  readonly name: string
  readonly refusal: ProblemCode
  /** Sets up the test. Returns the request to send once 10:00 has been booked on the other calendar. */
  readonly prepare: () => Promise<() => Promise<LightMyRequestResponse>>
}

const ways: readonly Way[] = [
  {
    name: 'a customer books',
    refusal: 'booking.slot_unavailable',
    prepare: async () => () => bookAppointment(meridian, here.slug, { starts_at: TEN }),
  },
  {
    name: 'a customer goes to pay',
    refusal: 'booking.slot_unavailable',
    async prepare() {
      const paid = await makePaid(here)
      return () => startFirstCheckout(meridian, paid, { starts_at: TEN })
    },
  },
  {
    name: 'the owner books',
    refusal: 'booking.slot_unavailable',
    prepare: async () => () =>
      asOwner('', { starts_at: TEN, customer: makeBookingBody().customer, outside_hours: true }),
  },
  {
    name: 'the owner restores an appointment',
    refusal: 'appointment.restore_conflict',
    async prepare() {
      const id = await addAppointment(meridian, here.id, { startsAt: TEN, status: 'cancelled' })
      return () => asOwner(`/${id}/actions`, { action: 'restore' })
    },
  },
  {
    name: 'the owner moves an appointment',
    refusal: 'appointment.move_conflict',
    async prepare() {
      const id = await addAppointment(meridian, here.id, { startsAt: TWO })
      return () => asOwner(`/${id}/move`, { starts_at: TEN, expected_starts_at: TWO, outside_hours: true })
    },
  },
  {
    name: 'a customer moves an appointment',
    refusal: 'booking.slot_unavailable',
    prepare: () => prepareMove({ startsAt: TWO }),
  },
  {
    name: 'a customer moves an appointment into its own time',
    refusal: 'booking.slot_unavailable',
    prepare: () => prepareMove({ startsAt: '2027-01-05T09:30:00Z', minutes: 30 }),
  },
]

/** Ways to book the time on the other calendar. */
const takers: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['an appointment', () => addAppointment(meridian, there.id, { startsAt: TEN })],
  ['a hold', async () => startCheckout(meridian, await makePaid(there), { ...byBob(), starts_at: TEN })],
  [
    'an offer',
    async () => {
      await openOnly(there, '10:00')
      await joinFullyBookedCalendar(meridian, there.slug, { email: BOB, to_date: '2027-01-05' })
      await waitForOffer(meridian, BOB)
    },
  ],
  [
    'an appointment of a calendar that is paused',
    async () => {
      await addAppointment(meridian, there.id, { startsAt: TEN })
      await meridian.database.execute('update calendars set is_paused = true where id = $1', [there.id])
    },
  ],
]

test.each(ways)('when $name, an appointment on the other calendar stands in the way', async (way) => {
  const act = await way.prepare()
  await addAppointment(meridian, there.id, { startsAt: TEN })
  expectRefusal(await act(), way.refusal)
})

test.each(takers)('%s stands in the way of a booking', async (_, take) => {
  await take()
  expectRefusal(await bookAppointment(meridian, here.slug, { starts_at: TEN }), 'booking.slot_unavailable')
  const { slots } = await ask<{ slots: { starts_at: string }[] }>(
    `/api/public/calendars/${here.slug}/slots?date=2027-01-05`,
  )
  expect(slots.map(({ starts_at }) => starts_at)).not.toContain(TEN)
})

test.each([
  ['cancelled', { status: 'cancelled' as const }],
  [
    'a hold that has ended',
    { status: 'pending_payment' as const, hold_expires_at: new Date(0), released_at: new Date(0) },
  ],
])('%s stands in nobody’s way', async (_, values) => {
  await addAppointment(meridian, there.id, { startsAt: TEN, ...values })
  expect((await bookAppointment(meridian, here.slug, { starts_at: TEN })).statusCode).toBe(201)
})

test('an event that the owner moved onto an appointment of the other calendar is no move', async () => {
  const id = await addAppointment(meridian, here.id, { startsAt: TWO })
  await addAppointment(meridian, there.id, { startsAt: TEN })
  const move = moveAppointment(meridian.deps, {
    key: { calendarId: here.id, id },
    startMs: Date.parse(TEN),
    endMs: null,
    expectedStartMs: Date.parse(TWO),
    causedBy: 'external_calendar',
    anyway: true,
    notifyCustomer: false,
  })
  await expect(move).rejects.toMatchObject({ code: 'appointment.move_conflict' })
})

describe('a payment that comes late', () => {
  test.each([
    ['is returned when the time was booked on the other calendar', true],
    ['has its time again when nobody took it', false],
  ])('%s', async (_, isTaken) => {
    const { id, checkoutId } = await startCheckout(meridian, await makePaid(here), { starts_at: TEN })
    meridian.clock.ms += 6 * MINUTE_MS
    await releaseExpiredHolds(meridian.deps)
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({ isReleased: true })
    if (isTaken)
      expect((await bookAppointment(meridian, there.slug, { starts_at: TEN })).statusCode).toBe(201)
    providers.stripe.pay(checkoutId)
    await settlePayment(meridian, id)
    const { state } = await readAppointmentAndPayment(meridian, id)
    expect(state[0]).toBe(isTaken ? 'pending_payment' : 'confirmed')
  })
})

describe('a customer who holds a time on one calendar', () => {
  test('can pay for it on the other, which ends the hold', async () => {
    const { id } = await startCheckout(meridian, await makePaid(there), { starts_at: TEN })
    const paid = await makePaid(here)
    expect((await startFirstCheckout(meridian, paid, { starts_at: TEN })).statusCode).toBe(201)
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({ isReleased: true })
  })

  test('can book it on the other, which ends the hold', async () => {
    const { id } = await startCheckout(meridian, await makePaid(there), { starts_at: TEN })
    const booked = await bookAppointment(meridian, here.slug, { starts_at: TEN })
    expect(booked.statusCode, booked.body).toBe(201)
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({ isReleased: true })
  })

  test('keeps it when they hold another time on the other calendar', async () => {
    const { id } = await startCheckout(meridian, await makePaid(there), { starts_at: TEN })
    await startCheckout(meridian, await makePaid(here), { starts_at: TWO })
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({ isReleased: false })
  })
})

test('holds on both calendars count together for the share of the day (rule H8)', async () => {
  const [a, b] = [await makePaid(here), await makePaid(there)]
  for (const calendar of [here, there]) await openOnly(calendar, '10:00', '12:00')
  const hold = (calendar: Parameters<typeof startFirstCheckout>[1], startsAt: string, email: string) =>
    startFirstCheckout(meridian, calendar, { starts_at: startsAt, customer: { name: 'Grace Hopper', email } })
  expect((await hold(a, TEN, ADA)).statusCode).toBe(201)
  expectRefusal(await hold(b, HALF_PAST_TEN, BOB), 'hold.day_held')
})

describe('the waiting list of the other calendar', () => {
  test('is offered a time that becomes free here', async () => {
    const booked = await bookAppointment(meridian, here.slug, { starts_at: NINE })
    await openOnly(there, '09:00')
    await joinWaitingListAndConfirm(meridian, there.slug, { email: ADA, to_date: '2027-01-05' })
    await waitUntilScansFinish(meridian)
    expect((await listWaitingListEntries(meridian, owner, there)).entries).toMatchObject([{ offers: [] }])
    const cancelled = await asOwner(`/${booked.json().id}/actions`, { action: 'cancel' })
    expect(cancelled.statusCode, cancelled.body).toBe(200)
    expect((await waitForOffer(meridian, ADA)).subject).toContain('Tuesday, January 5, 9:00 AM')
  })

  test('is offered a time that becomes free when this calendar is given away', async () => {
    await bookAppointment(meridian, here.slug, { starts_at: NINE })
    await openOnly(there, '09:00')
    await joinWaitingListAndConfirm(meridian, there.slug, { email: ADA, to_date: '2027-01-05' })
    await waitUntilScansFinish(meridian)
    const given = await owner.put(`/api/calendars/${here.id}/person`, { name: 'Jon Osei' })
    expect(given.statusCode, given.body).toBe(200)
    await waitForOffer(meridian, ADA)
  })

  test('is offered a time that becomes free when this calendar keeps a smaller buffer', async () => {
    await setBuffer(here, 30)
    await bookAppointment(meridian, here.slug, { starts_at: '2027-01-05T09:30:00Z' })
    await openOnly(there, '09:00')
    await joinWaitingListAndConfirm(meridian, there.slug, { email: ADA, to_date: '2027-01-05' })
    await waitUntilScansFinish(meridian)
    const changed = await owner.patch(`/api/calendars/${here.id}/slot-settings`, { buffer_time_minutes: 0 })
    expect(changed.statusCode, changed.body).toBe(200)
    await waitForOffer(meridian, ADA)
  })

  test('has its offers ended when their time is booked here', async () => {
    meridian.clock.ms = Date.parse(NINE) - 2 * HOUR_MS
    await openOnly(there, '09:00')
    await joinFullyBookedCalendar(meridian, there.slug, { email: ADA, to_date: '2027-01-05' })
    const token = tokenInWaitingListEmail(await waitForOffer(meridian, ADA))
    expect((await bookAppointment(meridian, here.slug, { starts_at: NINE })).statusCode).toBe(201)
    await waitUntil(async () => {
      const { entries } = await listWaitingListEntries(meridian, owner, there)
      return entries[0]?.offers.every(({ state }) => state === 'taken') === true
    })
    expectRefusal(await respondToOffer(meridian, token, 'acceptance'), 'waiting.time_taken')
  })

  test('refuses an offer of a time that is taken here before any job noticed it', async () => {
    meridian.clock.ms = Date.parse(NINE) - 2 * HOUR_MS
    await openOnly(there, '09:00')
    await joinFullyBookedCalendar(meridian, there.slug, { email: ADA, to_date: '2027-01-05' })
    const token = tokenInWaitingListEmail(await waitForOffer(meridian, ADA))
    await addAppointment(meridian, here.id, { startsAt: NINE })
    expectRefusal(await respondToOffer(meridian, token, 'acceptance'), 'waiting.time_taken')
  })
})

describe('the owner reads which appointment stands in the way', () => {
  test('before they book', async () => {
    await addAppointment(meridian, there.id, { startsAt: TEN, customer_name: 'Grace Hopper' })
    expect(await judge(TEN)).toMatchObject({
      reasons: ['busy'],
      buffer_minutes: null,
      conflicting_appointment: {
        calendar_id: there.id,
        calendar_name: 'Tenancy law',
        customer_name: 'Grace Hopper',
        starts_at: '2027-01-05T10:00:00.000Z',
      },
    })
    expect(await judge(HALF_PAST_TEN)).toMatchObject({ reasons: [], conflicting_appointment: null })
  })

  test('also where only the buffer of the other calendar is', async () => {
    await addAppointment(meridian, there.id, { startsAt: TEN })
    await setBuffer(there, 15)
    expect(await judge(HALF_PAST_TEN)).toMatchObject({
      reasons: ['buffer'],
      buffer_minutes: 15,
      conflicting_appointment: { calendar_name: 'Tenancy law' },
    })
    await addAppointment(meridian, here.id, { startsAt: HALF_PAST_TEN })
    expect(await judge(HALF_PAST_TEN)).toMatchObject({ reasons: ['busy'], buffer_minutes: null })
  })

  test('when an appointment cannot be restored', async () => {
    const id = await addAppointment(meridian, here.id, { startsAt: TEN, status: 'cancelled' })
    await addAppointment(meridian, there.id, { startsAt: TEN, customer_name: 'Grace Hopper' })
    const refused = await asOwner(`/${id}/actions`, { action: 'restore' })
    expect(refused.json().errors).toEqual([
      {
        path: 'action',
        message: 'This time is taken by the appointment of Grace Hopper in your calendar “Tenancy law”.',
      },
    ])
  })
})

test('a restored or moved appointment takes the time of the present person', async () => {
  const jon = await makeCalendar(meridian, owner, { person_name: 'Jon Osei' })
  const past = await addAppointment(meridian, here.id, {
    startsAt: '2027-01-03T10:00:00Z',
    status: 'cancelled',
    host_id: jon.person.id,
    allows_overlap: true,
  })
  expect((await asOwner(`/${past}/actions`, { action: 'restore' })).statusCode).toBe(200)
  const { rows } = await meridian.database.execute(
    'select host_id, allows_overlap from appointments where id = $1',
    [past],
  )
  expect(rows).toEqual([{ host_id: owner.id, allows_overlap: false }])
})

async function makePaid(calendar: Calendar): Promise<Calendar & { typeId: string }> {
  const typeId = await addAppointmentType(meridian, calendar.id, { price_cents: 4_000 })
  await connectStripe(meridian, calendar.id)
  return { ...calendar, typeId }
}

function byBob() {
  return { customer: { name: 'Bob', email: BOB } }
}

/** Creates an appointment that its customer will move to 10:00. */
async function prepareMove(present: { readonly startsAt: string; readonly minutes?: number }) {
  const policy = JSON.stringify({ ...HALF_REFUND_POLICY, moving: { kind: 'until', hours: 0, times: null } })
  const id = await addAppointment(meridian, here.id, { ...present, policy, policy_text: 'Freely.' })
  const url = `/api/public/manage/${manageTokenOf(meridian, id)}/move`
  const payload = { starts_at: TEN, expected_starts_at: present.startsAt }
  return () => meridian.post(url, payload)
}

async function openOnly({ id }: Calendar, start: string, end = start.replace(':00', ':30')): Promise<void> {
  const { db } = meridian.database
  await db.deleteFrom('availability').where('calendar_id', '=', id).execute()
  await db
    .insertInto('availability')
    .values({ calendar_id: id, id: randomUUID(), day_of_week: 2, start_time: start, end_time: end })
    .execute()
}

async function setBuffer({ id }: Calendar, minutes: number): Promise<void> {
  await meridian.database.execute('update calendars set buffer_time_minutes = $1 where id = $2', [
    minutes,
    id,
  ])
}

function judge(startsAt: string): Promise<AppointmentTimeCheck> {
  return ask(`/api/calendars/${here.id}/appointment-time?starts_at=${startsAt}`)
}

async function ask<Answer>(url: string): Promise<Answer> {
  const response = await owner.get(url)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json()
}

function asOwner(path: string, payload: object): Promise<LightMyRequestResponse> {
  return meridian.request({
    method: 'POST',
    url: `/api/calendars/${here.id}/appointments${path}`,
    cookie: owner.cookie,
    headers: { 'idempotency-key': randomUUID() },
    payload,
  })
}
