import { beforeEach, describe, expect, test } from 'vitest'
import { HOLD_MS, MAX_HOLD_MS } from '#core/appointments/hold.ts'
import type { PaymentProviderError } from '#server/ports/payment-provider.ts'
import {
  listMessageKinds,
  makeFakeProviders,
  readAppointmentAndPayment,
  type StartedCheckout,
  settlePayment,
  startCheckout,
  waitForPayment,
} from '#tests/support/checkouts.ts'
import { PROVIDER_UNAVAILABLE, REFUND_REFUSED } from '#tests/support/fake-payment-provider.ts'
import { paidCalendar as calendar, meridian, owner, setUpPaidCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, TEST_MONDAY } from '#tests/support/meridian.ts'
import { releaseExpiredHolds } from './end-checkouts.ts'
import { runRefundJob } from './refund-payment.ts'

const providers = makeFakeProviders()
const { stripe, paypal } = providers

setUpPaidCalendar({ providers, env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  stripe.calls.length = 0
  paypal.calls.length = 0
})

const CONFIRMED = ['confirmed', 'paid', 'completed']
const HELD = ['pending_payment', 'pending', 'pending']

describe('the sweep', () => {
  test('ends a hold after five minutes, here and at the provider', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    await sweepAfter(HOLD_MS - 1)
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({ state: HELD, isReleased: false })
    await sweepAfter(HOLD_MS)
    expect(stripe.checkouts.get(checkoutId)?.state).toEqual({ status: 'ended' })
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      isReleased: true,
      payment: { status: 'failed' },
    })
  })

  test('releases the hold of an unapproved PayPal order, which PayPal cannot end', async () => {
    const { id } = await startCheckout(meridian, calendar, { provider: 'paypal' })
    await sweepAfter(HOLD_MS)
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      isReleased: true,
      payment: { status: 'failed' },
    })
  })

  test('continues with the other holds when one fails', async () => {
    const first = await startCheckout(meridian, calendar)
    const second = await startCheckout(meridian, calendar, { starts_at: '2027-01-04T10:00:00Z' })
    meridian.clock.ms = TEST_MONDAY + HOLD_MS
    let asked = 0
    const now = () => {
      asked += 1
      // The sweep itself reads the clock first, so the second reading belongs to the first hold.
      if (asked === 2) throw new Error('this hold cannot be closed')
      return meridian.clock.ms
    }
    await releaseExpiredHolds({ ...meridian.deps, now })
    const released = await Promise.all(
      [first, second].map(({ id }) => readAppointmentAndPayment(meridian, id)),
    )
    expect(released.filter(({ isReleased }) => isReleased)).toHaveLength(1)
    await sweepAfter(HOLD_MS)
    expect(await readAppointmentAndPayment(meridian, first.id)).toMatchObject({ isReleased: true })
  })

  test('extends the hold while the payment is being processed, to half an hour at most', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    stripe.set(checkoutId, 'processing')
    await sweepAfter(HOLD_MS)
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      isReleased: false,
      holdExpiresAtMs: TEST_MONDAY + 2 * HOLD_MS,
    })
    await sweepAfter(MAX_HOLD_MS)
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      isReleased: true,
      payment: { status: 'failed' },
    })
    expect((await settlePayment(meridian, id)).json()).toMatchObject({
      payment: 'processing',
      appointment: null,
    })
  })

  test('ends a PayPal hold after half an hour when the secret cannot be decrypted', async () => {
    const { id } = await startCheckout(meridian, calendar, { provider: 'paypal' })
    await meridian.database.db
      .updateTable('payment_settings')
      .set({ paypal_client_secret_encrypted: Buffer.alloc(64) })
      .where('calendar_id', '=', calendar.id)
      .execute()
    await sweepAfter(HOLD_MS)
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({ state: HELD, isReleased: false })
    await sweepAfter(MAX_HOLD_MS)
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({ isReleased: true })
  })

  test('extends the hold while the provider is unavailable', async () => {
    const { id } = await startCheckout(meridian, calendar)
    stripe.failNext('endCheckout', PROVIDER_UNAVAILABLE)
    await sweepAfter(HOLD_MS)
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({ state: HELD, isReleased: false })
  })

  test('confirms paid holds and captures approved ones', async () => {
    const card = await startCheckout(meridian, calendar)
    const wallet = await startCheckout(meridian, calendar, {
      provider: 'paypal',
      starts_at: '2027-01-04T10:00:00Z',
      customer: { name: 'Ada Lovelace', email: 'ada@example.com' },
    })
    stripe.pay(card.checkoutId)
    paypal.set(wallet.checkoutId, 'approved')
    await sweepAfter(HOLD_MS)
    expect((await readAppointmentAndPayment(meridian, card.id)).state).toEqual(CONFIRMED)
    expect((await readAppointmentAndPayment(meridian, wallet.id)).state).toEqual(CONFIRMED)
  })

  test('releases a hold whose payment differs from the agreed price', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    stripe.pay(checkoutId, { currency: 'usd' })
    await settlePayment(meridian, id)
    await sweepAfter(HOLD_MS)
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      isReleased: true,
      payment: { status: 'mismatch' },
    })
  })
})

