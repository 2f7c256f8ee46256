import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { HOLD_MS } from '#core/appointments/hold.ts'
import { sendAppointmentAction } from '#tests/support/act-on.ts'
import {
  makeFakeProviders,
  readAppointmentAndPayment,
  type StartedCheckout,
  settlePayment,
  startCheckout,
  waitForPayment,
} from '#tests/support/checkouts.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { paidCalendar as calendar, meridian, owner, setUpPaidCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment } from '#tests/support/meridian.ts'
import { HALF_REFUND_POLICY, savePolicy } from '#tests/support/policies.ts'
import { queryRows, waitUntil, waitUntilEmailsSent } from '#tests/support/race-track.ts'
import {
  countSeatsTaken,
  findOtherParticipants,
  listMailsTo,
  makeParticipant,
  PARTICIPANTS,
  type Participant,
} from '#tests/support/sessions.ts'
import { addAppointmentType } from '#tests/support/stored-rows.ts'
import { releaseExpiredHolds } from './end-checkouts.ts'

const providers = makeFakeProviders()
const { stripe } = providers

setUpPaidCalendar({ providers, env: { DEFAULT_PLAN: 'enterprise' } })

const TUESDAY = '2027-01-05'
const NINE = `${TUESDAY}T09:00:00Z`
const TEN = `${TUESDAY}T10:00:00Z`
/** 25 hours before the session, when the policy refunds half. */
const DAY_BEFORE = Date.parse('2027-01-04T08:00:00Z')

const PAID = PARTICIPANTS.slice(0, 6)
const UNPAID = PARTICIPANTS.slice(6, 12)
const BOOKED = [...PAID, ...UNPAID]
const [PAYING, LEAVING] = ['Tango', 'Zulu'] as const

let typeId: string

beforeEach(async () => {
  meridian.mails.length = 0
  stripe.calls.length = 0
  typeId = await addAppointmentType(meridian, calendar.id, {
    name: 'Yoga',
    duration: 60,
    seats: 14,
    price_cents: 4_000,
  })
  await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
})

describe('a cancelled session of 12 people, while 2 others still pay', () => {
  test.each([
    ['all', 4_000],
    ['policy', 2_000],
  ] as const)(
    'refunds %s of each payment once, emails each person once, and leaves the holds alone',
    async (refund, cents) => {
      const { ids, holds } = await fillSession()
      await waitUntilEmailsSent(meridian.database)
      meridian.mails.length = 0

      const { id, preview } = await cancelSession(ids[0] as string, refund)
      expect(preview.map((one) => one.customer_name).sort()).toEqual([...BOOKED].sort())
      const money = preview.flatMap(({ paid, refund_by_policy }) =>
        paid === null ? [] : [[paid, refund_by_policy]],
      )
      expect(money).toEqual(PAID.map(() => [40, 20]))
      await waitUntil(async () => (await readChange(id)).finished_at !== null)
      expect(await readChange(id)).toMatchObject({ total: 12, done: 12, skipped: [] })
      await waitUntilEmailsSent(meridian.database)

      for (const [at, name] of BOOKED.entries()) {
        const isPaid = at < PAID.length
        if (isPaid) {
          const { payment } = await waitForPayment(
            meridian,
            ids[at] as string,
            ({ refunded_cents }) => refunded_cents > 0,
          )
          expect(payment).toMatchObject({ refunded_cents: cents, return_cents: cents })
        }
        expect(await stateOf(ids[at])).toBe('cancelled')
        const mails = listMailsTo(meridian, name)
        expect(mails, name).toHaveLength(1)
        expect(mails[0]).toContain('The teacher is ill.')
        expect(/We’ll refund|Your payment has been refunded/.test(mails[0] ?? ''), name).toBe(isPaid)
        expect(findOtherParticipants(mails[0] ?? '', name)).toEqual([])
      }
      expect(stripe.calls.filter((call) => call === 'refund')).toHaveLength(PAID.length)
      for (const name of [PAYING, LEAVING]) expect(listMailsTo(meridian, name)).toEqual([])
      expect(await countSeatsTaken(meridian, calendar)).toEqual([2])

      await pay(holds[0] as StartedCheckout)
      meridian.clock.ms += HOLD_MS
      await releaseExpiredHolds(meridian.deps)
      expect(await stateOf(holds[0]?.id)).toBe('confirmed')
      expect(await readAppointmentAndPayment(meridian, holds[1]?.id ?? '')).toMatchObject({
        isReleased: true,
      })
      expect(await countSeatsTaken(meridian, calendar)).toEqual([1])
      expect(await seatsAt(NINE)).toBe(13)
    },
  )

  test('is cancelled once, however often the owner sends the request', async () => {
    const ids = [await bookPaid('Alfa'), await book('Bravo')]
    const { id, body } = await cancelSession(ids[0] as string, 'all')
    expect((await owner.post(`/api/calendars/${calendar.id}/many-changes`, body)).statusCode).toBe(202)
    await waitUntil(async () => (await readChange(id)).finished_at !== null)
    await waitForPayment(meridian, ids[0] as string, ({ status }) => status === 'refunded')
    await waitUntilEmailsSent(meridian.database)
    expect(listMailsTo(meridian, 'Bravo', 'Appointment cancelled')).toHaveLength(1)
    expect(stripe.calls.filter((call) => call === 'refund')).toHaveLength(1)
  })

  test('leaves another session on the same day as it is', async () => {
    const [cancelled, kept] = [await book('Alfa'), await book('Bravo', TEN)]
    const { id } = await cancelSession(cancelled, 'all')
    await waitUntil(async () => (await readChange(id)).finished_at !== null)
    expect([await stateOf(cancelled), await stateOf(kept)]).toEqual(['cancelled', 'confirmed'])
    expect(await countSeatsTaken(meridian, calendar)).toEqual([1])
  })
})

