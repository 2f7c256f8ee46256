import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS } from '#core/shared/duration.ts'
import {
  makeFakeProviders,
  readAppointmentAndPayment,
  settlePayment,
  startCheckout,
} from '#tests/support/checkouts.ts'
import { paidCalendar as calendar, meridian, owner, setUpPaidCalendar } from '#tests/support/fixtures.ts'
import { readBulkChangeSummaryEmail } from '#tests/support/many-changes.ts'
import { HALF_REFUND_POLICY, manageTokenOf, savePolicy } from '#tests/support/policies.ts'
import { runManyChange } from './jobs.ts'

/** These tests change whole days under a policy, as time passes. Jobs run only when a test says so. */

const FRIDAY = '2027-01-08T09:00:00Z'
const DAY = { from: '2027-01-08', to: '2027-01-08' }

const providers = makeFakeProviders()

setUpPaidCalendar({
  providers,
  hasWorkers: false,
  undoSeconds: 30,
  env: { DEFAULT_PLAN: 'enterprise' },
})
beforeEach(async () => {
  await savePolicy(meridian, owner, calendar, { ...HALF_REFUND_POLICY, cancelling: { kind: 'by_request' } })
})

describe('what a day that is cancelled by policy gives back (rule Q8)', () => {
  test('is the share of the moment at which the customer asked, as the owner reads before', async () => {
    const id = await payForFriday()
    putClock(50)
    await askToCancel(id)
    putClock(30)
    expect(await readPromised()).toEqual([40])
    const changeId = await cancelByPolicy()
    await runManyChange(meridian.deps, { calendarId: calendar.id, changeId })
    expect(await readReturn(id)).toEqual(['cancelled', 4_000, 100])
  })

  test('is the share of the moment at which the owner decided, however late the job runs', async () => {
    const id = await payForFriday()
    putClock(48)
    expect(await readPromised()).toEqual([40])
    const changeId = await cancelByPolicy()
    putClock(30)
    await runManyChange(meridian.deps, { calendarId: calendar.id, changeId })
    expect(await readReturn(id)).toEqual(['cancelled', 4_000, 100])
  })

  test('is not less because the customer asked after the owner had decided', async () => {
    const id = await payForFriday()
    putClock(50)
    const changeId = await cancelByPolicy()
    putClock(30)
    await askToCancel(id, 20)
    await runManyChange(meridian.deps, { calendarId: calendar.id, changeId })
    expect(await readReturn(id)).toEqual(['cancelled', 4_000, 100])
  })

  test('is what is left after the deadline when nobody asked or decided before', async () => {
    const id = await payForFriday()
    putClock(30)
    expect(await readPromised()).toEqual([20])
    const changeId = await cancelByPolicy()
    await runManyChange(meridian.deps, { calendarId: calendar.id, changeId })
    expect(await readReturn(id)).toEqual(['cancelled', 2_000, 50])
  })
})

test('choosing a time that the owner offers uses up none of the moves that the policy gives (rule Q3)', async () => {
  const once = { ...HALF_REFUND_POLICY, moving: { kind: 'until', hours: 1, times: 1 } }
  await savePolicy(meridian, owner, calendar, once)
  const id = await payForFriday()
  const changeId = await change({ kind: 'offer' })
  await runManyChange(meridian.deps, { calendarId: calendar.id, changeId })
  const [first = '', second = ''] = (await readTerms(id)).offer.times
  // Undoing the first choice does not change the refund.
  for (const [from, to] of [
    [FRIDAY, first],
    [first, FRIDAY],
    [FRIDAY, first],
  ] as const) {
    const moved = await move(id, from, to)
    expect(moved.statusCode, moved.body).toBe(200)
  }
  expect(await readTerms(id)).toMatchObject({ obstacle: null, times_left: 1, offer: null })
  expect((await move(id, first, second)).statusCode).toBe(200)
  expect(await readTerms(id)).toMatchObject({ obstacle: 'too_often' })
})

async function payForFriday(): Promise<string> {
  const { id, checkoutId } = await startCheckout(meridian, calendar, { starts_at: FRIDAY })
  providers.stripe.pay(checkoutId)
  await settlePayment(meridian, id)
  return id
}

function putClock(hoursBefore: number): void {
  meridian.clock.ms = Date.parse(FRIDAY) - hoursBefore * HOUR_MS
}

async function askToCancel(id: string, refund_amount = 40): Promise<void> {
  const asked = await meridian.post(`/api/public/manage/${manageTokenOf(meridian, id)}/cancel`, {
    way: 'by_request',
    refund_amount,
  })
  expect(asked.json().standing, asked.body).toBe('pending_cancellation')
}

/** Lists the refunds by policy that the owner's preview shows. */
async function readPromised(): Promise<number[]> {
  const url = `/api/calendars/${calendar.id}/many-changes/effect?${new URLSearchParams(DAY)}`
  const { appointments } = (await owner.get(url)).json()
  return appointments.map(({ refund_by_policy }: { refund_by_policy: number }) => refund_by_policy)
}

function cancelByPolicy(): Promise<string> {
  return change({ kind: 'cancel', refund: 'policy' })
}

async function change(body: object): Promise<string> {
  const id = randomUUID()
  const digest = await readBulkChangeSummaryEmail(meridian, owner, { ...DAY, calendarId: calendar.id })
  const answer = await owner.post(`/api/calendars/${calendar.id}/many-changes`, {
    ...DAY,
    ...body,
    id,
    message: '',
    digest,
  })
  expect(answer.statusCode, answer.body).toBe(202)
  return id
}

async function readReturn(id: string) {
  const { state, payment } = await readAppointmentAndPayment(meridian, id)
  return [state[0], payment.return_cents, payment.return_percent]
}

async function readTerms(id: string) {
  return (await meridian.get(`/api/public/manage/${manageTokenOf(meridian, id)}/move`)).json()
}

function move(id: string, expected_starts_at: string, starts_at: string) {
  return meridian.post(`/api/public/manage/${manageTokenOf(meridian, id)}/move`, {
    starts_at,
    expected_starts_at,
  })
}
