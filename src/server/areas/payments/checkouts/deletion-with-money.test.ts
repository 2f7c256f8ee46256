import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { MAX_HOLD_MS } from '#core/appointments/hold.ts'
import type { PaymentProviderName } from '#server/ports/payment-provider.ts'
import { sendAppointmentAction } from '#tests/support/act-on.ts'
import {
  makeFakeProviders,
  type StartedCheckout,
  settlePayment,
  startCheckout,
} from '#tests/support/checkouts.ts'
import { PROVIDER_UNAVAILABLE, REFUND_REFUSED } from '#tests/support/fake-payment-provider.ts'
import { paidCalendar as calendar, meridian, owner, setUpPaidCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, TEST_MONDAY, TEST_PASSWORD } from '#tests/support/meridian.ts'
import { waitUntil, waitUntilEmailsSent } from '#tests/support/race-track.ts'
import { releaseExpiredHolds } from './end-checkouts.ts'
import { applyProviderEvent } from './receive-event.ts'

const providers = makeFakeProviders()
const { stripe, paypal } = providers

setUpPaidCalendar({ providers, env: { DEFAULT_PLAN: 'enterprise' }, owner: { lifetime: 'test' } })
afterEach(() => {
  paypal.answer()
  stripe.answer()
})

const UNANSWERED = [409, PROBLEMS['payment.deletion_unanswered'].title]

describe('while PayPal has not answered our capture', () => {
  let begun: StartedCheckout
  beforeEach(async () => {
    begun = await startCheckout(meridian, calendar, { provider: 'paypal' })
    paypal.set(begun.checkoutId, 'approved')
    paypal.failNext('captureCheckout', PROVIDER_UNAVAILABLE)
    await settlePayment(meridian, begun.id)
    paypal.fallSilent()
    expect(await readPayment(begun.id)).toMatchObject({ status: 'capturing' })
  })

  test('neither the calendar nor the account can be deleted, and the refusal says why', async () => {
    expect(await deleteCalendar()).toEqual(UNANSWERED)
    expect(await deleteAccount()).toEqual(UNANSWERED)
    const kept = await meridian.database.db
      .selectFrom('payment_settings')
      .select('paypal_client_secret_encrypted as secret')
      .where('calendar_id', '=', calendar.id)
      .executeTakeFirstOrThrow()
    expect(kept.secret).not.toBeNull()
  })

  test('the owner cannot mark the payment as failed', async () => {
    const answer = await sendAppointmentAction({ meridian, owner, calendar }, begun.id, {
      action: 'mark_failed',
    })
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'payment.under_way'])
    expect(await readPayment(begun.id)).toMatchObject({ status: 'capturing' })
  })

  test('the calendar can be deleted as soon as PayPal answers', async () => {
    paypal.answer()
    expect(await deleteCalendar()).toEqual([204, undefined])
    expect(await readPayment(begun.id)).toMatchObject({ status: 'completed' })
  })

  test.each([
    ['calendar', deleteCalendar],
    ['account', deleteAccount],
  ] as const)(
    'the %s can be deleted after half an hour, and the owner gets an email about the money',
    async (_what, remove) => {
      meridian.clock.ms = TEST_MONDAY + MAX_HOLD_MS
      expect(await remove()).toEqual([204, undefined])
      const mail = await waitForMoneyMail()
      expect(mail.text).toContain('€40.00 through PayPal')
      expect(mail.text).toContain(
        'PayPal hasn’t said whether this payment went through, and we can no longer check. The money may be in your PayPal account.',
      )
      expect(mail.text).toContain(begun.checkoutId)
      expect(mail.text).toContain('grace@example.com')
      expect(await readPayment(begun.id)).toMatchObject({ status: 'failed', ask_again_at: null })
    },
  )
})

