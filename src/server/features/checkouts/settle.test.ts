import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/problem.ts'
import { HOLD_MS, LONGEST_HOLD_MS } from '#core/booking/hold.ts'
import type { ProviderError } from '#server/ports/payment-provider.ts'
import {
  type BegunCheckout,
  beginCheckout,
  makeFakeProviders,
  makePaidCalendar,
  type PaidCalendar,
  readPaid,
  settle,
  waitForPayment,
} from '#tests/support/checkouts.ts'
import { REFUSED, UNAVAILABLE } from '#tests/support/fake-payment-provider.ts'
import {
  book,
  MONDAY,
  makeOwner,
  startMeridian,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { sweepHolds } from './end-checkouts.ts'
import { returnPayment } from './refund.ts'

const providers = makeFakeProviders()
const { stripe, paypal } = providers
let meridian: TestMeridian
let owner: TestOwner
let calendar: PaidCalendar

beforeAll(async () => {
  meridian = await startMeridian({ providers, env: { DEFAULT_PLAN: 'enterprise' } })
  owner = await makeOwner(meridian)
})
beforeEach(async () => {
  calendar = await makePaidCalendar(meridian, owner)
  stripe.calls.length = 0
  paypal.calls.length = 0
})
afterEach(() => {
  meridian.clock.ms = MONDAY
})
afterAll(() => meridian.stop())

const CONFIRMED = ['confirmed', 'paid', 'completed']
const HELD = ['pending_payment', 'pending', 'pending']

describe('a payment in time', () => {
  test('confirms the appointment and tells both, once, however often it is asked for', async () => {
    const { id, checkoutId } = await beginCheckout(meridian, calendar)
    stripe.pay(checkoutId)
    const [first, again] = [await settle(meridian, id), await settle(meridian, id)]
    expect(first.json()).toMatchObject({
      payment: 'paid',
      appointment: { id, status: 'confirmed', payment_status: 'paid' },
      calendar_slug: calendar.slug,
      public_url: calendar.public_url,
      near_times: [],
    })
    expect(again.json()).toEqual(first.json())
    expect(await readPaid(meridian, id)).toMatchObject({
      state: CONFIRMED,
      holdExpiresAtMs: null,
      paymentIntentId: `pay_${checkoutId}`,
      payment: { payment_id: `pay_${checkoutId}`, completed_at: new Date(MONDAY) },
    })
    expect(await listMessages(id)).toEqual(['booking_confirmation', 'owner_booking_notice'])
    const mail = await meridian.waitForMail(
      (sent) => sent.text.includes(id) && sent.to.address !== owner.email,
    )
    expect(mail.subject).toMatch(/^Booking confirmed/)
    expect(mail.text).toContain('Paid')
  })

  test('that the customer has approved is captured while the time is held', async () => {
    const { id, checkoutId } = await beginCheckout(meridian, calendar, { provider: 'paypal' })
    paypal.set(checkoutId, 'approved')
    expect((await settle(meridian, id)).json()).toMatchObject({ payment: 'paid' })
    expect(paypal.calls).toEqual(['createCheckout', 'findCheckout', 'captureCheckout'])
    expect(await readPaid(meridian, id)).toMatchObject({ state: CONFIRMED, paymentIntentId: null })
  })

  test.each(['open', 'processing'] as const)(
    'that is %s is told so, and nothing is decided',
    async (status) => {
      const { id, checkoutId } = await beginCheckout(meridian, calendar)
      stripe.set(checkoutId, status)
      expect((await settle(meridian, id)).json()).toMatchObject({ payment: status, appointment: { id } })
      expect((await readPaid(meridian, id)).state).toEqual(HELD)
    },
  )

  test('of another amount, currency or account confirms nothing, and the owner is told', async () => {
    const { id, checkoutId } = await beginCheckout(meridian, calendar)
    stripe.pay(checkoutId, { amountCents: 400 })
    expect((await settle(meridian, id)).json()).toMatchObject({ payment: 'processing' })
    expect(await readPaid(meridian, id)).toMatchObject({
      state: ['pending_payment', 'pending', 'mismatch'],
      payment: { failure: 'Paid were 4.00 EUR to acct_test; agreed were 40.00 EUR to acct_test.' },
    })
    const mail = await meridian.waitForMail(({ text }) => text.includes(`pay_${checkoutId}`))
    expect(mail.to.address).toBe(owner.email)
    expect(mail.subject).toMatch(/^A payment needs your attention: Grace Hopper/)
    expect(stripe.calls).not.toContain('refund')
  })
})

describe('a capture', () => {
  test('that is refused for good gives the time back', async () => {
    const { id, checkoutId } = await beginCheckout(meridian, calendar, { provider: 'paypal' })
    paypal.set(checkoutId, 'approved')
    paypal.failNext('captureCheckout', REFUSED)
    expect((await settle(meridian, id)).json()).toMatchObject({ payment: 'ended', appointment: null })
    expect(await readPaid(meridian, id)).toMatchObject({
      state: ['pending_payment', 'pending', 'failed'],
      isReleased: true,
      payment: { failure: REFUSED.message },
    })
  })

  test('that was not answered keeps the time and is made later, once', async () => {
    const { id, checkoutId } = await beginCheckout(meridian, calendar, { provider: 'paypal' })
    paypal.set(checkoutId, 'approved')
    paypal.failNext('captureCheckout', UNAVAILABLE)
    expect((await settle(meridian, id)).json()).toMatchObject({ payment: 'processing' })
    expect((await readPaid(meridian, id)).state).toEqual(['pending_payment', 'pending', 'capturing'])
    expect((await settle(meridian, id)).json()).toMatchObject({ payment: 'paid' })
  })

  test('is never made for a time that was given back', async () => {
    const { id, checkoutId } = await beginCheckout(meridian, calendar, { provider: 'paypal' })
    expect((await giveBack(id)).statusCode).toBe(204)
    paypal.set(checkoutId, 'approved')
    expect((await settle(meridian, id)).json()).toMatchObject({ payment: 'ended' })
    expect(paypal.calls).not.toContain('captureCheckout')
  })
})

describe('giving the time back', () => {
  test('ends the checkout first, and the time is free at once', async () => {
    const { id, checkoutId } = await beginCheckout(meridian, calendar)
    expect((await giveBack(id)).statusCode).toBe(204)
    expect(stripe.checkouts.get(checkoutId)?.state).toEqual({ status: 'ended' })
    expect(await readPaid(meridian, id)).toMatchObject({
      state: ['pending_payment', 'pending', 'failed'],
      isReleased: true,
    })
    await beginCheckout(meridian, calendar)
    expect((await giveBack(id)).json()).toMatchObject({ code: 'appointment.not_found' })
  })

  test('is refused while the payment is under way or the provider cannot be asked', async () => {
    const { id, checkoutId } = await beginCheckout(meridian, calendar)
    stripe.set(checkoutId, 'processing')
    const refused = await giveBack(id)
    expect([refused.statusCode, refused.json().title]).toEqual([409, PROBLEMS['payment.under_way'].title])
    stripe.failNext('endCheckout', UNAVAILABLE)
    expect((await giveBack(id)).json()).toMatchObject({ code: 'payment.under_way' })
    expect((await readPaid(meridian, id)).state).toEqual(HELD)
  })

  test('of what turns out to be paid confirms it', async () => {
    const { id, checkoutId } = await beginCheckout(meridian, calendar)
    stripe.pay(checkoutId)
    expect((await giveBack(id)).json()).toMatchObject({ code: 'appointment.not_pending_payment' })
    expect((await readPaid(meridian, id)).state).toEqual(CONFIRMED)
  })
})

describe('the sweep', () => {
  test('leaves a hold alone until its five minutes are over, then ends it at the provider and here', async () => {
    const { id, checkoutId } = await beginCheckout(meridian, calendar)
    await sweepAfter(HOLD_MS - 1)
    expect(await readPaid(meridian, id)).toMatchObject({ state: HELD, isReleased: false })
    await sweepAfter(HOLD_MS)
    expect(stripe.checkouts.get(checkoutId)?.state).toEqual({ status: 'ended' })
    expect(await readPaid(meridian, id)).toMatchObject({ isReleased: true, payment: { status: 'failed' } })
  })

  test('releases a PayPal order that nobody has approved, though it cannot be ended', async () => {
    const { id } = await beginCheckout(meridian, calendar, { provider: 'paypal' })
    await sweepAfter(HOLD_MS)
    expect(await readPaid(meridian, id)).toMatchObject({ isReleased: true, payment: { status: 'failed' } })
  })

  test('gives longer while the payment is under way, half an hour in all', async () => {
    const { id, checkoutId } = await beginCheckout(meridian, calendar)
    stripe.set(checkoutId, 'processing')
    await sweepAfter(HOLD_MS)
    expect(await readPaid(meridian, id)).toMatchObject({
      isReleased: false,
      holdExpiresAtMs: MONDAY + 2 * HOLD_MS,
    })
    await sweepAfter(LONGEST_HOLD_MS)
    expect(await readPaid(meridian, id)).toMatchObject({ isReleased: true, payment: { status: 'failed' } })
    expect((await settle(meridian, id)).json()).toMatchObject({ payment: 'processing', appointment: null })
  })

  test('ends a hold of PayPal whose secret cannot be read any more, after half an hour', async () => {
    const { id } = await beginCheckout(meridian, calendar, { provider: 'paypal' })
    await meridian.database.db
      .updateTable('payment_settings')
      .set({ paypal_client_secret_encrypted: Buffer.alloc(64) })
      .where('calendar_id', '=', calendar.id)
      .execute()
    await sweepAfter(HOLD_MS)
    expect(await readPaid(meridian, id)).toMatchObject({ state: HELD, isReleased: false })
    await sweepAfter(LONGEST_HOLD_MS)
    expect(await readPaid(meridian, id)).toMatchObject({ isReleased: true })
  })

  test('gives longer while the provider cannot be asked', async () => {
    const { id } = await beginCheckout(meridian, calendar)
    stripe.failNext('endCheckout', UNAVAILABLE)
    await sweepAfter(HOLD_MS)
    expect(await readPaid(meridian, id)).toMatchObject({ state: HELD, isReleased: false })
  })

  test('confirms what was paid, and captures what was approved', async () => {
    const card = await beginCheckout(meridian, calendar)
    const wallet = await beginCheckout(meridian, calendar, {
      provider: 'paypal',
      starts_at: '2027-01-04T10:00:00Z',
    })
    stripe.pay(card.checkoutId)
    paypal.set(wallet.checkoutId, 'approved')
    await sweepAfter(HOLD_MS)
    expect((await readPaid(meridian, card.id)).state).toEqual(CONFIRMED)
    expect((await readPaid(meridian, wallet.id)).state).toEqual(CONFIRMED)
  })

  test('releases a hold whose payment was not what was agreed', async () => {
    const { id, checkoutId } = await beginCheckout(meridian, calendar)
    stripe.pay(checkoutId, { currency: 'usd' })
    await settle(meridian, id)
    await sweepAfter(HOLD_MS)
    expect(await readPaid(meridian, id)).toMatchObject({ isReleased: true, payment: { status: 'mismatch' } })
  })
})

describe('a payment that comes too late', () => {
  test('takes the time again when it is still free', async () => {
    const { id, checkoutId } = await beginCheckout(meridian, calendar)
    await sweepAfter(HOLD_MS)
    stripe.pay(checkoutId)
    expect((await settle(meridian, id)).json()).toMatchObject({ payment: 'paid', appointment: { id } })
    expect(await readPaid(meridian, id)).toMatchObject({ state: CONFIRMED, isReleased: false })
    expect(await listMessages(id)).toEqual(['booking_confirmation', 'owner_booking_notice'])
    expect((await book(meridian, calendar.slug, { appointment_type_id: calendar.typeId })).statusCode).toBe(
      409,
    )
  })

  test('is returned once when somebody else has the time, with three near times in the answer and the mail', async () => {
    const { id, checkoutId } = await beginCheckout(meridian, calendar)
    await sweepAfter(HOLD_MS)
    await book(meridian, calendar.slug, { appointment_type_id: calendar.typeId })
    stripe.pay(checkoutId)
    const [answer] = [await settle(meridian, id), await settle(meridian, id)]
    expect(answer.json()).toMatchObject({
      payment: 'refunded',
      appointment: null,
      near_times: ['2027-01-04T09:30:00.000Z', '2027-01-04T10:00:00.000Z', '2027-01-04T10:30:00.000Z'],
    })
    const mail = await meridian.waitForMail(
      ({ text }) => text.includes(`/book/${calendar.slug}`) && text.includes('too late'),
    )
    expect(mail.to.address).toBe('grace@example.com')
    expect(mail.subject).toMatch(/^Your payment is returned/)
    expect(mail.text).toContain('€40.00')
    expect(mail.text).toContain('Monday, January 4, 2027, 10:30 AM (GMT)')
    await waitForRefund(id)
    expect(await readPaid(meridian, id)).toMatchObject({
      state: ['pending_payment', 'pending', 'refunded'],
      isReleased: true,
      payment: { refund_reason: 'too_late', refunded_cents: 4_000 },
    })
    expect(stripe.calls.filter((call) => call === 'refund')).toHaveLength(1)
  })

  test('is returned when the time itself is over', async () => {
    const { id, checkoutId } = await beginCheckout(meridian, calendar)
    await sweepAfter(HOLD_MS)
    stripe.pay(checkoutId)
    meridian.clock.ms = Date.parse('2027-01-04T09:00:00Z')
    expect((await settle(meridian, id)).json()).toMatchObject({ payment: 'refunded' })
    await waitForRefund(id)
  })

  test('goes back once, though the provider did not answer at first', async () => {
    const late = await payTooLate(UNAVAILABLE)
    await meridian.waitForMail(
      ({ subject, text }) => subject.startsWith('Your payment is returned') && text.includes(calendar.slug),
    )
    const { payment } = await waitForPayment(
      meridian,
      late.id,
      ({ failure }) => failure === UNAVAILABLE.message,
    )
    expect(payment.status).toBe('refund_pending')
    await returnPayment(meridian.deps, { calendarId: calendar.id, paymentId: payment.id })
    await returnPayment(meridian.deps, { calendarId: calendar.id, paymentId: payment.id })
    expect((await readPaid(meridian, late.id)).payment).toMatchObject({ status: 'refunded', failure: null })
    expect(stripe.calls.filter((call) => call === 'refund')).toHaveLength(2)
  })

  test('that the provider refuses to return is told to the owner, in the provider’s words', async () => {
    const late = await payTooLate(REFUSED)
    const mail = await meridian.waitForMail(
      ({ subject, text }) =>
        subject.startsWith('A payment could not be returned') && text.includes(late.checkoutId),
    )
    expect(mail.to.address).toBe(owner.email)
    expect(mail.text).toContain(REFUSED.message)
    expect((await readPaid(meridian, late.id)).payment).toMatchObject({
      status: 'refund_pending',
      failure: REFUSED.message,
    })
  })
})

test('an appointment that nobody pays through a provider has no payment to ask for', async () => {
  const booked = await book(meridian, calendar.slug, { appointment_type_id: calendar.typeId })
  expect((await settle(meridian, booked.json().id)).json()).toMatchObject({ code: 'payment.not_found' })
  expect((await settle(meridian, crypto.randomUUID())).json()).toMatchObject({ code: 'payment.not_found' })
})

function giveBack(id: string) {
  return meridian.request({ method: 'DELETE', url: `/api/public/appointments/${id}` })
}

async function sweepAfter(ms: number): Promise<void> {
  meridian.clock.ms = MONDAY + ms
  await sweepHolds(meridian.deps)
}

/** Somebody pays after the time went to another, and the provider's first answer to the refund is this. */
async function payTooLate(answer: ProviderError): Promise<BegunCheckout> {
  const late = await beginCheckout(meridian, calendar)
  await sweepAfter(HOLD_MS)
  await book(meridian, calendar.slug, { appointment_type_id: calendar.typeId })
  stripe.pay(late.checkoutId)
  stripe.failNext('refund', answer)
  await settle(meridian, late.id)
  return late
}

function waitForRefund(id: string) {
  return waitForPayment(meridian, id, ({ status }) => status === 'refunded')
}

async function listMessages(appointmentId: string): Promise<string[]> {
  const rows = await meridian.database.db
    .selectFrom('appointment_messages')
    .select('kind')
    .where('appointment_id', '=', appointmentId)
    .orderBy('kind')
    .execute()
  return rows.map(({ kind }) => kind)
}
