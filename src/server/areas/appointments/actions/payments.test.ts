import { beforeAll, describe, expect, test } from 'vitest'
import type { AppointmentActionBody } from '#contract/appointments/appointment-actions.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { PaymentProviderError } from '#server/ports/payment-provider.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import { addAppointment, type StoredAppointment } from '#tests/support/stored-rows.ts'
import { type AppointmentActionsDeps, type PaymentOperations, performOwnerAction } from './use-cases.ts'

let ownerId: OwnerId
let calendar: Calendar

setUpMeridian()
beforeAll(async () => {
  const owner = await makeOwner(meridian)
  ownerId = owner.id as OwnerId // The session guard would create this type.
  calendar = await makeCalendar(meridian, owner)
})

const REFUNDED = { processed: 'provider', refundId: 're_1', warning: null } as const
const PAID = { status: 'confirmed', payment_status: 'paid' } as const

describe('the record of payments', () => {
  test('what is marked as paid is a manual transaction of the agreed price', async () => {
    const id = await add({ payment_status: 'pending', price_cents: 4_050, currency: 'gbp' })
    await act(id, { action: 'mark_paid' })
    expect(await listTransactions(id)).toEqual([
      expect.objectContaining({
        amount_cents: 4_050,
        currency: 'gbp',
        provider: 'manual',
        status: 'manual',
        created_at: new Date(meridian.clock.ms),
      }),
    ])
  })

  test.each([null, 0])('without a price (%s) there is none', async (price_cents) => {
    const id = await add({ price_cents })
    expect(await act(id, { action: 'mark_paid' })).toMatchObject({ payment_status: 'paid' })
    expect(await listTransactions(id)).toEqual([])
  })

  test('a payment that has come in already is not recorded twice', async () => {
    const id = await add({ payment_status: 'pending', price_cents: 4_000 })
    const paid = { appointment_id: id, calendar_id: calendar.id, amount_cents: 4_000 }
    await meridian.database.db
      .insertInto('payment_transactions')
      .values({
        ...paid,
        id: crypto.randomUUID(),
        provider: 'stripe',
        status: 'completed',
        payment_id: 'pi_1',
        created_at: new Date(meridian.clock.ms),
      })
      .execute()
    await act(id, { action: 'mark_paid' })
    expect(await listTransactions(id)).toEqual([expect.objectContaining({ status: 'completed' })])
  })

  test('a refund takes it back, and what is paid again is another transaction', async () => {
    const id = await add({ payment_status: 'pending', price_cents: 4_000 })
    await act(id, { action: 'mark_paid' })
    expect(await act(id, { action: 'refund' })).toMatchObject({
      status: 'cancelled',
      payment_status: 'refunded',
      warning: expect.stringContaining('Payments must be processed manually'),
    })
    expect(await listStatuses(id)).toEqual(['refunded'])
    await act(id, { action: 'mark_paid' })
    expect(await listStatuses(id)).toEqual(['manual', 'refunded'])
  })
})

