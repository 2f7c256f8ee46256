import { describe, expect, test } from 'vitest'
import type { AppointmentAction } from '#core/appointments/appointment-actions.ts'
import type { PaymentProviderName } from '#server/ports/payment-provider.ts'
import { sendAppointmentAction } from '#tests/support/act-on.ts'
import {
  makeFakeProviders,
  makePaidCalendar,
  payByCard,
  readAppointmentAndPayment,
  startCheckout,
} from '#tests/support/checkouts.ts'
import { PROVIDER_UNAVAILABLE, REFUND_REFUSED } from '#tests/support/fake-payment-provider.ts'
import { paidCalendar as calendar, meridian, owner, setUpPaidCalendar } from '#tests/support/fixtures.ts'
import { makeOwner, TEST_PASSWORD, type TestOwner } from '#tests/support/meridian.ts'
import { waitUntil, waitUntilEmailsSent } from '#tests/support/race-track.ts'
import { closeOpenCheckouts } from './end-checkouts.ts'
import { applyProviderEvent } from './receive-event.ts'

const providers = makeFakeProviders()
const { stripe, paypal } = providers

setUpPaidCalendar({ providers, env: { DEFAULT_PLAN: 'enterprise' } })

describe('the owner’s Refund', () => {
  test('refunds the rest of the payment at the provider, once', async () => {
    const { id, checkoutId } = await payByCard(meridian, calendar, stripe)
    stripe.refundInDashboard(checkoutId, 1_000)
    await applyProviderEvent(meridian.deps, {
      provider: 'stripe',
      about: { kind: 'payment', paymentId: `pay_${checkoutId}` },
    })
    const was = { status: 'confirmed', payment_status: 'paid' }
    const [first, again] = [await act(id, 'refund', was), await act(id, 'refund', was)]
    expect(first.json()).toMatchObject({ status: 'cancelled', payment_status: 'refunded', warning: null })
    expect(again.json()).toMatchObject({ payment_status: 'refunded', email: 'none' })
    const { payment } = await readAppointmentAndPayment(meridian, id)
    expect(payment).toMatchObject({
      status: 'refunded',
      refunded_cents: 4_000,
      refund_id: `re_${payment.id}`,
    })
    expect([...stripe.refunds.values()].filter(({ paymentId }) => paymentId === payment.payment_id)).toEqual([
      expect.objectContaining({ amountCents: 4_000, currency: 'eur' }),
    ])
    expect(stripe.checkouts.get(checkoutId)?.state).toMatchObject({ refundedCents: 4_000 })
  })

  test('that fails later at the provider is recorded as failed, and the owner gets an email', async () => {
    const { id, checkoutId } = await payByCard(meridian, calendar, stripe)
    expect((await act(id, 'refund')).json()).toMatchObject({ payment_status: 'refunded' })
    stripe.failRefund(checkoutId)
    const event = { provider: 'stripe', about: { kind: 'payment', paymentId: `pay_${checkoutId}` } } as const
    await applyProviderEvent(meridian.deps, event)
    await applyProviderEvent(meridian.deps, event)
    const { payment } = await readAppointmentAndPayment(meridian, id)
    expect(payment).toMatchObject({
      status: 'completed',
      refunded_cents: 0,
      return_cents: 4_000,
      refunded_at: null,
    })
    expect((await readAppointmentAndPayment(meridian, id)).state).toEqual(['cancelled', 'paid', 'completed'])
    await waitUntilEmailsSent(meridian.database)
    const told = meridian.mails.filter(({ to, text }) => to.address === owner.email && text.includes('pay_'))
    const mails = told.filter(({ text }) => text.includes(`pay_${checkoutId}`))
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain(
      'An appointment was cancelled, and your customer is owed a refund of €40.00.',
    )

    stripe.refundInDashboard(checkoutId, 4_000)
    await applyProviderEvent(meridian.deps, event)
    expect((await readAppointmentAndPayment(meridian, id)).payment).toMatchObject({
      status: 'refunded',
      failure: null,
    })
    expect((await readAppointmentAndPayment(meridian, id)).state).toEqual([
      'cancelled',
      'refunded',
      'refunded',
    ])
  })

  test('that failed later can be recorded by hand, and disconnecting Stripe then refunds nothing', async () => {
    const { id, checkoutId } = await payByCard(meridian, calendar, stripe)
    await act(id, 'refund')
    stripe.failRefund(checkoutId)
    const about = { kind: 'payment', paymentId: `pay_${checkoutId}` } as const
    await applyProviderEvent(meridian.deps, { provider: 'stripe', about })
    const byHand = await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/refund`, {
      way: 'by_hand',
    })
    expect(byHand.statusCode, byHand.body).toBe(204)
    expect((await readAppointmentAndPayment(meridian, id)).state).toEqual([
      'cancelled',
      'refunded',
      'refunded',
    ])
    stripe.calls.length = 0
    const url = `/api/calendars/${calendar.id}/payment-providers/stripe/connection`
    const cut = await owner.delete(url)
    expect(cut.statusCode, cut.body).toBe(204)
    expect(stripe.calls).not.toContain('refund')
  })

  test('that failed later is reported as money to return when the appointment was restored meanwhile', async () => {
    const { id, checkoutId } = await payByCard(meridian, calendar, stripe)
    await act(id, 'refund')
    expect((await act(id, 'restore')).statusCode).toBe(200)
    stripe.failRefund(checkoutId)
    const about = { kind: 'payment', paymentId: `pay_${checkoutId}` } as const
    await applyProviderEvent(meridian.deps, { provider: 'stripe', about })
    expect((await readAppointmentAndPayment(meridian, id)).state).toEqual([
      'confirmed',
      'refunded',
      'refund_pending',
    ])
    const mail = await meridian.waitForMail(({ text }) => text.includes(`pay_${checkoutId}`))
    expect(mail.text).toContain('A payment of €40.00 must be refunded to your customer')
  })

  test('of a payment that was already refunded in the provider’s dashboard succeeds', async () => {
    const { id, checkoutId } = await payByCard(meridian, calendar, stripe)
    stripe.refundInDashboard(checkoutId, 4_000)
    stripe.failNext('refund', REFUND_REFUSED)
    expect((await act(id, 'refund')).json()).toMatchObject({
      status: 'cancelled',
      payment_status: 'refunded',
    })
    expect((await readAppointmentAndPayment(meridian, id)).state).toEqual([
      'cancelled',
      'refunded',
      'refunded',
    ])
  })

  test('that the provider refuses changes nothing and says why', async () => {
    const { id } = await payByCard(meridian, calendar, stripe)
    stripe.failNext('refund', REFUND_REFUSED)
    const answer = await act(id, 'refund')
    expect(answer.statusCode).toBe(502)
    expect(answer.json()).toMatchObject({
      code: 'appointment.refund_failed',
      errors: [{ path: 'action', message: REFUND_REFUSED.message }],
    })
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      state: ['confirmed', 'paid', 'completed'],
      payment: { failure: REFUND_REFUSED.message },
    })
    expect((await act(id, 'refund')).statusCode).toBe(200)
  })
})

describe('an action of the owner on an unpaid appointment', () => {
  test('Mark as Paid ends the checkout, and a payment there afterwards is refunded', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    expect((await act(id, 'mark_paid')).json()).toMatchObject({ status: 'confirmed', payment_status: 'paid' })
    expect(stripe.checkouts.get(checkoutId)?.state).toEqual({ status: 'ended' })
    stripe.pay(checkoutId)
    await applyProviderEvent(meridian.deps, { provider: 'stripe', about: { kind: 'checkout', checkoutId } })
    const statuses = await meridian.database.db
      .selectFrom('payment_transactions')
      .select(['provider', 'refund_reason'])
      .where('appointment_id', '=', id)
      .orderBy('provider')
      .execute()
    expect(statuses).toEqual([
      { provider: 'manual', refund_reason: null },
      { provider: 'stripe', refund_reason: 'paid_already' },
    ])
    const mail = await meridian.waitForMail(
      ({ text }) => text.includes('was already paid for') && text.includes(calendar.name),
    )
    expect(mail.to.address).toBe('grace@example.com')
  })

  test('is refused when the payment has arrived or is being processed', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    stripe.set(checkoutId, 'processing')
    expect((await act(id, 'mark_failed')).json()).toMatchObject({ code: 'payment.under_way' })
    stripe.pay(checkoutId)
    expect((await act(id, 'mark_paid')).json()).toMatchObject({ code: 'appointment.changed_meanwhile' })
    expect((await readAppointmentAndPayment(meridian, id)).state).toEqual(['confirmed', 'paid', 'completed'])
  })

  test('that is not allowed does not end the checkout', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    expect((await act(id, 'mark_pending')).json()).toMatchObject({ code: 'appointment.action_not_offered' })
    expect(stripe.checkouts.get(checkoutId)?.state).toEqual({ status: 'open' })
  })
})

describe('an open checkout', () => {
  test('is ended with its calendar, its record is kept, and a later payment is refunded', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    await remove(`/api/calendars/${calendar.id}`)
    expect(stripe.checkouts.get(checkoutId)?.state).toEqual({ status: 'ended' })
    expect(await findPayment(id)).toMatchObject({ status: 'failed' })
    stripe.pay(checkoutId)
    await applyProviderEvent(meridian.deps, { provider: 'stripe', about: { kind: 'checkout', checkoutId } })
    expect(await findPayment(id)).toMatchObject({ refund_reason: 'too_late' })
  })

  test('is ended with the account', async () => {
    const leaving = await makeOwner(meridian)
    const theirs = await makePaidCalendar(meridian, leaving)
    const { id, checkoutId } = await startCheckout(meridian, theirs)
    const answer = await remove('/api/profile', leaving, { password: TEST_PASSWORD })
    expect(answer.statusCode, answer.body).toBe(204)
    expect(stripe.checkouts.get(checkoutId)?.state).toEqual({ status: 'ended' })
    expect(await findPayment(id)).toMatchObject({ status: 'failed' })
  })

  test('is ended and freed when its provider is disconnected; those of the other provider stay', async () => {
    const card = await startCheckout(meridian, calendar)
    const wallet = await startCheckout(meridian, calendar, {
      provider: 'paypal',
      starts_at: '2027-01-04T10:00:00Z',
      customer: { name: 'Ada Lovelace', email: 'ada@example.com' },
    })
    await closeOpenCheckouts(meridian.deps, { calendarId: calendar.id, provider: 'paypal' })
    expect(await readAppointmentAndPayment(meridian, wallet.id)).toMatchObject({
      isReleased: true,
      payment: { status: 'failed' },
    })
    expect(await readAppointmentAndPayment(meridian, card.id)).toMatchObject({
      isReleased: false,
      payment: { status: 'pending' },
    })
  })

  test('that is being paid prevents deleting the account or calendar and disconnecting the provider', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar, { provider: 'paypal' })
    paypal.set(checkoutId, 'processing')
    const way = await remove(connectionPath('paypal'))
    expect([way.statusCode, way.json().code]).toEqual([409, 'payment.disconnect_under_way'])
    for (const path of [`/api/calendars/${calendar.id}`, '/api/profile']) {
      const answer = await remove(path, owner, { password: TEST_PASSWORD })
      expect([answer.statusCode, answer.json().code]).toEqual([409, 'payment.deletion_under_way'])
    }
    paypal.pay(checkoutId)
    expect((await remove(connectionPath('paypal'))).statusCode).toBe(204)
    expect((await readAppointmentAndPayment(meridian, id)).state).toEqual(['confirmed', 'paid', 'completed'])
  })

  test('prevents disconnecting the provider, but not deleting the calendar, while the provider is unavailable', async () => {
    await startCheckout(meridian, calendar)
    stripe.failNext('endCheckout', PROVIDER_UNAVAILABLE)
    expect((await remove(connectionPath('stripe'))).statusCode).toBe(409)
    stripe.failNext('endCheckout', PROVIDER_UNAVAILABLE)
    expect((await remove(`/api/calendars/${calendar.id}`)).statusCode).toBe(204)
  })

  test('that begins while the others are being ended prevents disconnecting the provider', async () => {
    await startCheckout(meridian, calendar)
    const { promise: begun, resolve } = Promise.withResolvers<void>()
    stripe.calls.length = 0
    stripe.delayNext('endCheckout', begun)
    const removed = remove(connectionPath('stripe'))
    await waitUntil(async () => stripe.calls.includes('endCheckout'))
    const { id } = await startCheckout(meridian, calendar, { starts_at: '2027-01-04T10:00:00Z' })
    resolve()
    expect((await removed).json()).toMatchObject({ code: 'payment.disconnect_under_way' })
    expect((await readAppointmentAndPayment(meridian, id)).isReleased).toBe(false)
    expect((await remove(connectionPath('stripe'))).statusCode).toBe(204)
  })
})

function remove(url: string, { cookie }: Pick<TestOwner, 'cookie'> = owner, payload?: object) {
  return meridian.request({ method: 'DELETE', url, cookie, ...(payload === undefined ? {} : { payload }) })
}

function connectionPath(provider: PaymentProviderName): string {
  return `/api/calendars/${calendar.id}/payment-providers/${provider}/connection`
}

function act(id: string, action: AppointmentAction, was?: object) {
  return sendAppointmentAction({ meridian, owner, calendar }, id, { action, was })
}

function findPayment(appointmentId: string) {
  return meridian.database.db
    .selectFrom('payment_transactions')
    .select(['status', 'refund_reason'])
    .where('appointment_id', '=', appointmentId)
    .executeTakeFirst()
}
