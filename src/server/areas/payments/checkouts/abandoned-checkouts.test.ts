import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { TransactionRow } from '#contract/payments/transactions.ts'
import { HOLD_MS } from '#core/appointments/hold.ts'
import {
  makeFakeProviders,
  readAppointmentAndPayment,
  startCheckout,
  startFirstCheckout,
} from '#tests/support/checkouts.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { paidCalendar as calendar, meridian, owner, setUpPaidCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, TEST_MONDAY } from '#tests/support/meridian.ts'
import { releaseExpiredHolds } from './end-checkouts.ts'

const providers = makeFakeProviders()

setUpPaidCalendar({ providers, env: { DEFAULT_PLAN: 'enterprise' }, hasWorkers: false })

test('an unpaid payment is deleted when the customer gives the time back', async () => {
  const { id } = await startCheckout(meridian, calendar)
  const { payment } = await readAppointmentAndPayment(meridian, id)
  const other = await startCheckout(meridian, calendar, {
    starts_at: '2027-01-04T11:00:00Z',
    customer: { name: 'Alan Turing', email: 'alan@example.com' },
  })
  expect((await giveBack(id, `?transaction_id=${payment.id}`)).statusCode).toBe(204)
  expect(await storedOf(id)).toEqual([])
  expect((await listShown()).map(({ appointment_id }) => appointment_id)).toEqual([other.id])
})

test('giving the time back with the id of another payment deletes no payment, but frees the time', async () => {
  const { id } = await startCheckout(meridian, calendar)
  expect((await giveBack(id, `?transaction_id=${randomUUID()}`)).statusCode).toBe(204)
  expect(await storedOf(id)).toEqual([{ status: 'failed', abandoned: true }])
  expect((await readAppointmentAndPayment(meridian, id)).isReleased).toBe(true)
  // The payment's row is kept, but does not count as failed.
  expect(await listShown()).toEqual([])
})

test('giving the time back without a payment id deletes every unpaid payment of the appointment', async () => {
  const { id } = await startCheckout(meridian, calendar)
  await giveBack(id)
  expect(await storedOf(id)).toEqual([])
})

test('an abandoned PayPal order is kept, because it can still be paid, but not shown as failed', async () => {
  const { id } = await startCheckout(meridian, calendar, { provider: 'paypal' })
  const { payment } = await readAppointmentAndPayment(meridian, id)
  await giveBack(id, `?transaction_id=${payment.id}`)
  expect(await storedOf(id)).toEqual([{ status: 'failed', abandoned: true }])
  expect(await listShown()).toEqual([])
})

test('an expired checkout is not shown as failed', async () => {
  await startCheckout(meridian, calendar)
  meridian.clock.ms = TEST_MONDAY + HOLD_MS
  await releaseExpiredHolds(meridian.deps)
  expect(await listShown()).toEqual([])
})

test('a payment that the provider declined is shown as failed, even after the customer gave the time back', async () => {
  const { id } = await startCheckout(meridian, calendar)
  await meridian.database.db
    .updateTable('payment_transactions')
    .set({ failure: 'Your card was declined.' })
    .where('appointment_id', '=', id)
    .execute()
  await giveBack(id)
  expect((await listShown()).map(({ status, failure }) => [status, failure])).toEqual([
    ['failed', 'Your card was declined.'],
  ])
})

test('switching payments off hides the providers from customers and keeps the accounts connected', async () => {
  const settings = `/api/calendars/${calendar.id}/payment-settings`
  const off = { payment_enabled: false, was: { payment_enabled: true } }
  const saved = await owner.patch(settings, off)
  expect(saved.json()).toMatchObject({
    payment_enabled: false,
    stripe_connected: true,
    paypal_connected: true,
  })
  const offered = await meridian.get(`/api/public/calendars/${calendar.slug}/payment-providers`)
  expect(offered.json()).toMatchObject({ stripe_connected: false, paypal_connected: false })
  expectRefusal(await startFirstCheckout(meridian, calendar), 'payment.provider_not_connected')
  // With online payments disabled nobody has to pay online, even where payment is required. The prices stay.
  await owner.patch(settings, { payment_required: true })
  const booked = await bookAppointment(meridian, calendar.slug, { appointment_type_id: calendar.typeId })
  expect(booked.statusCode, booked.body).toBe(201)
  expect(booked.json()).toMatchObject({ payment_status: 'pending' })
  expect(meridian.logLines.join()).not.toContain('Payment is required but no provider is configured')
})

test('a booking that requires payment without a usable provider is made unpaid, and a warning is logged', async () => {
  const { db } = meridian.database
  await db.updateTable('calendars').set({ payment_required: true }).where('id', '=', calendar.id).execute()
  await db
    .updateTable('payment_settings')
    .set({ stripe_connected: false, paypal_connected: false })
    .where('calendar_id', '=', calendar.id)
    .execute()
  const booked = await bookAppointment(meridian, calendar.slug, { appointment_type_id: calendar.typeId })
  expect(booked.statusCode, booked.body).toBe(201)
  const lines = meridian.logLines.filter((line) =>
    line.includes('Payment is required but no provider is configured'),
  )
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(calendar.id)
})

function giveBack(id: string, query = '') {
  return meridian.delete(`/api/public/appointments/${id}${query}`)
}

function storedOf(id: string) {
  return meridian.database.db
    .selectFrom('payment_transactions')
    .select(['status', 'abandoned'])
    .where('appointment_id', '=', id)
    .execute()
}

async function listShown(): Promise<TransactionRow[]> {
  const url = `/api/calendars/${calendar.id}/transactions`
  const { transactions, total } = (await owner.get(url)).json()
  expect(total).toBe(transactions.length)
  return transactions
}
