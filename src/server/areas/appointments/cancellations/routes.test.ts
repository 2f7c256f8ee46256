import { describe, expect, test } from 'vitest'
import type { CustomerAppointment } from '#contract/appointments/customer-page.ts'
import { applyProviderEvent } from '#server/areas/payments/checkouts/receive-event.ts'
import { runRefundJob } from '#server/areas/payments/checkouts/refund-payment.ts'
import { sendAppointmentAction } from '#tests/support/act-on.ts'
import {
  listMessageKinds,
  makeFakeProviders,
  payByCard,
  readAppointmentAndPayment,
  waitForPayment,
} from '#tests/support/checkouts.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import {
  ACCOUNT_DISCONNECTED,
  PROVIDER_UNAVAILABLE,
  REFUND_REFUSED,
} from '#tests/support/fake-payment-provider.ts'
import { paidCalendar as calendar, meridian, owner, setUpPaidCalendar } from '#tests/support/fixtures.ts'
import { offeredHalfHour } from '#tests/support/half-hour.ts'
import { bookAppointment, makeCalendar } from '#tests/support/meridian.ts'
import { HALF_REFUND_POLICY, manageTokenOf, savePolicy } from '#tests/support/policies.ts'
import { waitUntilEmailsSent } from '#tests/support/race-track.ts'

const HOUR = 3_600_000
const providers = makeFakeProviders()
const { stripe } = providers

setUpPaidCalendar({ providers, env: { DEFAULT_PLAN: 'enterprise' } })