describe('a provider that makes refunds', () => {
  test('is asked once, before anything is recorded', async () => {
    const id = await add({ ...PAID, price_cents: 4_000 })
    const asked: unknown[] = []
    const deps = withRefunds(async (key) => {
      asked.push(key, (await read(id)).payment_status)
      return REFUNDED
    })
    const answer = await act(id, { action: 'refund', was: PAID }, deps)
    expect(answer).toMatchObject({ payment_status: 'refunded', warning: null, email: 'queued' })
    expect(asked).toEqual([{ calendarId: calendar.id, id }, 'paid'])

    const again = await act(id, { action: 'refund', was: PAID }, deps)
    expect(again).toMatchObject({ payment_status: 'refunded', email: 'none' })
    expect(asked).toHaveLength(2)
  })

  test('is believed when it has given the money back, whatever has changed meanwhile', async () => {
    const id = await add(PAID)
    const deps = withRefunds(async () => {
      await meridian.post(`/api/public/appointments/${id}/cancellation-request`)
      return { ...REFUNDED, warning: 'It takes some days.' }
    })
    expect(await act(id, { action: 'refund', was: PAID }, deps)).toMatchObject({
      status: 'pending_cancellation',
      payment_status: 'refunded',
      warning: 'It takes some days.',
    })
  })

  test('is not asked for what cannot be refunded, or not from what was seen', async () => {
    const deps = withRefunds(() => {
      throw new Error('was asked')
    })
    const unpaid = await add({ payment_status: 'pending' })
    await expect(act(unpaid, { action: 'refund' }, deps)).rejects.toMatchObject({
      code: 'appointment.action_not_offered',
    })
    const cancelled = await add({ status: 'cancelled', payment_status: 'paid' })
    await expect(act(cancelled, { action: 'refund', was: PAID }, deps)).rejects.toMatchObject({
      code: 'appointment.changed_meanwhile',
    })
  })

  test('is asked by two at once, and both are told that it is done', async () => {
    const id = await add(PAID)
    let both = 0
    const { promise: bothAsk, resolve } = Promise.withResolvers<void>()
    const deps = withRefunds(async () => {
      both += 1
      if (both === 2) resolve()
      await bothAsk
      return REFUNDED
    })
    const answers = await Promise.all([1, 2].map(() => act(id, { action: 'refund' }, deps)))
    expect(answers.map(({ payment_status, email }) => [payment_status, email]).sort()).toEqual([
      ['refunded', 'none'],
      ['refunded', 'queued'],
    ])
  })

  test('that refuses changes nothing, and says so in its own words', async () => {
    const id = await add(PAID)
    const deps = withRefunds(async () => {
      throw new PaymentProviderError('refused', 'The card has expired.')
    })
    await expect(act(id, { action: 'refund' }, deps)).rejects.toMatchObject({
      code: 'appointment.refund_failed',
      fields: [{ path: 'action', message: 'The card has expired.' }],
    })
    expect(await read(id)).toEqual(PAID)
  })
})

test('what was done stands when its messages cannot be queued, and says so', async () => {
  const id = await add()
  const jobs = {
    ...meridian.deps.jobs,
    insert: () => Promise.reject(new Error('Queue appointment-mail does not exist')),
  }
  const deps = { ...meridian.deps, jobs }
  expect(await act(id, { action: 'cancel' }, deps)).toMatchObject({ status: 'cancelled', email: 'failed' })
  expect(await act(id, { action: 'restore' }, deps)).toMatchObject({ status: 'confirmed', email: 'failed' })
  expect(await read(id)).toMatchObject({ status: 'confirmed' })
})

let days = 0
function add(values: Partial<StoredAppointment> = {}): Promise<string> {
  days += 1
  const startsAt = new Date(Date.parse('2027-02-01T09:00:00Z') + days * 86_400_000).toISOString()
  return addAppointment(meridian, calendar.id, { startsAt, ...values })
}

function act(id: string, body: AppointmentActionBody, deps: AppointmentActionsDeps = meridian.deps) {
  return performOwnerAction(deps, ownerId, { calendarId: calendar.id, id }, body)
}

function withRefunds(payBack: PaymentOperations['payBack']): AppointmentActionsDeps {
  return { ...meridian.deps, money: { ...meridian.deps.money, payBack } }
}

function read(id: string) {
  return meridian.database.db
    .selectFrom('appointments')
    .select(['status', 'payment_status'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

function listTransactions(appointmentId: string) {
  return meridian.database.db
    .selectFrom('payment_transactions')
    .selectAll()
    .where('appointment_id', '=', appointmentId)
    .orderBy('status')
    .execute()
}

async function listStatuses(appointmentId: string): Promise<string[]> {
  return (await listTransactions(appointmentId)).map(({ status }) => status)
}