test('a session in which 2 people still pay cannot be moved, and nothing about it changes', async () => {
  const { ids } = await fillSession()
  await waitUntilEmailsSent(meridian.database)
  const before = await readStored()
  const mails = meridian.mails.length
  const moved = await owner.post(`/api/calendars/${calendar.id}/appointments/${ids[0]}/move`, {
    starts_at: `${TUESDAY}T13:00:00Z`,
    expected_starts_at: NINE,
    whole_session: true,
  })
  expectRefusal(moved, 'appointment.session_unconfirmed')
  expect(await readStored()).toEqual(before)
  await waitUntilEmailsSent(meridian.database)
  expect(meridian.mails).toHaveLength(mails)
  expect(await countSeatsTaken(meridian, calendar)).toEqual([14])
})

describe('a seat that is paid online', () => {
  beforeEach(() => changeSeats(2))

  test('is taken while its customer pays, and confirmed by the payment', async () => {
    await book('Alfa')
    const hold = await start('Bravo')
    expect(await seatsAt(NINE)).toBeUndefined()
    expectRefusal(await tryToBook('Charlie'), 'booking.session_full')
    await pay(hold)
    expect((await readAppointmentAndPayment(meridian, hold.id)).state).toEqual([
      'confirmed',
      'paid',
      'completed',
    ])
    expect(await countSeatsTaken(meridian, calendar)).toEqual([2])
  })

  test('is free again as soon as its hold ends', async () => {
    await book('Alfa')
    await start('Bravo')
    await endHolds()
    expect(await seatsAt(NINE)).toBe(1)
    expect(await countSeatsTaken(meridian, calendar)).toEqual([1])
    await book('Charlie')
  })

  test('is got back by a late payment while a seat of the session is free', async () => {
    await book('Alfa')
    const late = await start('Bravo')
    await endHolds()
    stripe.pay(late.checkoutId)
    expect((await settlePayment(meridian, late.id)).json()).toMatchObject({ payment: 'paid' })
    expect(await countSeatsTaken(meridian, calendar)).toEqual([2])
    expect(await sessionIdsAt(NINE)).toHaveLength(1)
  })

  test('is got back by a late payment in the session that others have opened at its time', async () => {
    const late = await start('Bravo')
    await endHolds()
    await book('Alfa')
    stripe.pay(late.checkoutId)
    expect((await settlePayment(meridian, late.id)).json()).toMatchObject({ payment: 'paid' })
    expect(await countSeatsTaken(meridian, calendar)).toEqual([2])
  })

  test('is refunded once when it is paid after the last seat has gone', async () => {
    await book('Alfa')
    const late = await start('Bravo')
    await endHolds()
    await book('Charlie')
    stripe.pay(late.checkoutId)
    for (let time = 0; time < 2; time += 1)
      expect((await settlePayment(meridian, late.id)).json()).toMatchObject({
        payment: 'refunded',
        appointment: null,
      })
    const { payment } = await waitForPayment(meridian, late.id, ({ status }) => status === 'refunded')
    expect(payment).toMatchObject({ refund_reason: 'too_late', refunded_cents: 4_000 })
    expect(stripe.calls.filter((call) => call === 'refund')).toHaveLength(1)
    expect(await countSeatsTaken(meridian, calendar)).toEqual([2])
  })
})

