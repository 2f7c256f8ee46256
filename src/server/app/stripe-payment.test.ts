import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  makePaidCalendar,
  readAppointmentAndPayment,
  settlePayment,
  startCheckout,
  waitForPayment,
} from '#tests/support/checkouts.ts'
import { makeOwner, startMeridian, type TestMeridian } from '#tests/support/meridian.ts'
import { postForm } from '#tests/support/post-form.ts'
import { addAppointmentType } from '#tests/support/stored-rows.ts'

// These tests run end to end through Stripe's client and the stand-in, whose signed webhooks arrive over HTTP.
let meridian: TestMeridian
beforeAll(async () => {
  meridian = await startMeridian()
  // Use the real time, because the library checks the age of signatures by the real clock.
  meridian.clock.ms = Date.now()
  await meridian.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => meridian.stop())

test('who pays on the provider’s page and closes the tab has the appointment, and a refund cancels it', async () => {
  const { id, refund } = await bookAndPay()
  expect((await readAppointmentAndPayment(meridian, id)).state).toEqual(['confirmed', 'paid', 'completed'])
  expect(await refund()).toMatchObject({ status: 'cancelled', payment_status: 'refunded', warning: null })
})

test('a refund after Stripe was disconnected is recorded, and the owner is told to return the money', async () => {
  const { id, calendar, cookie, refund } = await bookAndPay()
  const url = `/api/calendars/${calendar.id}/payment-providers/stripe/connection`
  expect((await meridian.as({ cookie }).delete(url)).statusCode).toBe(204)
  expect(await refund()).toMatchObject({
    payment_status: 'refunded',
    warning: expect.stringContaining('please refund 40.00 EUR yourself in your Stripe account'),
  })
  expect((await readAppointmentAndPayment(meridian, id)).payment).toMatchObject({ refund_reason: 'by_hand' })
})

/** Books an appointment and pays it on the provider's page; the webhook reports the payment. */
async function bookAndPay() {
  const owner = await makeOwner(meridian)
  const calendar = await makePaidCalendar(meridian, owner)
  // Use a separate account, so that other calendars stay connected.
  await meridian.database.db
    .updateTable('payment_settings')
    .set({ stripe_account_id: `acct_${randomUUID()}` })
    .where('calendar_id', '=', calendar.id)
    .execute()
  const typeId = await addAppointmentType(meridian, calendar.id, { price_cents: 4_000, is_online: true })
  const response = await meridian.get(
    `/api/public/calendars/${calendar.slug}/days?from=${day(1)}&to=${day(30)}&appointment_type_id=${typeId}`,
  )
  const { date } = response.json().days.find((found: { open_slots: number }) => found.open_slots > 0)
  const slots = await meridian.get(
    `/api/public/calendars/${calendar.slug}/slots?date=${date}&appointment_type_id=${typeId}`,
  )
  const { starts_at } = slots.json().slots[0]
  const { id } = await startCheckout(meridian, { ...calendar, typeId }, { starts_at })
  const { payment } = await readAppointmentAndPayment(meridian, id)
  expect((await settlePayment(meridian, id)).json()).toMatchObject({ payment: 'open' })

  await postForm(payment.checkout_url ?? '', { action: 'pay', card: '4242 4242 4242 4242' })
  await waitForPayment(meridian, id, ({ status }) => status === 'completed')
  const refund = async () => {
    const answer = await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/actions`, {
      action: 'refund',
    })
    return answer.json()
  }
  return { id, calendar, cookie: owner.cookie, refund }
}

/** Returns the date a number of days from now, in UTC. */
function day(offset: number): string {
  return new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
}
