import { expect, test } from 'vitest'
import { HOLD_MS } from '#core/appointments/hold.ts'
import {
  makeFakeProviders,
  makePaidCalendar,
  settlePayment,
  startCheckout,
} from '#tests/support/checkouts.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { bookAppointment, makeOwner, TEST_MONDAY } from '#tests/support/meridian.ts'
import { queryNumber } from '#tests/support/race-track.ts'
import { releaseExpiredHolds } from './end-checkouts.ts'

const providers = makeFakeProviders()

setUpMeridian({
  providers,
  env: { DEFAULT_PLAN: 'enterprise', BUDGETS: 'email_calendar_recipient=0' },
})

test('the email about a refund waits while the customer’s email limit is reached', async () => {
  const calendar = await makePaidCalendar(meridian, await makeOwner(meridian))
  const { id, checkoutId } = await startCheckout(meridian, calendar)
  meridian.clock.ms = TEST_MONDAY + HOLD_MS
  await releaseExpiredHolds(meridian.deps)
  await bookAppointment(meridian, calendar.slug, { appointment_type_id: calendar.typeId })
  providers.stripe.pay(checkoutId)
  expect((await settlePayment(meridian, id)).json()).toMatchObject({ payment: 'refunded' })
  const countWaiting = () =>
    queryNumber(
      meridian.database,
      "select count(*) from pgboss.job where name = 'payment-mail' and start_after > now()",
    )
  await expect.poll(countWaiting, { timeout: 20_000 }).toBe(1)
  expect(meridian.mails.filter(({ to }) => to.address === 'grace@example.com')).toEqual([])
})