test('one person who is cancelled and refunded changes nothing for the others', async () => {
  const leaving = await bookPaid('Alfa')
  const staying = [await bookPaid('Bravo'), await book('Charlie')]
  await waitUntilEmailsSent(meridian.database)
  const before = await readStored(staying)
  const received = (['Bravo', 'Charlie'] as const).map((name) => listMailsTo(meridian, name).length)
  const cancelled = await sendAppointmentAction({ meridian, owner, calendar }, leaving, {
    action: 'cancel',
    refund_amount: 20,
  })
  expect(cancelled.statusCode, cancelled.body).toBe(200)
  await waitForPayment(meridian, leaving, ({ refunded_cents }) => refunded_cents === 2_000)
  await waitUntilEmailsSent(meridian.database)
  expect(await readStored(staying)).toEqual(before)
  expect((['Bravo', 'Charlie'] as const).map((name) => listMailsTo(meridian, name).length)).toEqual(received)
  expect(await countSeatsTaken(meridian, calendar)).toEqual([2])
})

/** 12 people have booked, half of them paid; 2 further ones are still paying. */
async function fillSession() {
  const ids: string[] = []
  for (const name of PAID) ids.push(await bookPaid(name))
  for (const name of UNPAID) ids.push(await book(name))
  const holds = [await start(PAYING), await start(LEAVING)]
  meridian.clock.ms = DAY_BEFORE
  return { ids, holds }
}

function start(name: Participant): Promise<StartedCheckout> {
  return startCheckout(
    meridian,
    { ...calendar, typeId },
    { starts_at: NINE, customer: makeParticipant(name) },
  )
}

async function pay({ id, checkoutId }: StartedCheckout): Promise<void> {
  stripe.pay(checkoutId)
  await settlePayment(meridian, id)
}

async function bookPaid(name: Participant): Promise<string> {
  const started = await start(name)
  await pay(started)
  return started.id
}

function tryToBook(name: Participant, starts_at = NINE) {
  const body = { starts_at, appointment_type_id: typeId, customer: makeParticipant(name) }
  return bookAppointment(meridian, calendar.slug, body)
}

async function book(name: Participant, startsAt = NINE): Promise<string> {
  const booked = await tryToBook(name, startsAt)
  expect(booked.statusCode, booked.body).toBe(201)
  return booked.json().id
}

async function endHolds(): Promise<void> {
  meridian.clock.ms += HOLD_MS
  await releaseExpiredHolds(meridian.deps)
}

async function changeSeats(seats: number): Promise<void> {
  const path = `/api/calendars/${calendar.id}/appointment-types/${typeId}`
  expect((await owner.patch(path, { seats })).statusCode).toBe(200)
}

/** Cancels the session of an appointment, as the owner's dialog does: with the preview that it shows. */
async function cancelSession(appointmentId: string, refund: 'all' | 'policy') {
  const [session] = await queryRows(meridian.database, 'select session_id from appointments where id = $1', [
    appointmentId,
  ])
  const range = { from: TUESDAY, to: TUESDAY, session_id: String(session?.session_id) }
  const path = `/api/calendars/${calendar.id}/many-changes`
  const { digest, appointments } = (await owner.get(`${path}/effect?${new URLSearchParams(range)}`)).json()
  const body = { ...range, id: randomUUID(), kind: 'cancel', message: 'The teacher is ill.', refund, digest }
  const answer = await owner.post(path, body)
  expect(answer.statusCode, answer.body).toBe(202)
  type Previewed = { customer_name: string; paid: number | null; refund_by_policy: number | null }
  return { id: body.id, body, preview: appointments as Previewed[] }
}

async function readChange(id: string) {
  return (await owner.get(`/api/calendars/${calendar.id}/many-changes/${id}`)).json()
}

async function seatsAt(startsAt: string): Promise<number | undefined> {
  const query = `date=${TUESDAY}&appointment_type_id=${typeId}`
  const { slots } = (await meridian.get(`/api/public/calendars/${calendar.slug}/slots?${query}`)).json()
  type Slot = { starts_at: string; seats_left: number }
  return slots.find((slot: Slot) => Date.parse(slot.starts_at) === Date.parse(startsAt))?.seats_left
}

async function stateOf(id: string | undefined): Promise<unknown> {
  const [row] = await queryRows(meridian.database, 'select status from appointments where id = $1', [id])
  return row?.status
}

function sessionIdsAt(startsAt: string) {
  const text = `select distinct session_id from appointments where calendar_id = $1 and starts_at = $2 and released_at is null`
  return queryRows(meridian.database, text, [calendar.id, startsAt])
}

/** Returns everything that is stored about appointments, all of the calendar by default. */
async function readStored(ids?: readonly string[]) {
  const of = (table: string, column: string) =>
    queryRows(
      meridian.database,
      `select * from ${table} where calendar_id = $1 and ($2::uuid[] is null or ${column} = any ($2)) order by ${table}`,
      [calendar.id, ids ?? null],
    )
  return {
    appointments: await of('appointments', 'id'),
    payments: await of('payment_transactions', 'appointment_id'),
    messages: await of('appointment_messages', 'appointment_id'),
    sessions:
      ids === undefined
        ? await queryRows(meridian.database, 'select * from group_sessions where calendar_id = $1', [
            calendar.id,
          ])
        : [],
  }
}
