import type { LightMyRequestResponse } from 'fastify'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { PaymentProviderEvent } from '#server/ports/payment-provider.ts'
import { type FakeProvider, makeFakeProvider } from './fake-payment-provider.ts'
import { makeBookingBody, makeCalendar, type TestMeridian, type TestOwner } from './meridian.ts'
import { addAppointmentType, connectStripe } from './stored-rows.ts'

/** Makes a fake Stripe and a fake PayPal. */
export function makeFakeProviders(): { stripe: FakeProvider; paypal: FakeProvider } {
  return { stripe: makeFakeProvider('stripe'), paypal: makeFakeProvider('paypal') }
}

export type PaidCalendar = Calendar & { readonly typeId: string }

/**
 * Makes a calendar whose appointment type costs 40 euros, payable through Stripe and PayPal. Its owner gets the largest plan,
 * which includes PayPal.
 */
export async function makePaidCalendar(meridian: TestMeridian, owner: TestOwner): Promise<PaidCalendar> {
  await meridian.database.db
    .insertInto('subscriptions')
    .values({ user_id: owner.id, tier: 'enterprise', ends_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const calendar = await makeCalendar(meridian, owner)
  const typeId = await addAppointmentType(meridian, calendar.id, { price_cents: 4_000 })
  await connectStripe(meridian, calendar.id)
  await meridian.database.db
    .updateTable('payment_settings')
    .set({
      paypal_connected: true,
      paypal_merchant_id: 'merchant',
      paypal_client_id: 'client',
      paypal_client_secret_encrypted: meridian.deps.secrets.seal('secret', `paypal:${calendar.id}`),
    })
    .where('calendar_id', '=', calendar.id)
    .execute()
  return { ...calendar, typeId }
}

/** Starts a checkout for the calendar's first free time on Monday, by card unless `body` says otherwise. */
export function startFirstCheckout(
  meridian: TestMeridian,
  { slug, typeId }: Pick<PaidCalendar, 'slug' | 'typeId'>,
  body: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  return meridian.request({
    method: 'POST',
    url: `/api/public/calendars/${slug}/checkouts`,
    headers,
    payload: makeBookingBody({ appointment_type_id: typeId, provider: 'stripe', ...body }),
  })
}

export type StartedCheckout = { readonly id: string; readonly checkoutId: string }

/** Starts a checkout. Returns its ids in Meridian and at the provider. */
export async function startCheckout(
  meridian: TestMeridian,
  calendar: Pick<PaidCalendar, 'slug' | 'typeId'>,
  body: Record<string, unknown> = {},
): Promise<StartedCheckout> {
  const answer = await startFirstCheckout(meridian, calendar, body)
  if (answer.statusCode !== 201) throw new Error(`no checkout: ${answer.body}`)
  const { url, appointment_id: id } = answer.json<{ url: string; appointment_id: string }>()
  return { id, checkoutId: url.slice(url.lastIndexOf('/') + 1) }
}

/** Sends the request that the return page sends. */
export function settlePayment(meridian: TestMeridian, id: string): Promise<LightMyRequestResponse> {
  return meridian.post(`/api/public/appointments/${id}/payment`)
}

/** Reads the stored appointment and its latest payment. */
export async function readAppointmentAndPayment({ database }: TestMeridian, id: string) {
  const { released_at, hold_expires_at, status, payment_status, ...rest } = await database.db
    .selectFrom('appointments')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const payment = await database.db
    .selectFrom('payment_transactions')
    .selectAll()
    .where('appointment_id', '=', id)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
  return {
    state: [status, payment_status, payment.status],
    isReleased: released_at !== null,
    holdExpiresAtMs: hold_expires_at?.getTime() ?? null,
    paymentIntentId: rest.stripe_payment_intent_id,
    payment,
  }
}

export type AppointmentAndPayment = Awaited<ReturnType<typeof readAppointmentAndPayment>>

/** Waits until an appointment's payment fits; fails after 30 s. */
export async function waitForPayment(
  meridian: TestMeridian,
  id: string,
  fits: (payment: AppointmentAndPayment['payment']) => boolean,
): Promise<AppointmentAndPayment> {
  let state = await readAppointmentAndPayment(meridian, id)
  for (
    const endMs = Date.now() + 30_000;
    !fits(state.payment);
    state = await readAppointmentAndPayment(meridian, id)
  ) {
    if (Date.now() > endMs) throw new Error(`waited 30 s in vain: ${state.state}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return state
}

/** Starts a checkout, pays it by card, and returns from the provider. */
export async function payByCard(
  meridian: TestMeridian,
  calendar: Pick<PaidCalendar, 'slug' | 'typeId'>,
  stripe: FakeProvider,
): Promise<StartedCheckout> {
  const begun = await startCheckout(meridian, calendar)
  stripe.pay(begun.checkoutId)
  await settlePayment(meridian, begun.id)
  return begun
}

/** Posts a provider's event to `/api/webhooks/{path}`, signed unless told otherwise. */
export function sendWebhookEvent(
  meridian: TestMeridian,
  path: string,
  event: PaymentProviderEvent,
  signed: 'yes' | 'no' = 'yes',
): Promise<LightMyRequestResponse> {
  return meridian.request({
    method: 'POST',
    url: `/api/webhooks/${path}`,
    headers: { 'content-type': 'application/json', 'x-signed': signed },
    payload: JSON.stringify(event),
  })
}

/** Lists the kinds of all messages about an appointment. */
export async function listMessageKinds({ database }: TestMeridian, appointmentId: string): Promise<string[]> {
  const rows = await database.db
    .selectFrom('appointment_messages')
    .select('kind')
    .where('appointment_id', '=', appointmentId)
    .orderBy('kind')
    .execute()
  return rows.map(({ kind }) => kind)
}
