import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import type { PaymentProviderEvent } from '#server/ports/payment-provider.ts'
import {
  makeFakeProviders,
  payByCard,
  readAppointmentAndPayment,
  sendWebhookEvent,
  settlePayment,
  startCheckout,
  waitForPayment,
} from '#tests/support/checkouts.ts'
import { paidCalendar as calendar, meridian, owner, setUpPaidCalendar } from '#tests/support/fixtures.ts'
import { waitUntilEmailsSent } from '#tests/support/race-track.ts'
import { applyProviderEvent } from './receive-event.ts'

const providers = makeFakeProviders()
const { stripe, paypal } = providers

setUpPaidCalendar({ providers, env: { DEFAULT_PLAN: 'enterprise' } })

describe('a webhook', () => {
  test('about a paid checkout confirms the appointment once, even when it is sent twice', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    stripe.pay(checkoutId)
    const event = { id: randomUUID(), type: 'paid', about: { kind: 'checkout', checkoutId } } as const
    for (const _twice of [1, 2]) {
      const answer = await sendWebhookEvent(meridian, 'stripe', event)
      expect([answer.statusCode, answer.json()]).toEqual([200, { received: true }])
    }
    await waitForPayment(meridian, id, ({ status }) => status === 'completed')
    expect((await readAppointmentAndPayment(meridian, id)).state).toEqual(['confirmed', 'paid', 'completed'])
    const { rows } = await meridian.database.execute(
      `select data -> 'about' ->> 'checkoutId' as id from pgboss.job where name = 'payment-event' and data::text like $1`,
      [`%${checkoutId}%`],
    )
    expect(rows).toHaveLength(1)
  })

  test('of PayPal is handled with the app of the calendar in its URL', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar, { provider: 'paypal' })
    paypal.set(checkoutId, 'approved')
    const answer = await sendWebhookEvent(
      meridian,
      `paypal/${calendar.id}`,
      about({ kind: 'checkout', checkoutId }),
    )
    expect(answer.statusCode).toBe(200)
    await waitForPayment(meridian, id, ({ status }) => status === 'completed')
  })

  test.each([
    ['a signature that does not fit', 'stripe', 'no'],
    ['a calendar that has no such app', `paypal/${randomUUID()}`, 'yes'],
    ['an address that is none', 'paypal/nobody', 'yes'],
  ] as const)('is refused for %s, and no event is stored', async (_why, path, signed) => {
    const event = about({ kind: 'nothing' })
    const answer = await sendWebhookEvent(meridian, path, event, signed)
    expect([answer.statusCode, answer.json().title]).toEqual([
      400,
      PROBLEMS['payment.webhook_unsigned'].title,
    ])
    const { rows } = await meridian.database.execute('select 1 from payment_events where event_id = $1', [
      event.id,
    ])
    expect(rows).toEqual([])
  })

  test('about an expired checkout frees the time', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    stripe.set(checkoutId, 'ended')
    await actOn({ kind: 'checkout', checkoutId })
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      isReleased: true,
      payment: { status: 'failed' },
    })
  })

  test('about an unknown payment, or of an unknown type, changes nothing', async () => {
    expect((await sendWebhookEvent(meridian, 'stripe', about({ kind: 'nothing' }))).statusCode).toBe(200)
    await actOn({ kind: 'payment', paymentId: 'pi_of_another' })
  })

  test('about a deauthorized account disconnects it', async () => {
    await actOn({ kind: 'account_gone', accountId: 'acct_test', occurredAtMs: meridian.clock.ms })
    const settings = await meridian.database.db
      .selectFrom('payment_settings')
      .select(['stripe_connected', 'stripe_account_id', 'paypal_connected'])
      .where('calendar_id', '=', calendar.id)
      .executeTakeFirst()
    expect(settings).toEqual({ stripe_connected: false, stripe_account_id: null, paypal_connected: true })
  })
})

describe('a refund in the provider’s own dashboard', () => {
  test('of the whole amount cancels the appointment and emails customer and owner, like a refund in Meridian', async () => {
    const { id, checkoutId } = await payByCard(meridian, calendar, stripe)
    stripe.refundInDashboard(checkoutId, 4_000)
    await actOn({ kind: 'payment', paymentId: `pay_${checkoutId}` })
    await actOn({ kind: 'payment', paymentId: `pay_${checkoutId}` })
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      state: ['cancelled', 'refunded', 'refunded'],
      payment: { refunded_cents: 4_000 },
    })
    await waitUntilEmailsSent(meridian.database)
    const told = meridian.mails.filter(
      ({ subject, text }) => /cancelled/.test(subject) && text.includes(calendar.name),
    )
    expect(told.map(({ to }) => to.address).sort()).toEqual(['grace@example.com', owner.email].sort())
  })

  test('of a part is recorded, and the appointment stays confirmed', async () => {
    const { id, checkoutId } = await payByCard(meridian, calendar, stripe)
    stripe.refundInDashboard(checkoutId, 1_500)
    await actOn({ kind: 'payment', paymentId: `pay_${checkoutId}` })
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      state: ['confirmed', 'paid', 'completed'],
      payment: { refunded_cents: 1_500 },
    })
  })

  test('whose webhook arrives before the payment’s leaves the payment refunded', async () => {
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    stripe.pay(checkoutId)
    stripe.refundInDashboard(checkoutId, 4_000)
    await actOn({ kind: 'payment', paymentId: `pay_${checkoutId}` })
    await actOn({ kind: 'checkout', checkoutId })
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      state: ['pending_payment', 'pending', 'refunded'],
      isReleased: true,
    })
    expect((await settlePayment(meridian, id)).json()).toMatchObject({
      payment: 'refunded',
      appointment: null,
    })
  })
})

function about(what: PaymentProviderEvent['about']): PaymentProviderEvent {
  return { id: randomUUID(), type: 'any', about: what }
}

function actOn(what: Exclude<PaymentProviderEvent['about'], { kind: 'nothing' }>) {
  return applyProviderEvent(meridian.deps, { provider: 'stripe', about: what })
}
