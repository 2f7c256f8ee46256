import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { AppointmentAction } from '#core/appointments/appointment-actions.ts'
import { HOLD_MS } from '#core/appointments/hold.ts'
import { endPaymentsOfCalendar, releaseExpiredHolds } from '#server/areas/payments/checkouts/end-checkouts.ts'
import { runRefundJob } from '#server/areas/payments/checkouts/refund-payment.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { sendAppointmentAction } from '#tests/support/act-on.ts'
import {
  listMessageKinds,
  makeFakeProviders,
  makePaidCalendar,
  type PaidCalendar,
  payByCard,
  readAppointmentAndPayment,
  sendWebhookEvent,
  settlePayment,
  startCheckout,
  startFirstCheckout,
  waitForPayment,
} from '#tests/support/checkouts.ts'
import {
  bookAppointment,
  makeOwner,
  TEST_MONDAY,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { type BlockingSession, openBlockingSession } from '#tests/support/other-session.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import {
  countDeadlocks,
  queryNumber,
  queryRows,
  startOnPostgresServer,
  waitUntilEmailsSent,
} from '#tests/support/race-track.ts'

const providers = makeFakeProviders()
const { stripe, paypal } = providers
let meridian: TestMeridian
let owner: TestOwner
let calendar: PaidCalendar
let other: BlockingSession

beforeAll(async () => {
  const url = await createDatabase(inject('postgresUrl'))
  other = await openBlockingSession(url)
  meridian = await startOnPostgresServer({
    url,
    providers,
    poolSize: 20,
    env: { DEFAULT_PLAN: 'enterprise' },
  })
  owner = await makeOwner(meridian)
})
beforeEach(async () => {
  meridian.clock.ms = TEST_MONDAY
  calendar = await makePaidCalendar(meridian, owner)
})
afterAll(async () => {
  expect(await countDeadlocks(meridian.database)).toBe(0)
  await other.end()
  await meridian.stop()
})

const PAID = { status: 'confirmed', payment_status: 'paid' }
const CONFIRMED = ['confirmed', 'paid', 'completed']

test('webhook, return page, sweep and whoever gives back find one payment: confirmed and told once', async () => {
  for (const provider of ['stripe', 'paypal'] as const) {
    const begun = await startCheckout(meridian, calendar, { provider, starts_at: nextTime() })
    if (provider === 'stripe') stripe.pay(begun.checkoutId)
    else paypal.set(begun.checkoutId, 'approved')
    meridian.clock.ms += HOLD_MS
    const about = { kind: 'checkout', checkoutId: begun.checkoutId } as const
    const path = provider === 'stripe' ? 'stripe' : `paypal/${calendar.id}`
    await Promise.all([
      ...[1, 2, 3].map(() => sendWebhookEvent(meridian, path, { id: randomUUID(), type: 'any', about })),
      ...[1, 2, 3].map(() => settlePayment(meridian, begun.id)),
      releaseExpiredHolds(meridian.deps),
      meridian.delete(`/api/public/appointments/${begun.id}`),
    ])
    await waitForPayment(meridian, begun.id, ({ status }) => status === 'completed')
    expect((await readAppointmentAndPayment(meridian, begun.id)).state).toEqual(CONFIRMED)
    expect(await listMessageKinds(meridian, begun.id)).toEqual([
      'booking_confirmation',
      'owner_booking_notice',
    ])
  }
})

test('a hold that expires while it is approved is captured or given back, never both', async () => {
  const begun = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      startCheckout(meridian, calendar, {
        provider: 'paypal',
        starts_at: nextTime(),
        customer: customer(i),
      }),
    ),
  )
  meridian.clock.ms += HOLD_MS
  await Promise.all([
    releaseExpiredHolds(meridian.deps),
    ...begun.map(async ({ id, checkoutId }) => {
      paypal.set(checkoutId, 'approved')
      await settlePayment(meridian, id)
    }),
  ])
  for (const { id, checkoutId } of begun) {
    const { state, isReleased } = await readAppointmentAndPayment(meridian, id)
    const isCaptured = paypal.checkouts.get(checkoutId)?.state.status === 'paid'
    expect([isCaptured, isReleased]).toEqual([isCaptured, !isCaptured])
    expect(state).toEqual(isCaptured ? CONFIRMED : ['pending_payment', 'pending', 'failed'])
  }
})

test('of 20 customers who go to pay for one time at once, one holds it', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => startFirstCheckout(meridian, calendar, { customer: customer(i) })),
  )
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array(19).fill(409)])
  const payments = 'select count(*) from payment_transactions where calendar_id = $1'
  expect(await queryNumber(meridian.database, payments, [calendar.id])).toBe(1)
})