describe('a payment after the hold ended', () => {
  test('confirms the appointment when the time is still free', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    await sweepAfter(HOLD_MS)
    stripe.pay(checkoutId)
    expect((await settlePayment(meridian, id)).json()).toMatchObject({ payment: 'paid', appointment: { id } })
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      state: CONFIRMED,
      isReleased: false,
    })
    expect(await listMessageKinds(meridian, id)).toEqual(['booking_confirmation', 'owner_booking_notice'])
    expect(
      (await bookAppointment(meridian, calendar.slug, { appointment_type_id: calendar.typeId })).statusCode,
    ).toBe(409)
  })

  test('is refunded once when the time is taken, with three near times in the answer and the email', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    await sweepAfter(HOLD_MS)
    await bookAppointment(meridian, calendar.slug, { appointment_type_id: calendar.typeId })
    stripe.pay(checkoutId)
    const [answer] = [await settlePayment(meridian, id), await settlePayment(meridian, id)]
    expect(answer.json()).toMatchObject({
      payment: 'refunded',
      appointment: null,
      near_times: ['2027-01-04T09:30:00Z', '2027-01-05T12:00:00Z', '2027-01-06T09:00:00Z'],
    })
    const mail = await meridian.waitForMail(
      ({ text }) => text.includes(`/book/${calendar.slug}`) && text.includes('too late'),
    )
    expect(mail.to.address).toBe('grace@example.com')
    expect(mail.subject).toMatch(/^Your payment is being refunded/)
    expect(mail.text).toContain('€40.00')
    expect(mail.text).toContain(
      `Tuesday, January 5, 2027, 12:00 PM (GMT): ${calendar.public_url}?start=2027-01-05T12%3A00%3A00Z&type=${calendar.typeId}\n`,
    )
    expect(mail.html).toContain(`href="${calendar.public_url}?type=${calendar.typeId}"`)
    await waitForRefund(id)
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      state: ['pending_payment', 'pending', 'refunded'],
      isReleased: true,
      payment: { refund_reason: 'too_late', refunded_cents: 4_000 },
    })
    expect(stripe.calls.filter((call) => call === 'refund')).toHaveLength(1)
  })

  test('is refunded when the appointment would be in the past', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    await sweepAfter(HOLD_MS)
    stripe.pay(checkoutId)
    meridian.clock.ms = Date.parse('2027-01-04T09:00:00Z')
    expect((await settlePayment(meridian, id)).json()).toMatchObject({ payment: 'refunded' })
    await waitForRefund(id)
  })

  test('is refunded once, even if the provider does not answer the first request', async () => {
    const late = await payTooLate(PROVIDER_UNAVAILABLE)
    await meridian.waitForMail(
      ({ subject, text }) =>
        subject.startsWith('Your payment is being refunded') && text.includes(calendar.slug),
    )
    const { payment } = await waitForPayment(
      meridian,
      late.id,
      ({ failure }) => failure === PROVIDER_UNAVAILABLE.message,
    )
    expect(payment.status).toBe('refund_pending')
    await runRefundJob(meridian.deps, { calendarId: calendar.id, paymentId: payment.id })
    await runRefundJob(meridian.deps, { calendarId: calendar.id, paymentId: payment.id })
    expect((await readAppointmentAndPayment(meridian, late.id)).payment).toMatchObject({
      status: 'refunded',
      failure: null,
    })
    expect(stripe.calls.filter((call) => call === 'refund')).toHaveLength(2)
  })

  test('whose refund fails for a day is reported to the owner in the provider’s words', async () => {
    const late = await payTooLate(REFUND_REFUSED)
    const { payment } = await waitForPayment(
      meridian,
      late.id,
      ({ failure }) => failure === REFUND_REFUSED.message,
    )
    meridian.clock.ms += 24 * 60 * 60 * 1000
    stripe.failNext('refund', REFUND_REFUSED)
    await runRefundJob(meridian.deps, { calendarId: calendar.id, paymentId: payment.id })
    const mail = await meridian.waitForMail(
      ({ subject, text }) =>
        subject.startsWith('A payment couldn’t be refunded') && text.includes(late.checkoutId),
    )
    expect(mail.to.address).toBe(owner.email)
    expect(mail.text).toContain(REFUND_REFUSED.message)
    expect((await readAppointmentAndPayment(meridian, late.id)).payment).toMatchObject({
      status: 'refund_pending',
      failure: REFUND_REFUSED.message,
    })
  })
})

async function sweepAfter(ms: number): Promise<void> {
  meridian.clock.ms = TEST_MONDAY + ms
  await releaseExpiredHolds(meridian.deps)
}

/**
 * Creates a payment that arrives after somebody else has taken the time; the provider's first refund call fails with
 * `answer`.
 */
async function payTooLate(answer: PaymentProviderError): Promise<StartedCheckout> {
  const late = await startCheckout(meridian, calendar)
  await sweepAfter(HOLD_MS)
  await bookAppointment(meridian, calendar.slug, { appointment_type_id: calendar.typeId })
  stripe.pay(late.checkoutId)
  stripe.failNext('refund', answer)
  await settlePayment(meridian, late.id)
  return late
}

function waitForRefund(id: string) {
  return waitForPayment(meridian, id, ({ status }) => status === 'refunded')
}