test('a capture that begins during the deletion of the calendar stops the deletion', async () => {
  const { id, checkoutId } = await startCheckout(meridian, calendar, { provider: 'paypal' })
  // Use a different customer: a second hold of the same person would replace the first.
  const customer = { name: 'Ada Lovelace', email: 'ada@example.com' }
  await startCheckout(meridian, calendar, { starts_at: '2027-01-04T10:00:00Z', customer })
  // PayPal does not respond about the unpaid order. While Stripe is being asked, the customer approves the order and
  // returns.
  const { promise: stripeAnswered, resolve: goOn } = Promise.withResolvers<void>()
  paypal.failNext('endCheckout', PROVIDER_UNAVAILABLE)
  stripe.delayNext('endCheckout', stripeAnswered)
  paypal.calls.length = 0
  const removed = deleteCalendar()
  await waitUntil(async () => paypal.calls.includes('endCheckout'))
  await new Promise((resolve) => setTimeout(resolve, 200))
  const { promise: captured, resolve: answer } = Promise.withResolvers<void>()
  paypal.set(checkoutId, 'approved')
  paypal.delayNext('captureCheckout', captured)
  const settled = settlePayment(meridian, id)
  await waitUntil(async () => paypal.calls.includes('captureCheckout'))
  goOn()
  expect(await removed).toEqual([409, PROBLEMS['payment.deletion_under_way'].title])
  answer()
  expect((await settled).json()).toMatchObject({ payment: 'paid' })
})

describe.each([
  ['a payment that came too late', payTooLate, { status: 'refunded', refunded_cents: 4_000 }],
  ['a cancellation', cancelWithRefund, { status: 'completed', refunded_cents: 1_500 }],
] as const)('the refund of %s', (_what, leaveRefundOpen, refunded) => {
  test('is made before the calendar is deleted', async () => {
    const { id } = await leaveRefundOpen('paypal')
    expect(await deleteCalendar()).toEqual([204, undefined])
    expect(await readPayment(id)).toMatchObject(refunded)
  })

  test('is made before the provider is disconnected', async () => {
    const { id } = await leaveRefundOpen('stripe')
    stripe.fallSilent()
    expect(await disconnect('stripe')).toEqual([409, PROBLEMS['payment.disconnect_under_way'].title])
    stripe.answer()
    expect(await disconnect('stripe')).toEqual([204, undefined])
    expect(await readPayment(id)).toMatchObject(refunded)
  })
})

const CANCELLED_TEXT = 'This amount must be refunded to the customer, because the appointment was cancelled.'

test.each([
  [
    'calendar',
    'late payment',
    deleteCalendar,
    payTooLate,
    '€40.00',
    'This payment came too late or twice and must be refunded to the customer.',
  ],
  ['calendar', 'cancellation', deleteCalendar, cancelWithRefund, '€15.00', CANCELLED_TEXT],
  ['account', 'cancellation', deleteAccount, cancelWithRefund, '€15.00', CANCELLED_TEXT],
] as const)(
  'the %s can be deleted half an hour after the refund of a %s failed, and the owner gets an email about the money',
  async (_what, _why, remove, leaveRefundOpen, amount, reason) => {
    const { checkoutId } = await leaveRefundOpen('paypal')
    paypal.fallSilent()
    expect(await remove()).toEqual(UNANSWERED)
    meridian.clock.ms += MAX_HOLD_MS
    expect(await remove()).toEqual([204, undefined])
    const { text } = await waitForMoneyMail()
    expect(text).toContain(`${amount} through PayPal`)
    expect(text).toContain(reason)
    expect(text).toContain(`PayPal calls it pay_${checkoutId}`)
  },
)

test('the calendar is deleted when the provider refuses a refund, and the owner gets an email about the money', async () => {
  await payTooLate('stripe')
  stripe.failNext('refund', REFUND_REFUSED)
  expect(await deleteCalendar()).toEqual([204, undefined])
  const { text } = await waitForMoneyMail()
  expect(text).toContain('Stripe hasn’t refunded it yet.')
  expect(text).toContain(`What Stripe said: ${REFUND_REFUSED.message}`)
})

