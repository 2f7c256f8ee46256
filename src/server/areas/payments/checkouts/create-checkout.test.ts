import { describe, expect, test } from 'vitest'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'
import { HOLD_MS } from '#core/appointments/hold.ts'
import {
  makeFakeProviders,
  makePaidCalendar,
  type PaidCalendar,
  readAppointmentAndPayment,
  startCheckout,
  startFirstCheckout,
} from '#tests/support/checkouts.ts'
import { PROVIDER_UNAVAILABLE, REFUND_REFUSED } from '#tests/support/fake-payment-provider.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, TEST_MONDAY } from '#tests/support/meridian.ts'
import { addAppointmentType, connectStripe } from '#tests/support/stored-rows.ts'

const providers = makeFakeProviders()

setUpOwner({ providers, env: { DEFAULT_PLAN: 'enterprise' } })

describe('a checkout', () => {
  test('holds the time for five minutes, sends no email, and asks the provider for the agreed price', async () => {
    const calendar = await makePaidCalendar(meridian, owner)
    const { id, checkoutId } = await startCheckout(meridian, calendar)
    expect(await readAppointmentAndPayment(meridian, id)).toMatchObject({
      state: ['pending_payment', 'pending', 'pending'],
      isReleased: false,
      holdExpiresAtMs: TEST_MONDAY + HOLD_MS,
      payment: {
        amount_cents: 4_000,
        currency: 'eur',
        provider_account_id: 'acct_test',
        checkout_id: checkoutId,
      },
    })
    const { request } = providers.stripe.checkouts.get(checkoutId) ?? {}
    expect(request).toMatchObject({
      account: { accountId: 'acct_test', app: null },
      appointmentId: id,
      amountCents: 4_000,
      currency: 'eur',
      description: 'Consultation',
      customerEmail: 'grace@example.com',
      successUrl: `http://localhost:3000/payment-success?session_id={CHECKOUT_SESSION_ID}&appointment_id=${id}`,
      cancelUrl: `http://localhost:3000/payment-cancelled?appointment_id=${id}&calendar_slug=${calendar.slug}&transaction_id=${request?.transactionId}`,
    })
    const other = { name: 'Other', email: 'other@example.com' }
    expect(
      (
        await bookAppointment(meridian, calendar.slug, {
          appointment_type_id: calendar.typeId,
          customer: other,
        })
      ).json(),
    ).toMatchObject({
      code: 'booking.slot_unavailable',
    })
    const { rows } = await meridian.database.execute(
      'select kind from appointment_messages where appointment_id = $1',
      [id],
    )
    expect(rows).toEqual([])
  })

  test('asks the questions of a booking, and keeps the answers', async () => {
    const calendar = await makePaidCalendar(meridian, owner)
    const api = meridian.as(owner)
    const question = {
      id: '0b6fb7f2-58b5-4b0c-9d3e-2a4b7a7f1c55',
      appointment_type_id: calendar.typeId,
      kind: 'text',
      label: 'What brings you here?',
      help: null,
      is_required: true,
      is_private: true,
      choices: [],
      shown_if: null,
    }
    await api.put(`/api/calendars/${calendar.id}/questions`, { questions: [question] })
    expect((await startFirstCheckout(meridian, calendar)).json()).toMatchObject({ code: 'answer.refused' })
    const answers = [{ question_id: question.id, value: ['My back'] }]
    const { appointment_id } = (await startFirstCheckout(meridian, calendar, { answers })).json()
    const stored = await api.get(`/api/calendars/${calendar.id}/appointments/${appointment_id}/answers`)
    expect(stored.json()).toMatchObject({ answers: [{ label: question.label, value: ['My back'] }] })
  })

  test('returns the link of the appointment’s page, which the id alone does not open', async () => {
    const calendar = await makePaidCalendar(meridian, owner)
    const headers = { 'idempotency-key': 'a key of this customer' }
    const { appointment_id, manage_token } = (
      await startFirstCheckout(meridian, calendar, {}, headers)
    ).json()
    const page = await meridian.get(`/api/public/manage/${manage_token}`)
    expect(page.json()).toMatchObject({ appointment: { id: appointment_id }, standing: 'awaits_payment' })
    expect((await startFirstCheckout(meridian, calendar, {}, headers)).json().manage_token).toBe(manage_token)
    const known = await meridian.get(`/api/public/appointments/${appointment_id}`)
    expect(known.statusCode).toBe(200)
    expect(known.body).not.toContain(manage_token)
  })

  test('sends the provider the name of the appointment type and nothing that the customer typed', async () => {
    const calendar = await makePaidCalendar(meridian, owner)
    const written = { title: 'About my divorce', description: 'Please call me at work' }
    const { checkoutId } = await startCheckout(meridian, calendar, written)
    const request = providers.stripe.checkouts.get(checkoutId)?.request
    expect(request?.description).toBe('Consultation')
    expect(JSON.stringify(request)).not.toMatch(/divorce|at work/)
  })

  test('at PayPal is made with the owner’s own app and its decrypted secret', async () => {
    const calendar = await makePaidCalendar(meridian, owner)
    const { checkoutId } = await startCheckout(meridian, calendar, { provider: 'paypal' })
    const request = providers.paypal.checkouts.get(checkoutId)?.request
    expect(request?.account).toEqual({
      accountId: 'merchant',
      app: { clientId: 'client', clientSecret: 'secret', mode: 'sandbox', webhookId: null },
    })
    expect(request?.successUrl).not.toContain('session_id')
  })

  test('of a type with a Stripe price uses that price', async () => {
    const calendar = await makePaidCalendar(meridian, owner)
    const typeId = await addAppointmentType(meridian, calendar.id, {
      price_cents: 5_000,
      stripe_price_id: 'price_1',
    })
    const { checkoutId } = await startCheckout(meridian, { ...calendar, typeId })
    expect(providers.stripe.checkouts.get(checkoutId)?.request.stripePriceId).toBe('price_1')
  })

  test('is idempotent: the same key and body return the same checkout', async () => {
    const calendar = await makePaidCalendar(meridian, owner)
    const first = await startFirstCheckout(meridian, calendar, {}, { 'idempotency-key': 'once' })
    const again = await startFirstCheckout(meridian, calendar, {}, { 'idempotency-key': 'once' })
    expect([again.statusCode, again.json()]).toEqual([201, first.json()])
    const other = await startFirstCheckout(
      meridian,
      calendar,
      { provider: 'paypal' },
      { 'idempotency-key': 'once' },
    )
    expect(other.json()).toMatchObject({ code: 'request.key_reused' })
  })
})

