import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { expect, test } from 'vitest'
import type { PaymentsOverview, TransactionsResponse } from '#contract/payments/transactions.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { makeCalendar } from '#tests/support/meridian.ts'
import { addAppointment, addAppointments } from '#tests/support/stored-rows.ts'

setUpOwner({ owner: { tier: 'business' } })

test('payments come newest first, ten at a time, with the exact total, to the last page', async () => {
  const { id } = await makeCalendar(meridian, owner)
  await pay(
    id,
    Array.from({ length: 23 }, (_, i) => ({ amount_cents: i * 100, created_at: minutesOn(i) })),
  )
  const amounts = async (page: number) => {
    const { transactions, total } = await list(id, page)
    expect(total).toBe(23)
    return transactions.map(({ amount }) => amount)
  }
  expect(await amounts(1)).toEqual([22, 21, 20, 19, 18, 17, 16, 15, 14, 13])
  expect(await amounts(2)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
  expect(await amounts(3)).toEqual([2, 1, 0])
  expect(await amounts(4)).toEqual([])
})

test('a payment names who paid for what, on the calendar’s clock, and stays when that is gone', async () => {
  const { id } = await makeCalendar(meridian, owner, { timezone: 'America/New_York' })
  const appointment_id = await addAppointment(meridian, id, { startsAt: '2027-01-05T01:00:00Z' })
  await pay(id, [
    { appointment_id, provider: 'stripe', status: 'completed', payment_id: 'pi_1', refunded_cents: 500 },
    {
      appointment_id: randomUUID(),
      provider: 'paypal',
      status: 'failed',
      failure: 'The payment didn’t arrive in time.',
    },
  ])
  const { transactions } = await list(id)
  expect(transactions.find((row) => row.status === 'failed')).toMatchObject({
    appointment: null,
    provider: 'paypal',
    failure: 'The payment didn’t arrive in time.',
  })
  expect(transactions.find((row) => row.status === 'completed')).toMatchObject({
    amount: 40,
    refunded_amount: 5,
    currency: 'EUR',
    payment_id: 'pi_1',
    appointment: {
      date: '2027-01-04',
      start_time: '20:00:00',
      end_time: '20:30:00',
      title: 'Stored',
      customer: { name: 'Stored Customer', phone: null },
    },
  })
})

test('money counts in the month in which it moved, on the calendar’s clock', async () => {
  const { id } = await makeCalendar(meridian, owner, { timezone: 'America/New_York' })
  const january = new Date('2027-01-02T12:00:00Z')
  await pay(id, [
    { provider: 'stripe', status: 'completed', payment_id: 'pi_2', completed_at: january },
    // This is still December in New York.
    { status: 'manual', amount_cents: 1_000, created_at: new Date('2027-01-01T04:00:00Z') },
    {
      provider: 'stripe',
      status: 'refunded',
      payment_id: 'pi_3',
      completed_at: new Date('2026-12-10T12:00:00Z'),
      refunded_at: january,
    },
    { status: 'manual', currency: 'gbp', amount_cents: 250, created_at: january },
    { status: 'manual', amount_cents: 9_999, created_at: new Date('2026-01-15T12:00:00Z') },
    { provider: 'stripe', status: 'pending', created_at: january },
    { provider: 'stripe', status: 'mismatch', payment_id: 'pi_4', created_at: january },
  ])
  expect((await overview(id)).months).toEqual([
    { month: '2027-01', currency: 'EUR', sandbox: false, taken: 40, refunded: 40 },
    { month: '2027-01', currency: 'GBP', sandbox: false, taken: 2.5, refunded: 0 },
    { month: '2026-12', currency: 'EUR', sandbox: false, taken: 50, refunded: 0 },
  ])
})

test('outstanding is what customers of appointments that stand still owe', async () => {
  const { id } = await makeCalendar(meridian, owner)
  const now = new Date(meridian.clock.ms)
  const owed = { price_cents: 4_000, payment_status: 'pending' } as const
  const held = { ...owed, status: 'pending_payment', hold_expires_at: now } as const
  const days = [
    owed,
    { ...owed, status: 'pending_cancellation' },
    { ...owed, status: 'pending_payment' },
    { ...owed, status: 'cancelled' },
    { ...owed, payment_status: 'paid' },
    held,
    { ...held, released_at: now },
  ] as const
  await addAppointments(
    meridian,
    id,
    days.map((values, i) => ({ ...values, startsAt: `2027-01-1${i}T10:00:00Z` })),
  )
  expect(await overview(id)).toEqual({ months: [], outstanding: [{ currency: 'EUR', amount: 120 }] })
})

function minutesOn(minutes: number): Date {
  return new Date(meridian.clock.ms + minutes * 60_000)
}

type Payment = Partial<Insertable<Schema['payment_transactions']>>

/** Adds payments of 40 euro that the owner recorded, unless other values are given. */
function pay(calendarId: string, payments: readonly Payment[]) {
  const rows = payments.map((payment) => ({
    calendar_id: calendarId,
    id: randomUUID(),
    amount_cents: 4_000,
    provider: 'manual' as const,
    status: 'manual' as const,
    created_at: new Date(meridian.clock.ms),
    ...payment,
  }))
  return meridian.database.db.insertInto('payment_transactions').values(rows).execute()
}

async function list(calendarId: string, page = 1): Promise<TransactionsResponse> {
  return (await owner.get(`/api/calendars/${calendarId}/transactions?page=${page}`)).json()
}

async function overview(calendarId: string): Promise<PaymentsOverview> {
  return (await owner.get(`/api/calendars/${calendarId}/money`)).json()
}
