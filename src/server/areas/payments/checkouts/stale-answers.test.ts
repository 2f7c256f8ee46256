import { beforeEach, describe, expect, test } from 'vitest'
import { sendAppointmentAction } from '#tests/support/act-on.ts'
import {
  makeFakeProviders,
  payByCard,
  readAppointmentAndPayment,
  type StartedCheckout,
  startCheckout,
} from '#tests/support/checkouts.ts'
import { paidCalendar as calendar, meridian, owner, setUpPaidCalendar } from '#tests/support/fixtures.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import { applyProviderEvent } from './receive-event.ts'

const providers = makeFakeProviders()
const { stripe } = providers
let paid: StartedCheckout

setUpPaidCalendar({ providers, env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  paid = await payByCard(meridian, calendar, stripe)
})

describe('an outdated answer of the provider', () => {
  test('does not turn a finished refund into an impossible one', async () => {
    const late = await askLate()
    await refund()
    await late.arrive()
    expect((await readAppointmentAndPayment(meridian, paid.id)).payment).toMatchObject({
      status: 'refunded',
      refunded_cents: 4_000,
      failure: null,
    })
    expect(await listMailJobs()).toEqual([])
  })

  test('does not turn a finished refund into a failed one, even if an earlier refund failed', async () => {
    stripe.failRefund(paid.checkoutId)
    const late = await askLate()
    await refund()
    await late.arrive()
    expect((await readAppointmentAndPayment(meridian, paid.id)).payment).toMatchObject({
      status: 'refunded',
      failure: null,
    })
    expect(await listMailJobs()).toEqual([])
  })

  test('does not hide a refund that failed meanwhile', async () => {
    stripe.refundInDashboard(paid.checkoutId, 4_000)
    const late = await askLate()
    await tell()
    stripe.failRefund(paid.checkoutId)
    await tell()
    await late.arrive()
    expect((await readAppointmentAndPayment(meridian, paid.id)).payment).toMatchObject({
      status: 'completed',
      refunded_cents: 0,
      return_cents: 4_000,
    })
    expect(await listMailJobs()).toEqual(['part_failed'])
  })
})

test('a payment that was refunded while it was being recorded is stored as refunded', async () => {
  paid = await startCheckout(meridian, calendar, { starts_at: '2027-01-04T10:00:00Z' })
  stripe.pay(paid.checkoutId)
  const before = await askLate('checkout')
  stripe.refundInDashboard(paid.checkoutId, 4_000)
  const after = await askLate('checkout')
  await before.arrive()
  expect((await readAppointmentAndPayment(meridian, paid.id)).state).toEqual([
    'confirmed',
    'paid',
    'completed',
  ])
  await after.arrive()
  expect((await readAppointmentAndPayment(meridian, paid.id)).state).toEqual([
    'cancelled',
    'refunded',
    'refunded',
  ])
})

describe('a refund', () => {
  test('that the provider does not show yet is not failed', async () => {
    await refund()
    // The provider shows a smaller refund than we recorded, but no failed refund.
    stripe.refundInDashboard(paid.checkoutId, -4_000)
    await tell()
    expect((await readAppointmentAndPayment(meridian, paid.id)).payment).toMatchObject({
      status: 'refunded',
      failure: null,
    })
    expect(await listMailJobs()).toEqual([])
  })
})

/** Asks the provider for the state of the payment, and delays the response until the test releases it. */
async function askLate(about: 'payment' | 'checkout' = 'payment') {
  const { promise, resolve } = Promise.withResolvers<void>()
  stripe.calls.length = 0
  stripe.answerLate(promise)
  const asked = tell(about)
  await waitUntil(async () => stripe.calls.includes('findCheckout'))
  return {
    arrive: async () => {
      resolve()
      await asked
    },
  }
}

/** Delivers a provider event about the payment. */
function tell(kind: 'payment' | 'checkout' = 'payment') {
  const { checkoutId } = paid
  const about =
    kind === 'payment' ? ({ kind, paymentId: `pay_${checkoutId}` } as const) : ({ kind, checkoutId } as const)
  return applyProviderEvent(meridian.deps, { provider: 'stripe', about })
}

async function refund(): Promise<void> {
  const answer = await sendAppointmentAction({ meridian, owner, calendar }, paid.id, { action: 'refund' })
  expect(answer.json()).toMatchObject({ payment_status: 'refunded' })
}

/** Lists the queued emails about the payment. */
async function listMailJobs(): Promise<string[]> {
  const { rows } = await meridian.database.execute(
    `select data ->> 'about' as about from pgboss.job where name = 'payment-mail' and data ->> 'calendarId' = $1`,
    [calendar.id],
  )
  return (rows as { about: string }[]).map(({ about }) => about)
}
