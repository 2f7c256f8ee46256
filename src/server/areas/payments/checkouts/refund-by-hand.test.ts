import { describe, expect, test } from 'vitest'
import type { AppointmentAction } from '#core/appointments/appointment-actions.ts'
import type { PaymentProviderName } from '#server/ports/payment-provider.ts'
import { sendAppointmentAction } from '#tests/support/act-on.ts'
import {
  makeFakeProviders,
  makePaidCalendar,
  type PaidCalendar,
  readAppointmentAndPayment,
  settlePayment,
  startCheckout,
} from '#tests/support/checkouts.ts'
import { ACCOUNT_DISCONNECTED, PROVIDER_UNAVAILABLE } from '#tests/support/fake-payment-provider.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { applyProviderEvent } from './receive-event.ts'

const providers = makeFakeProviders()

setUpOwner({ providers, env: { DEFAULT_PLAN: 'enterprise' } })

const REFUNDED = { status: 'cancelled', payment_status: 'refunded' }

describe('the refund of a payment whose account we cannot access', () => {
  test('is recorded as made by hand and tells the owner to return the money', async () => {
    const { calendar, id, checkoutId } = await makePaid('stripe')
    providers.stripe.failNext('refund', ACCOUNT_DISCONNECTED)
    const answer = await act(calendar, id, 'refund')
    expect([answer.statusCode, answer.json()]).toEqual([200, expect.objectContaining(REFUNDED)])
    expect(answer.json().warning).toBe(
      `This account is no longer connected. Nothing was refunded and only the record was updated: please refund 40.00 EUR yourself in your Stripe account. Stripe calls the payment pay_${checkoutId}.`,
    )
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      state: ['cancelled', 'refunded', 'refunded'],
      payment: { refund_reason: 'by_hand', refund_id: null },
    })
  })

  test('names the rest when a part was refunded before', async () => {
    const { calendar, id, checkoutId } = await makePaid('stripe')
    providers.stripe.refundInDashboard(checkoutId, 1_500)
    await applyProviderEvent(meridian.deps, { provider: 'stripe', about: { kind: 'checkout', checkoutId } })
    providers.stripe.failNext('refund', ACCOUNT_DISCONNECTED)
    expect((await act(calendar, id, 'refund')).json().warning).toContain('please refund 25.00 EUR yourself')
  })

  test('does not become failed when the account is connected again and shows no refund', async () => {
    const { calendar, id, checkoutId } = await makePaid('stripe')
    providers.stripe.failRefund(checkoutId)
    providers.stripe.failNext('refund', ACCOUNT_DISCONNECTED)
    await act(calendar, id, 'refund')
    await applyProviderEvent(meridian.deps, { provider: 'stripe', about: { kind: 'checkout', checkoutId } })
    expect((await readAppointmentAndPayment(meridian, id)).payment).toMatchObject({
      status: 'refunded',
      failure: null,
    })
  })

  test.each([
    ['has no secret any more', { paypal_client_secret_encrypted: null }],
    ['has a secret that cannot be read any more', { paypal_client_secret_encrypted: Buffer.alloc(64) }],
    ['is another than the one that was paid through', { paypal_client_id: 'another app' }],
    ['belongs to another account now', { paypal_merchant_id: 'another account' }],
  ])('is by hand when the owner’s PayPal app %s', async (_what, changes) => {
    const { calendar, id } = await makePaid('paypal')
    await meridian.database.db
      .updateTable('payment_settings')
      .set(changes)
      .where('calendar_id', '=', calendar.id)
      .execute()
    providers.paypal.calls.length = 0
    const answer = await act(calendar, id, 'refund')
    expect([answer.statusCode, answer.json()]).toEqual([200, expect.objectContaining(REFUNDED)])
    expect(answer.json().warning).toContain('please refund 40.00 EUR yourself in your PayPal account')
    expect(providers.paypal.calls).toEqual([])
  })

  test('is retried later when the provider only does not answer', async () => {
    const { calendar, id } = await makePaid('stripe')
    providers.stripe.failNext('refund', PROVIDER_UNAVAILABLE)
    expect((await act(calendar, id, 'refund')).json()).toMatchObject({ code: 'appointment.refund_failed' })
    expect((await readAppointmentAndPayment(meridian, id)).state).toEqual(['confirmed', 'paid', 'completed'])
  })

  test('is made by PayPal after a disconnection, because the keys are kept for refunds', async () => {
    const { calendar, id } = await makePaid('paypal')
    await disconnect(calendar, 'paypal')
    expect((await act(calendar, id, 'refund')).json()).toMatchObject({ ...REFUNDED, warning: null })
    expect((await readAppointmentAndPayment(meridian, id)).payment).toMatchObject({ refund_reason: 'owner' })
  })
})

describe('other actions on a payment', () => {
  test.each([
    ['mark_paid', 'paid'],
    ['mark_failed', 'failed'],
    ['mark_not_required', 'not_required'],
  ] as const)('%s works although we cannot access the account of an open checkout', async (action, to) => {
    const calendar = await makePaidCalendar(meridian, owner)
    const { id } = await startCheckout(meridian, calendar)
    providers.stripe.failNext('endCheckout', ACCOUNT_DISCONNECTED)
    const answer = await act(calendar, id, action)
    expect([answer.statusCode, answer.json().payment_status]).toEqual([200, to])
    expect((await readAppointmentAndPayment(meridian, id)).isReleased).toBe(false)
  })
})

async function makePaid(provider: PaymentProviderName) {
  const calendar = await makePaidCalendar(meridian, owner)
  const begun = await startCheckout(meridian, calendar, { provider })
  providers[provider].pay(begun.checkoutId)
  await settlePayment(meridian, begun.id)
  return { calendar, ...begun }
}

function act(calendar: PaidCalendar, id: string, action: AppointmentAction) {
  return sendAppointmentAction({ meridian, owner, calendar }, id, { action })
}

async function disconnect(calendar: PaidCalendar, provider: PaymentProviderName): Promise<void> {
  const answer = await owner.delete(`/api/calendars/${calendar.id}/payment-providers/${provider}/connection`)
  expect(answer.statusCode).toBe(204)
}