test('a Stripe payment that arrives after its calendar was deleted is refunded', async () => {
  const { id, checkoutId } = await startCheckout(meridian, calendar)
  stripe.fallSilent()
  expect(await deleteCalendar()).toEqual([204, undefined])
  expect((await waitForMoneyMail()).text).toContain('If it did, we’ll refund it.')
  stripe.answer()
  stripe.pay(checkoutId)
  await applyProviderEvent(meridian.deps, { provider: 'stripe', about: { kind: 'checkout', checkoutId } })
  await waitUntil(async () => (await readPayment(id)).status === 'refunded')
})

test('deleting a calendar with only an unpaid checkout sends no email about money', async () => {
  await startCheckout(meridian, calendar)
  expect(await deleteCalendar()).toEqual([204, undefined])
  await waitUntilEmailsSent(meridian.database)
  expect(
    meridian.mails.filter(({ to }) => to.address === owner.email).map(({ subject }) => subject),
  ).not.toContain(`Please check these payments: ${calendar.name}`)
})

async function deleteCalendar() {
  return remove(`/api/calendars/${calendar.id}`)
}

async function deleteAccount() {
  return remove('/api/profile', { password: TEST_PASSWORD })
}

function disconnect(provider: PaymentProviderName) {
  return remove(`/api/calendars/${calendar.id}/payment-providers/${provider}/connection`)
}

/** Sends a DELETE request. Returns the status of the response, and the sentence of a refusal. */
async function remove(
  url: string,
  payload?: object,
): Promise<[status: number, sentence: string | undefined]> {
  const answer = await meridian.request({
    method: 'DELETE',
    url,
    cookie: owner.cookie,
    ...(payload === undefined ? {} : { payload }),
  })
  return [answer.statusCode, answer.statusCode === 204 ? undefined : answer.json().title]
}

function waitForMoneyMail() {
  return meridian.waitForMail(
    ({ to, subject }) =>
      to.address === owner.email && subject === `Please check these payments: ${calendar.name}`,
  )
}

/**
 * Creates a payment that arrives after somebody else has taken the time, and that the provider does not refund at once.
 */
async function payTooLate(provider: PaymentProviderName): Promise<StartedCheckout> {
  const late = await startCheckout(meridian, calendar, { provider })
  meridian.clock.ms += MAX_HOLD_MS
  await releaseExpiredHolds(meridian.deps)
  await bookAppointment(meridian, calendar.slug, { appointment_type_id: calendar.typeId })
  providers[provider].pay(late.checkoutId)
  providers[provider].failNext('refund', PROVIDER_UNAVAILABLE)
  await settlePayment(meridian, late.id)
  await waitUntil(async () => (await readPayment(late.id)).failure === PROVIDER_UNAVAILABLE.message)
  return late
}

/** Cancels a paid appointment with a refund of €15, which the provider does not make at once. */
async function cancelWithRefund(provider: PaymentProviderName): Promise<StartedCheckout> {
  const begun = await startCheckout(meridian, calendar, { provider })
  providers[provider].pay(begun.checkoutId)
  expect((await settlePayment(meridian, begun.id)).json()).toMatchObject({ payment: 'paid' })
  // Make all calls fail, not just the next one, which a job of an earlier test may make.
  providers[provider].fallSilent()
  const cancelled = await sendAppointmentAction({ meridian, owner, calendar }, begun.id, {
    action: 'cancel',
    refund_amount: 15,
  })
  expect(cancelled.statusCode, cancelled.body).toBe(200)
  await waitUntil(async () => (await readPayment(begun.id)).failure === PROVIDER_UNAVAILABLE.message)
  providers[provider].answer()
  return begun
}

function readPayment(appointmentId: string) {
  return meridian.database.db
    .selectFrom('payment_transactions')
    .selectAll()
    .where('appointment_id', '=', appointmentId)
    .executeTakeFirstOrThrow()
}