describe('cancelling alone', () => {
  test('returns the share that the customer read, once, and tells both sides', async () => {
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const { id, checkoutId } = await payByCard(meridian, calendar, stripe)
    await putStart(id, 30 * HOUR)
    const view = await look(id)
    expect(view.cancellation).toMatchObject({ way: 'alone', refund: { percent: 50, amount: 20 } })
    const answers = await Promise.all([cancel(id, view), cancel(id, view)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(answers[0]?.json()).toMatchObject({
      standing: 'cancelled',
      cancellation: { way: 'none', given_back: 20 },
    })
    const { payment, state } = await waitForPayment(meridian, id, ({ refunded_cents }) => refunded_cents > 0)
    expect(state).toEqual(['cancelled', 'paid', 'completed'])
    expect(payment).toMatchObject({
      refunded_cents: 2_000,
      return_cents: 2_000,
      return_percent: 50,
      refund_reason: 'policy',
      failure: null,
    })
    expect(stripe.checkouts.get(checkoutId)?.state).toMatchObject({ refundedCents: 2_000 })
    await runRefundJob(meridian.deps, { calendarId: calendar.id, paymentId: payment.id })
    expect(stripe.checkouts.get(checkoutId)?.state).toMatchObject({ refundedCents: 2_000 })
    expect(await listMessageKinds(meridian, id)).toEqual(
      expect.arrayContaining(['cancelled', 'owner_cancelled']),
    )
    await waitUntilEmailsSent(meridian.database)
    const [mail] = meridian.mails.filter(
      ({ text, subject }) => subject.startsWith('Appointment cancelled') && text.includes('You cancelled'),
    )
    expect(mail?.text).toContain('We’ll refund €20.00 of the €40.00 you paid.')
    expect(await historyOf(id)).toContain('The customer cancelled the appointment.')
  })

  test.each(['alone', 'by_request'] as const)(
    '%s from a page that shows another date than the appointment has by now is refused (rule B19)',
    async (way) => {
      const plain = await makeCalendar(meridian, owner)
      if (way === 'alone') await savePolicy(meridian, owner, plain, HALF_REFUND_POLICY)
      const id: string = (
        await bookAppointment(meridian, plain.slug, { starts_at: offeredHalfHour(2) })
      ).json().id
      const view = await look(id)
      expect(view.cancellation.way).toBe(way)
      const decide = (seen: string) =>
        meridian.post(`/api/public/manage/${manageTokenOf(meridian, id)}/cancel`, {
          way,
          refund_amount: null,
          expected_starts_at: seen,
        })
      await putStart(id, 72 * HOUR)
      expectRefusal(await decide(view.appointment.starts_at), 'appointment.changed_meanwhile')
      const moved = await look(id)
      expect(moved.appointment.status).toBe('confirmed')
      expect((await decide(moved.appointment.starts_at)).statusCode).toBe(200)
    },
  )

  test('is done on the page that the emails lead to, where the policy allows it', async () => {
    const plain = await makeCalendar(meridian, owner)
    const linkIn = async (starts_at: string) => {
      const email = `${crypto.randomUUID()}@example.com`
      const customer = { name: 'Ada', email, phone: null }
      const booked = await bookAppointment(meridian, plain.slug, { starts_at, customer })
      expect(booked.statusCode, booked.body).toBe(201)
      const { text } = await meridian.waitForMail(({ to }) => to.address === email)
      return /Cancel this appointment[^h]*(\S+)/.exec(text)?.[1]
    }
    expect(await linkIn(offeredHalfHour(0))).toContain('/cancel/')
    await savePolicy(meridian, owner, plain, HALF_REFUND_POLICY)
    expect(await linkIn(offeredHalfHour(1))).toContain('/manage/')
  })

  test('of all of the money makes the payment refunded', async () => {
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const { id } = await payByCard(meridian, calendar, stripe)
    await putStart(id, 72 * HOUR)
    expect((await cancel(id, await look(id))).statusCode).toBe(200)
    const { state, payment } = await waitForPayment(meridian, id, ({ status }) => status === 'refunded')
    expect(state).toEqual(['cancelled', 'refunded', 'refunded'])
    expect(payment).toMatchObject({ refunded_cents: 4_000, refund_reason: 'policy' })
  })

  test('of an amount that does not divide evenly rounds up to a cent', async () => {
    await savePolicy(meridian, owner, calendar, {
      ...HALF_REFUND_POLICY,
      refunds: [{ hours: 24, percent: 33 }],
    })
    await meridian.database.db
      .updateTable('appointment_types')
      .set({ price_cents: 999 })
      .where('id', '=', calendar.typeId)
      .execute()
    const { id } = await payByCard(meridian, calendar, stripe)
    await putStart(id, 30 * HOUR)
    const view = await look(id)
    expect(view.cancellation.refund).toEqual({ percent: 33, amount: 3.3 })
    await cancel(id, view)
    const { payment } = await waitForPayment(meridian, id, ({ refunded_cents }) => refunded_cents > 0)
    expect(payment.refunded_cents).toBe(330)
  })

  test('holds to the policy of the booking when the owner has changed it since', async () => {
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const { id } = await payByCard(meridian, calendar, stripe)
    await putStart(id, 30 * HOUR)
    const before = (await look(id)).appointment.policy_text
    await savePolicy(meridian, owner, calendar, {
      moving: { kind: 'never' },
      cancelling: { kind: 'by_request' },
      refunds: [{ hours: 0, percent: 0 }],
    })
    const view = await look(id)
    expect(view.cancellation).toMatchObject({ way: 'alone', refund: { amount: 20 } })
    expect(view.appointment.policy_text).toBe(before)
    expect(before).toContain('50% back until 24 hours before it starts')
  })

  test('is refused when the deadline has passed since the customer looked', async () => {
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const { id } = await payByCard(meridian, calendar, stripe)
    await putStart(id, 49 * HOUR)
    const seen = await look(id)
    await putStart(id, 47 * HOUR)
    const late = await cancel(id, seen)
    expect([late.statusCode, late.json().code]).toEqual([409, 'cancellation.terms_changed'])
    expect((await readAppointmentAndPayment(meridian, id)).state).toEqual(['confirmed', 'paid', 'completed'])
  })

  test('is not possible after the last deadline of a policy that forbids it', async () => {
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const { id } = await payByCard(meridian, calendar, stripe)
    await putStart(id, 30 * HOUR)
    const seen = await look(id)
    await putStart(id, 23 * HOUR)
    expect((await look(id)).cancellation).toEqual({
      way: 'none',
      until: null,
      refund: null,
      given_back: null,
      currency: 'eur',
    })
    expect((await cancel(id, seen)).json().code).toBe('cancellation.not_possible')
  })

  test('of an appointment that is not paid gives nothing back and asks no provider', async () => {
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const { id } = (
      await bookAppointment(meridian, calendar.slug, { appointment_type_id: calendar.typeId })
    ).json()
    await putStart(id, 30 * HOUR)
    const calls = stripe.calls.length
    const view = await look(id)
    expect(view.cancellation).toMatchObject({ way: 'alone', refund: null })
    expect((await cancel(id, view)).json()).toMatchObject({
      standing: 'cancelled',
      cancellation: { given_back: null },
    })
    expect(stripe.calls.length).toBe(calls)
  })

  test('of what was paid by hand leaves the return to the owner, who says when it is done', async () => {
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const { id } = (
      await bookAppointment(meridian, calendar.slug, { appointment_type_id: calendar.typeId })
    ).json()
    await act(id, { action: 'mark_paid' })
    await putStart(id, 30 * HOUR)
    await cancel(id, await look(id))
    const { payment } = await readAppointmentAndPayment(meridian, id)
    expect(payment).toMatchObject({
      provider: 'manual',
      status: 'manual',
      return_cents: 2_000,
      refunded_cents: 0,
    })
    expect((await settle(id, 'retry')).json().code).toBe('appointment.nothing_owed')
    expect((await settle(id, 'by_hand')).statusCode).toBe(204)
    expect((await readAppointmentAndPayment(meridian, id)).payment).toMatchObject({
      status: 'manual',
      refunded_cents: 2_000,
      by_hand_cents: 2_000,
    })
    expect((await settle(id, 'by_hand')).json().code).toBe('appointment.nothing_owed')
  })
})

describe('a refund that the provider refuses after the appointment was cancelled', () => {
  test('is shown to the owner, who has it tried again', async () => {
    const id = await cancelRefused(REFUND_REFUSED)
    expect((await rowOf(id)).refund).toMatchObject({ due: 20, returned: 0, failure: REFUND_REFUSED.message })
    expect((await settle(id, 'retry')).statusCode).toBe(204)
    const { payment } = await waitForPayment(meridian, id, ({ refunded_cents }) => refunded_cents > 0)
    expect(payment).toMatchObject({ refunded_cents: 2_000, failure: null, status: 'completed' })
  })

  test('is returned by hand, and a later Refund returns only the rest', async () => {
    const id = await cancelRefused(REFUND_REFUSED)
    expect((await settle(id, 'by_hand')).statusCode).toBe(204)
    expect((await readAppointmentAndPayment(meridian, id)).payment).toMatchObject({
      status: 'completed',
      refunded_cents: 2_000,
      by_hand_cents: 2_000,
      refund_reason: 'by_hand',
    })
    expect((await act(id, { action: 'refund' })).json()).toMatchObject({ payment_status: 'refunded' })
    const { payment } = await readAppointmentAndPayment(meridian, id)
    expect(payment).toMatchObject({ status: 'refunded', refunded_cents: 4_000 })
    expect(stripe.refunds.get(payment.id)).toMatchObject({ amountCents: 2_000 })
  })

  test('because the account is gone is told to the owner at once', async () => {
    const id = await cancelRefused(ACCOUNT_DISCONNECTED)
    const mail = await meridian.waitForMail(
      ({ text, subject }) => subject.startsWith('A refund needs your attention') && text.includes(`pay_`),
    )
    expect(mail.text).toContain('your customer is owed a refund of €20.00')
    expect((await readAppointmentAndPayment(meridian, id)).state).toEqual(['cancelled', 'paid', 'completed'])
  })

  test('is owed again when it fails on its way', async () => {
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const { id, checkoutId } = await payByCard(meridian, calendar, stripe)
    await putStart(id, 30 * HOUR)
    await cancel(id, await look(id))
    await waitForPayment(meridian, id, ({ refunded_cents }) => refunded_cents > 0)
    stripe.failRefund(checkoutId)
    const event = { provider: 'stripe', about: { kind: 'payment', paymentId: `pay_${checkoutId}` } } as const
    await applyProviderEvent(meridian.deps, event)
    await applyProviderEvent(meridian.deps, event)
    expect((await readAppointmentAndPayment(meridian, id)).payment).toMatchObject({
      status: 'completed',
      refunded_cents: 0,
      return_cents: 2_000,
    })
    await waitUntilEmailsSent(meridian.database)
    expect(meridian.mails.filter(({ text }) => text.includes(`pay_${checkoutId}`))).toHaveLength(1)
  })
})

describe('the owner’s cancellation', () => {
  test.each([
    [undefined, 2_000, 50],
    [20, 2_000, 50],
    [30.01, 3_001, null],
    [40, 4_000, null],
  ])('with refund_amount %s gives back %s cents', async (refund_amount, cents, percent) => {
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const { id } = await payByCard(meridian, calendar, stripe)
    await putStart(id, 30 * HOUR)
    expect((await act(id, { action: 'cancel', refund_amount })).statusCode).toBe(200)
    const { payment } = await waitForPayment(meridian, id, ({ refunded_cents }) => refunded_cents > 0)
    expect(payment).toMatchObject({ refunded_cents: cents, return_percent: percent })
  })

  test.each([
    [19.99, 'appointment.refund_too_small'],
    [40.01, 'appointment.refund_too_large'],
  ])('with refund_amount %s is refused', async (refund_amount, code) => {
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const { id } = await payByCard(meridian, calendar, stripe)
    await putStart(id, 30 * HOUR)
    const answer = await act(id, { action: 'cancel', refund_amount })
    expect([answer.statusCode, answer.json().code]).toEqual([409, code])
    expect((await readAppointmentAndPayment(meridian, id)).state).toEqual(['confirmed', 'paid', 'completed'])
  })

  test('of a request gives the share of the moment at which the customer asked', async () => {
    await savePolicy(meridian, owner, calendar, { ...HALF_REFUND_POLICY, cancelling: { kind: 'by_request' } })
    const { id } = await payByCard(meridian, calendar, stripe)
    await putStart(id, 30 * HOUR)
    const view = await look(id)
    expect(view.cancellation.way).toBe('by_request')
    expect((await cancel(id, view)).json()).toMatchObject({ standing: 'pending_cancellation' })
    await meridian.database.db
      .updateTable('appointments')
      .set({ cancellation_asked_at: new Date(meridian.clock.ms - 20 * HOUR) })
      .where('id', '=', id)
      .execute()
    await act(id, { action: 'approve_cancellation' })
    const { payment } = await waitForPayment(meridian, id, ({ refunded_cents }) => refunded_cents > 0)
    expect(payment).toMatchObject({ refunded_cents: 4_000, return_percent: 100 })
  })

  test('gives nothing back by itself where no table promises it, as before there were policies', async () => {
    const { id } = await payByCard(meridian, calendar, stripe)
    await act(id, { action: 'cancel' })
    expect((await readAppointmentAndPayment(meridian, id)).payment).toMatchObject({
      return_cents: null,
      refunded_cents: 0,
    })
  })

  test('that is taken back drops a refund that was not made yet', async () => {
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const id = await cancelRefused(PROVIDER_UNAVAILABLE)
    expect((await act(id, { action: 'restore' })).statusCode).toBe(200)
    const { payment } = await readAppointmentAndPayment(meridian, id)
    await runRefundJob(meridian.deps, { calendarId: calendar.id, paymentId: payment.id })
    expect((await readAppointmentAndPayment(meridian, id)).payment).toMatchObject({
      return_cents: null,
      refunded_cents: 0,
    })
    expect((await rowOf(id)).refund).toMatchObject({ due: null })
  })
})

describe('sums of money', () => {
  test('have the part that went back, in the overview, the list and the file', async () => {
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const { id } = await payByCard(meridian, calendar, stripe)
    await putStart(id, 30 * HOUR)
    await cancel(id, await look(id))
    await waitForPayment(meridian, id, ({ refunded_cents }) => refunded_cents > 0)
    const [month] = (await ask('money')).json().months
    expect(month).toMatchObject({ taken: 40, refunded: 20 })
    expect((await ask('transactions')).json().transactions[0]).toMatchObject({
      amount: 40,
      refunded_amount: 20,
      return_amount: 20,
      return_percent: 50,
      status: 'completed',
    })
    expect((await ask('appointments.csv?filter=all')).body).toContain('40.00,eur,20.00,')
  })
})

/** Cancels an appointment whose refund of half the amount then fails with `error`. Returns its id. */
async function cancelRefused(error: typeof REFUND_REFUSED): Promise<string> {
  await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
  const { id } = await payByCard(meridian, calendar, stripe)
  await putStart(id, 30 * HOUR)
  stripe.failNext('refund', error)
  await cancel(id, await look(id))
  await waitForPayment(meridian, id, ({ failure }) => failure !== null)
  return id
}

/** Moves the appointment's start to `aheadMs` from now. */
async function putStart(id: string, aheadMs: number): Promise<void> {
  const startsAt = new Date(meridian.clock.ms + aheadMs)
  const endsAt = new Date(startsAt.getTime() + HOUR / 2)
  await meridian.database.execute(
    'update appointments set starts_at = $2, ends_at = $3, blocked = tstzrange($2, $3) where id = $1',
    [id, startsAt, endsAt],
  )
}

async function look(id: string): Promise<CustomerAppointment> {
  return (await meridian.get(`/api/public/manage/${manageTokenOf(meridian, id)}`)).json()
}

function cancel(id: string, { cancellation: { way, refund } }: CustomerAppointment) {
  return meridian.post(`/api/public/manage/${manageTokenOf(meridian, id)}/cancel`, {
    way,
    refund_amount: refund?.amount ?? null,
  })
}

function act(id: string, payload: Parameters<typeof sendAppointmentAction>[2]) {
  return sendAppointmentAction({ meridian, owner, calendar }, id, payload)
}

function settle(id: string, way: 'retry' | 'by_hand') {
  return owner.post(`/api/calendars/${calendar.id}/appointments/${id}/refund`, { way })
}

function ask(what: string) {
  return owner.get(`/api/calendars/${calendar.id}/${what}`)
}

async function rowOf(id: string) {
  const { appointments } = (await ask('appointments?filter=all')).json()
  return appointments.find((row: { id: string }) => row.id === id)
}

async function historyOf(id: string): Promise<string[]> {
  const { entries } = (await ask(`appointments/${id}/history`)).json()
  return entries.map(({ text }: { text: string }) => text)
}
