import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '#core/shared/duration.ts'
import {
  makeFakeProviders,
  readAppointmentAndPayment,
  settlePayment,
  startCheckout,
  waitForPayment,
} from '#tests/support/checkouts.ts'
import { paidCalendar as calendar, meridian, owner, setUpPaidCalendar } from '#tests/support/fixtures.ts'
import { HALF_REFUND_POLICY, manageTokenOf, savePolicy } from '#tests/support/policies.ts'
import { cancelForDeletedEvent } from './cancel-appointment.ts'

const FRIDAY = '2027-01-08T09:00:00Z'

const { stripe, ...others } = makeFakeProviders()

setUpPaidCalendar({ providers: { stripe, ...others }, env: { DEFAULT_PLAN: 'enterprise' } })

describe('deleting the event of a paid appointment in the external calendar', () => {
  test('gives back what the policy promises, once, and says so to the customer', async () => {
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const { id } = await payForFriday('half.of.it@example.com')
    putClock(30)
    await deleteEvent(id)
    await deleteEvent(id)
    const { state, payment } = await waitForPayment(meridian, id, ({ refunded_cents }) => refunded_cents > 0)
    expect(state).toEqual(['cancelled', 'paid', 'completed'])
    expect(payment).toMatchObject({ refunded_cents: 2_000, return_percent: 50 })
    const mail = await meridian.waitForMail(
      ({ to, subject }) =>
        to.address === 'half.of.it@example.com' && subject.startsWith('Appointment cancelled'),
    )
    expect(mail.text).toContain('We’ll refund €20.00 of the €40.00 you paid.')
  })

  test('gives the share of the moment at which the customer had asked to cancel', async () => {
    await savePolicy(meridian, owner, calendar, { ...HALF_REFUND_POLICY, cancelling: { kind: 'by_request' } })
    const { id } = await payForFriday('asked.before@example.com')
    putClock(50)
    const asked = await meridian.post(`/api/public/manage/${manageTokenOf(meridian, id)}/cancel`, {
      way: 'by_request',
      refund_amount: 40,
    })
    expect(asked.statusCode, asked.body).toBe(200)
    putClock(30)
    await deleteEvent(id)
    const { payment } = await waitForPayment(meridian, id, ({ refunded_cents }) => refunded_cents > 0)
    expect(payment).toMatchObject({ refunded_cents: 4_000, return_percent: 100 })
  })

  test('gives nothing back by itself where the policy promises nothing', async () => {
    const { id } = await payForFriday('nothing.promised@example.com')
    await deleteEvent(id)
    const { state, payment } = await readAppointmentAndPayment(meridian, id)
    expect(state).toEqual(['cancelled', 'paid', 'completed'])
    expect(payment).toMatchObject({ return_cents: null, refunded_cents: 0 })
  })
})

async function payForFriday(email: string) {
  const begun = await startCheckout(meridian, calendar, {
    starts_at: FRIDAY,
    customer: { name: 'Grace Hopper', email },
  })
  stripe.pay(begun.checkoutId)
  await settlePayment(meridian, begun.id)
  return begun
}

function putClock(hoursBefore: number): void {
  meridian.clock.ms = Date.parse(FRIDAY) - hoursBefore * HOUR_MS
}

function deleteEvent(id: string): Promise<void> {
  return cancelForDeletedEvent(meridian.deps, { calendarId: calendar.id, id })
}
