import { beforeEach, describe, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import {
  listMessageKinds,
  makeFakeProviders,
  readAppointmentAndPayment,
  settlePayment,
  startCheckout,
} from '#tests/support/checkouts.ts'
import { PROVIDER_UNAVAILABLE, REFUND_REFUSED } from '#tests/support/fake-payment-provider.ts'
import { paidCalendar as calendar, meridian, owner, setUpPaidCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, TEST_MONDAY } from '#tests/support/meridian.ts'
import { manageTokenOf } from '#tests/support/policies.ts'

const providers = makeFakeProviders()
const { stripe, paypal } = providers

setUpPaidCalendar({ providers, env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  stripe.calls.length = 0
  paypal.calls.length = 0
})

const CONFIRMED = ['confirmed', 'paid', 'completed']
const HELD = ['pending_payment', 'pending', 'pending']

describe('a payment during the hold', () => {
  test('confirms the appointment and emails customer and owner, once, however often the page asks', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    stripe.pay(checkoutId)
    const [first, again] = [await settlePayment(meridian, id), await settlePayment(meridian, id)]
    expect(first.json()).toMatchObject({
      payment: 'paid',
      appointment: { id, status: 'confirmed', payment_status: 'paid' },
      calendar_slug: calendar.slug,
      public_url: calendar.public_url,
      near_times: [],
    })
    expect(again.json()).toEqual(first.json())
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      state: CONFIRMED,
      holdExpiresAtMs: null,
      paymentIntentId: `pay_${checkoutId}`,
      payment: { payment_id: `pay_${checkoutId}`, completed_at: new Date(TEST_MONDAY) },
    })
    expect(await listMessageKinds(meridian, id)).toEqual(['booking_confirmation', 'owner_booking_notice'])
    const link = `/manage/${manageTokenOf(meridian, id)}`
    const mail = await meridian.waitForMail(
      (sent) => sent.text.includes(link) && sent.to.address !== owner.email,
    )
    expect(mail.subject).toMatch(/^Booking confirmed/)
    expect(mail.text).toContain('Paid')
  })

  test('that the customer approved is captured', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar, { provider: 'paypal' })
    paypal.set(checkoutId, 'approved')
    expect((await settlePayment(meridian, id)).json()).toMatchObject({ payment: 'paid' })
    expect(paypal.calls).toEqual(['createCheckout', 'findCheckout', 'captureCheckout'])
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      state: CONFIRMED,
      paymentIntentId: null,
    })
  })

  test.each(['open', 'processing'] as const)(
    'that is %s is told so, and nothing is decided',
    async (status) => {
      const { id, checkoutId } = await startCheckout(meridian, calendar)
      stripe.set(checkoutId, status)
      expect((await settlePayment(meridian, id)).json()).toMatchObject({
        payment: status,
        appointment: { id },
      })
      expect((await readAppointmentAndPayment(meridian, id)).state).toEqual(HELD)
    },
  )

  test('of another amount, currency or account confirms nothing, and the owner gets an email', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    stripe.pay(checkoutId, { amountCents: 400 })
    expect((await settlePayment(meridian, id)).json()).toMatchObject({ payment: 'processing' })
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      state: ['pending_payment', 'pending', 'mismatch'],
      payment: { failure: 'We received 4.00 EUR in acct_test, but expected 40.00 EUR in acct_test.' },
    })
    const mail = await meridian.waitForMail(({ text }) => text.includes(`pay_${checkoutId}`))
    expect(mail.to.address).toBe(owner.email)
    expect(mail.subject).toMatch(/^A payment needs your attention: Grace Hopper/)
    expect(stripe.calls).not.toContain('refund')
  })
})

describe('a capture', () => {
  test('that PayPal refuses frees the time', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar, { provider: 'paypal' })
    paypal.set(checkoutId, 'approved')
    paypal.failNext('captureCheckout', REFUND_REFUSED)
    expect((await settlePayment(meridian, id)).json()).toMatchObject({ payment: 'ended', appointment: null })
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      state: ['pending_payment', 'pending', 'failed'],
      isReleased: true,
      payment: { failure: REFUND_REFUSED.message },
    })
  })

  test('that PayPal does not answer keeps the hold and is retried', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar, { provider: 'paypal' })
    paypal.set(checkoutId, 'approved')
    paypal.failNext('captureCheckout', PROVIDER_UNAVAILABLE)
    expect((await settlePayment(meridian, id)).json()).toMatchObject({ payment: 'processing' })
    expect((await readAppointmentAndPayment(meridian, id)).state).toEqual([
      'pending_payment',
      'pending',
      'capturing',
    ])
    expect((await settlePayment(meridian, id)).json()).toMatchObject({ payment: 'paid' })
  })

  test('is never made after the customer gave the time back', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar, { provider: 'paypal' })
    expect((await giveBack(id)).statusCode).toBe(204)
    paypal.set(checkoutId, 'approved')
    expect((await settlePayment(meridian, id)).json()).toMatchObject({ payment: 'ended' })
    expect(paypal.calls).not.toContain('captureCheckout')
  })
})

describe('giving the time back', () => {
  test('ends the checkout and frees the time at once', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    expect((await giveBack(id)).statusCode).toBe(204)
    expect(stripe.checkouts.get(checkoutId)?.state).toEqual({ status: 'ended' })
    // The payment was deleted (see abandoned-checkouts.test.ts).
    const { released_at } = await meridian.database.db
      .selectFrom('appointments')
      .select('released_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(released_at).not.toBeNull()
    await startCheckout(meridian, calendar)
    expect((await giveBack(id)).json()).toMatchObject({ code: 'appointment.not_found' })
  })

  test('is refused while the payment is being processed or the provider is unavailable', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    stripe.set(checkoutId, 'processing')
    const refused = await giveBack(id)
    expect([refused.statusCode, refused.json().title]).toEqual([409, PROBLEMS['payment.under_way'].title])
    stripe.failNext('endCheckout', PROVIDER_UNAVAILABLE)
    expect((await giveBack(id)).json()).toMatchObject({ code: 'payment.under_way' })
    expect((await readAppointmentAndPayment(meridian, id)).state).toEqual(HELD)
  })

  test('is refused when a capture began after the provider was asked', async () => {
    const { id } = await startCheckout(meridian, calendar, { provider: 'paypal' })
    await meridian.database.execute(
      `update payment_transactions set status = 'capturing' where appointment_id = $1`,
      [id],
    )
    expect((await giveBack(id)).json()).toMatchObject({ code: 'payment.under_way' })
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      isReleased: false,
      payment: { status: 'capturing' },
    })
  })

  test('of a paid appointment confirms it', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    stripe.pay(checkoutId)
    expect((await giveBack(id)).json()).toMatchObject({ code: 'appointment.not_pending_payment' })
    expect((await readAppointmentAndPayment(meridian, id)).state).toEqual(CONFIRMED)
  })
})

test('asking for the payment of an appointment without one is refused', async () => {
  const booked = await bookAppointment(meridian, calendar.slug, { appointment_type_id: calendar.typeId })
  expect((await settlePayment(meridian, booked.json().id)).json()).toMatchObject({
    code: 'payment.not_found',
  })
  expect((await settlePayment(meridian, crypto.randomUUID())).json()).toMatchObject({
    code: 'payment.not_found',
  })
})

function giveBack(id: string) {
  return meridian.delete(`/api/public/appointments/${id}`)
}