test('of 20 late payments for a time that is free again, one gets it and 19 are returned once', async () => {
  const begun: Awaited<ReturnType<typeof startCheckout>>[] = []
  for (let i = 0; i < 20; i += 1) {
    begun.push(await startCheckout(meridian, calendar, { customer: customer(i) }))
    meridian.clock.ms += HOLD_MS
    await releaseExpiredHolds(meridian.deps)
    meridian.clock.ms = TEST_MONDAY
  }
  for (const { checkoutId } of begun) stripe.pay(checkoutId)
  await Promise.all(begun.map(({ id }) => settlePayment(meridian, id)))
  for (const { id } of begun) {
    await waitForPayment(meridian, id, ({ status }) => status === 'completed' || status === 'refunded')
  }
  const rows = await queryRows(
    meridian.database,
    `select status, count(*)::int from payment_transactions where calendar_id = $1 group by status order by status`,
    [calendar.id],
  )
  expect(rows).toEqual([
    { status: 'completed', count: 1 },
    { status: 'refunded', count: 19 },
  ])
  const mine = begun.map(({ checkoutId }) => `pay_${checkoutId}`)
  expect([...stripe.refunds.values()].filter(({ paymentId }) => mine.includes(paymentId))).toHaveLength(19)
  await waitUntilEmailsSent(meridian.database)
  const told = meridian.mails.filter(
    ({ subject, text }) =>
      subject.startsWith('Your payment is being refunded') && text.includes(calendar.slug),
  )
  expect(told).toHaveLength(19)
})

test('two refunds by the owner and two by the job at once give the money back once', async () => {
  const { id, checkoutId } = await payByCard(meridian, calendar, stripe)
  const answers = await Promise.all([1, 2].map(() => act(id, 'refund', PAID)))
  expect(answers.map((answer) => [answer.statusCode, answer.json().payment_status])).toEqual([
    [200, 'refunded'],
    [200, 'refunded'],
  ])
  expect((await readAppointmentAndPayment(meridian, id)).state).toEqual(['cancelled', 'refunded', 'refunded'])
  expect(stripe.checkouts.get(checkoutId)?.state).toMatchObject({ refundedCents: 4_000 })

  const late = await startCheckout(meridian, calendar)
  meridian.clock.ms += HOLD_MS
  await releaseExpiredHolds(meridian.deps)
  await bookAppointment(meridian, calendar.slug, { appointment_type_id: calendar.typeId })
  stripe.pay(late.checkoutId)
  await settlePayment(meridian, late.id)
  const { payment } = await readAppointmentAndPayment(meridian, late.id)
  const job = { calendarId: calendar.id, paymentId: payment.id }
  await Promise.all([runRefundJob(meridian.deps, job), runRefundJob(meridian.deps, job)])
  expect((await readAppointmentAndPayment(meridian, late.id)).payment.status).toBe('refunded')
  expect(stripe.checkouts.get(late.checkoutId)?.state).toMatchObject({ refundedCents: 4_000 })
})

test('Mark as Paid and the payment itself at once leave one of them, or the second goes back', async () => {
  const begun = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      startCheckout(meridian, calendar, { starts_at: nextTime(), customer: customer(i) }),
    ),
  )
  await Promise.all(
    begun.flatMap(({ id, checkoutId }) => [
      act(id, 'mark_paid'),
      (async () => {
        stripe.pay(checkoutId)
        await settlePayment(meridian, id)
      })(),
    ]),
  )
  for (const { id } of begun) {
    await settlePayment(meridian, id)
    const rows = await queryRows(
      meridian.database,
      `select provider, status from payment_transactions where appointment_id = $1 and status in ('completed', 'manual')`,
      [id],
    )
    expect(rows).toHaveLength(1)
  }
})

test('the end of a calendar locks what waits for its money before the money, as everybody does', async () => {
  const { id } = await startCheckout(meridian, calendar)
  const { waitedFor } = await other.hold(
    [['select 1 from appointments where id = $1 for update', [id]]],
    () =>
      inTransaction(meridian.database.db, (trx) =>
        endPaymentsOfCalendar(trx, calendar.id, new Date(meridian.clock.ms)),
      ),
  )
  expect(waitedFor).toBe('transactionid')
  expect((await readAppointmentAndPayment(meridian, id)).payment.status).toBe('failed')
})

let times = 0
/** The next unused half hour from Tuesday 09:00 on, sixteen a day. */
function nextTime(): string {
  times += 1
  return new Date(
    Date.parse('2027-01-05T09:00:00Z') + Math.floor(times / 16) * 86_400_000 + (times % 16) * 1_800_000,
  ).toISOString()
}

function customer(i: number) {
  return { name: `Runner ${i}`, email: `runner-${i}@example.com` }
}

function act(id: string, action: AppointmentAction, was?: typeof PAID) {
  return sendAppointmentAction({ meridian, owner, calendar }, id, { action, was })
}
