import { afterEach, describe, expect, test } from 'vitest'
import { HOLD_MS, MAX_HOLD_MS } from '#core/appointments/hold.ts'
import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import type { PaymentProviderName } from '#server/ports/payment-provider.ts'
import { NO_PROVIDER_RESPONSE_TEXT } from '#server/records/ledger/ledger-repository.ts'
import { sendAppointmentAction } from '#tests/support/act-on.ts'
import {
  makeFakeProviders,
  readAppointmentAndPayment,
  type StartedCheckout,
  settlePayment,
  startCheckout,
  waitForPayment,
} from '#tests/support/checkouts.ts'
import { PROVIDER_UNAVAILABLE } from '#tests/support/fake-payment-provider.ts'
import { paidCalendar as calendar, meridian, owner, setUpPaidCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, TEST_MONDAY } from '#tests/support/meridian.ts'
import { releaseExpiredHolds } from './end-checkouts.ts'
import { recheckPaymentsWithoutResponse } from './recheck-payments.ts'

const providers = makeFakeProviders()
const { stripe, paypal } = providers

setUpPaidCalendar({ providers, env: { DEFAULT_PLAN: 'enterprise' }, owner: { lifetime: 'test' } })
afterEach(() => {
  for (const provider of [stripe, paypal]) provider.answer()
})

const CONFIRMED = ['confirmed', 'paid', 'completed']

describe('a payment whose hold ended before the provider answered', () => {
  test('is checked again, and confirms the appointment when PayPal took the money', async () => {
    const { id } = await outlastHold('paypal')
    paypal.answer()
    await askAfter(MINUTE_MS)
    expect((await readAppointmentAndPayment(meridian, id)).state).toEqual(CONFIRMED)
  })

  test('is refunded when the time is taken by then', async () => {
    const { id } = await outlastHold('stripe')
    await bookAppointment(meridian, calendar.slug, { appointment_type_id: calendar.typeId })
    stripe.answer()
    await askAfter(MINUTE_MS)
    await waitForPayment(meridian, id, ({ status }) => status === 'refunded')
  })

  test('fails when the provider answers that nobody paid', async () => {
    const { id, checkoutId } = await outlastHold('stripe')
    stripe.answer()
    stripe.set(checkoutId, 'open')
    await askAfter(MINUTE_MS)
    expect((await readAppointmentAndPayment(meridian, id)).payment).toMatchObject({
      status: 'failed',
      failure: 'The payment didn’t arrive in time.',
      ask_again_at: null,
    })
    expect(stripe.checkouts.get(checkoutId)?.state).toEqual({ status: 'ended' })
  })

  test('is checked again while the provider is still processing it', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    stripe.set(checkoutId, 'processing')
    await endHold()
    await askAfter(MINUTE_MS)
    expect((await readAppointmentAndPayment(meridian, id)).payment).toMatchObject({
      status: 'failed',
      failure: NO_PROVIDER_RESPONSE_TEXT,
    })
    stripe.pay(checkoutId)
    await askAfter(HOLD_MS)
    expect((await readAppointmentAndPayment(meridian, id)).state).toEqual(CONFIRMED)
  })

  test('is checked at growing intervals, and after three days without an answer the owner gets an email', async () => {
    const { id, checkoutId } = await outlastHold('paypal')
    expect((await readAppointmentAndPayment(meridian, id)).payment).toMatchObject({
      status: 'failed',
      failure: NO_PROVIDER_RESPONSE_TEXT,
    })
    paypal.calls.length = 0
    await askAfter(MINUTE_MS)
    expect(paypal.calls.length).toBeGreaterThan(0)
    paypal.calls.length = 0
    await askAfter(MINUTE_MS)
    expect(paypal.calls).toEqual([])

    await askAfter(3 * DAY_MS)
    const mail = await meridian.waitForMail(
      ({ to, subject }) => to.address === owner.email && subject.startsWith('A payment needs your attention'),
    )
    expect(mail.text).toContain('hasn’t said whether a payment of €40.00 went through')
    expect(mail.text).toContain(checkoutId)
    expect((await readAppointmentAndPayment(meridian, id)).payment).toMatchObject({
      failure: NO_PROVIDER_RESPONSE_TEXT,
      ask_again_at: null,
    })
  })
})

test('a PayPal order that was never captured is not checked again, because it took no money', async () => {
  const { id } = await startCheckout(meridian, calendar, { provider: 'paypal' })
  paypal.fallSilent()
  await endHold()
  expect((await readAppointmentAndPayment(meridian, id)).payment).toMatchObject({
    status: 'failed',
    failure: 'The payment didn’t arrive in time.',
    ask_again_at: null,
  })
})

test('a payment at a checkout that Mark as Paid could not end is refunded', async () => {
  const { id, checkoutId } = await startCheckout(meridian, calendar)
  stripe.fallSilent()
  const answer = await sendAppointmentAction({ meridian, owner, calendar }, id, { action: 'mark_paid' })
  expect(answer.json()).toMatchObject({ payment_status: 'paid' })
  stripe.answer()
  stripe.pay(checkoutId)
  await askAfter(MINUTE_MS)
  await meridian.waitForMail(
    ({ text }) => text.includes('was already paid for') && text.includes(calendar.name),
  )
})

/** Creates a payment about which the provider does not respond until the hold has ended. */
async function outlastHold(provider: PaymentProviderName): Promise<StartedCheckout> {
  const begun = await startCheckout(meridian, calendar, { provider })
  if (provider === 'paypal') {
    paypal.set(begun.checkoutId, 'approved')
    paypal.failNext('captureCheckout', PROVIDER_UNAVAILABLE)
    await settlePayment(meridian, begun.id)
  }
  providers[provider].pay(begun.checkoutId)
  providers[provider].fallSilent()
  await endHold()
  return begun
}

async function endHold(): Promise<void> {
  for (let ms = HOLD_MS; ms <= MAX_HOLD_MS; ms += HOLD_MS) {
    meridian.clock.ms = TEST_MONDAY + ms
    await releaseExpiredHolds(meridian.deps)
  }
}

async function askAfter(ms: number): Promise<void> {
  meridian.clock.ms += ms
  await recheckPaymentsWithoutResponse(meridian.deps)
}