describe('refusals', () => {
  const cases: [
    string,
    ProblemCode,
    (calendar: PaidCalendar) => Promise<{ typeId?: string; provider?: string } | undefined>,
  ][] = [
    [
      'a type without a price',
      'payment.nothing_to_pay',
      async ({ id }) => ({ typeId: await addAppointmentType(meridian, id) }),
    ],
    [
      'a provider that was disconnected',
      'payment.provider_not_connected',
      async ({ id }) => {
        const settings = meridian.database.db.updateTable('payment_settings')
        await settings.set({ paypal_connected: false }).where('calendar_id', '=', id).execute()
        return { provider: 'paypal' }
      },
    ],
  ]
  test.each(cases)('%s is refused with %s', async (_what, code, prepare) => {
    const calendar = await makePaidCalendar(meridian, owner)
    const { typeId = calendar.typeId, ...body } = (await prepare(calendar)) ?? {}
    const answer = await startFirstCheckout(meridian, { ...calendar, typeId }, body)
    expect([answer.statusCode, answer.json().title]).toEqual([PROBLEMS[code].status, PROBLEMS[code].title])
    expect(await countAppointments(calendar.id)).toBe(0)
  })

  test('an unpublished calendar and a taken time are refused as for a booking', async () => {
    const plain = await makeCalendar(meridian, owner)
    const typeId = await addAppointmentType(meridian, plain.id, { price_cents: 1_000 })
    expect((await startFirstCheckout(meridian, { ...plain, typeId })).json()).toMatchObject({
      code: 'payment.provider_not_connected',
    })
    await bookAppointment(meridian, plain.slug, { appointment_type_id: typeId })
    await connectStripe(meridian, plain.id)
    expect((await startFirstCheckout(meridian, { ...plain, typeId })).json()).toMatchObject({
      code: 'booking.slot_unavailable',
    })
  })
})

describe('a provider that fails to create the checkout', () => {
  test.each([PROVIDER_UNAVAILABLE, REFUND_REFUSED])(
    '($kind) gives the time back, and the same key may be used again',
    async (error) => {
      const calendar = await makePaidCalendar(meridian, owner)
      providers.stripe.failNext('createCheckout', error)
      const failed = await startFirstCheckout(meridian, calendar, {}, { 'idempotency-key': 'again' })
      expect([failed.statusCode, failed.json().title]).toEqual([
        502,
        PROBLEMS['payment.initiation_failed'].title,
      ])
      const rows = await meridian.database.db
        .selectFrom('payment_transactions')
        .select(['status', 'failure'])
        .where('calendar_id', '=', calendar.id)
        .execute()
      expect(rows).toEqual([{ status: 'failed', failure: error.message }])
      expect(
        (await startFirstCheckout(meridian, calendar, {}, { 'idempotency-key': 'again' })).statusCode,
      ).toBe(201)
    },
  )

  test('in time has the late checkout ended', async () => {
    const calendar = await makePaidCalendar(meridian, owner)
    let answerNow: () => void = () => {}
    providers.stripe.delayNext(
      'createCheckout',
      new Promise<void>((resolve) => {
        answerNow = resolve
      }),
    )
    const asked = startFirstCheckout(meridian, calendar)
    const held = await waitForHold(calendar.id)
    expect((await meridian.delete(`/api/public/appointments/${held}`)).statusCode).toBe(204)
    answerNow()
    expect((await asked).json()).toMatchObject({ code: 'payment.initiation_failed' })
    const { state, payment } = await readAppointmentAndPayment(meridian, held)
    expect(state).toEqual(['pending_payment', 'pending', 'failed'])
    expect(providers.stripe.checkouts.get(payment.checkout_id ?? '')?.state).toEqual({ status: 'ended' })
  })
})

async function countAppointments(calendarId: string): Promise<number> {
  const rows = await meridian.database.db
    .selectFrom('appointments')
    .select('id')
    .where('calendar_id', '=', calendarId)
    .execute()
  return rows.length
}

async function waitForHold(calendarId: string): Promise<string> {
  for (;;) {
    const row = await meridian.database.db
      .selectFrom('appointments')
      .select('id')
      .where('calendar_id', '=', calendarId)
      .executeTakeFirst()
    if (row !== undefined) return row.id
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
