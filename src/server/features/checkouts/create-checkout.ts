import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { CreateCheckoutResponse, createCheckoutBody } from '#contract/checkouts.ts'
import { endOfHold } from '#core/booking/hold.ts'
import { bookOnce, findDetailsOfAny, takeCustomerTime } from '#server/features/bookings/use-cases.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { type CheckoutRequest, ProviderError } from '#server/ports/payment-provider.ts'
import { closeHold } from './close-hold.ts'
import { type CheckoutsDeps, findTill, getTillOf } from './payee.ts'
import { findPayment, findPaymentOf, insertPayment, type Payment, updatePayment } from './repository.ts'
import { findStripePriceId } from './settings-repository.ts'

type CheckoutBody = z.output<typeof createCheckoutBody>

type Begun = {
  readonly payment: Payment
  readonly order: Pick<CheckoutRequest, 'description' | 'stripePriceId'> & { readonly slug: string }
}

/**
 * Holds a time for a customer who pays at once, and opens the provider's page for it. Asked again with the same key, it
 * answers the same page, or opens the one that could not be opened before.
 *
 * Source: spec §4 "Booking"; decided question "Booking, holds, money".
 * @throws ProblemError `calendar.not_found`, `booking.*`, `request.key_reused`, `payment.provider_not_connected`,
 *   `payment.nothing_to_pay`, `payment.initiation_failed` and then the time is free again
 */
export async function createCheckout(
  deps: CheckoutsDeps,
  input: { slug: string; key: string | null; body: CheckoutBody },
): Promise<CreateCheckoutResponse> {
  const { slug, key, body } = input
  const request = { calendar: { slug }, key, body }
  const begun = await bookOnce(deps, request, {
    book: async (trx, calendar, nowMs) => {
      const till = await findTill(deps, trx, { calendarId: calendar.id, provider: body.provider })
      if (till === null) throw new ProblemError('payment.provider_not_connected')
      const wish = { calendar, body, nowMs, holdExpiresAt: new Date(endOfHold(nowMs)) }
      const { appointmentId, type } = await takeCustomerTime(trx, wish)
      await insertPayment(trx, {
        calendarId: calendar.id,
        id: randomUUID(),
        appointmentId,
        provider: body.provider,
        accountId: till.payee.accountId,
        amountCents: type?.priceCents ?? 0,
        currency: till.currency,
        createdAt: new Date(nowMs),
      })
      // Nobody is told before it is paid.
      return { appointmentId, confirmationEmailQueued: false }
    },
    answer: (trx, { appointmentId }) => getBegun(trx, appointmentId),
  })
  const { appointmentId, checkoutUrl } = begun.payment
  const url = checkoutUrl ?? (await openCheckout(deps, begun, body.customer.email))
  return { url, appointment_id: appointmentId }
}

async function getBegun(trx: Trx, appointmentId: string): Promise<Begun> {
  const details = await findDetailsOfAny(trx, appointmentId)
  if (details === null) throw new ProblemError('appointment.not_found')
  const { calendar_id: calendarId, slug, title: description } = details
  const payment = await findPaymentOf(trx, { calendarId, id: appointmentId })
  if (payment === null) throw new ProblemError('payment.not_found')
  const stripePriceId =
    payment.provider === 'stripe'
      ? await findStripePriceId(trx, calendarId, details.appointment_type_id)
      : null
  return { payment, order: { slug, description, stripePriceId } }
}

/** Opens the provider's page. When it cannot be opened, nobody can pay: the time is given back. */
async function openCheckout(
  deps: CheckoutsDeps,
  { payment, order }: Begun,
  customerEmail: string,
): Promise<string> {
  const { calendarId, id: transactionId, appointmentId, amountCents, currency } = payment
  const { slug, ...what } = order
  try {
    const { provider, payee } = await getTillOf(deps, payment)
    const checkout = await provider.createCheckout({
      payee,
      transactionId,
      calendarId,
      appointmentId,
      amountCents,
      currency,
      ...what,
      customerEmail,
      beganAtMs: payment.createdAtMs,
      ...returnUrls(deps, payment, slug),
    })
    const change = { checkout_id: checkout.id, checkout_url: checkout.url, updated_at: new Date(deps.now()) }
    if (await updatePayment(deps.db, payment, ['pending'], change)) return checkout.url
    // Given up meanwhile. Whatever is paid there is still found by its name, and comes too late.
    await updatePayment(deps.db, payment, ['failed'], change)
    await provider.endCheckout(payee, checkout.id)
  } catch (err) {
    const failure = err instanceof ProviderError ? err.message : null
    // A second click may have opened it.
    const url = (await findPayment(deps.db, payment))?.checkoutUrl
    if (url) return url
    await closeHold(deps, payment, { progress: 'ended', failure })
    if (failure === null) throw err
    deps.log.warn({ err }, 'a checkout was not made')
  }
  throw new ProblemError('payment.initiation_failed')
}

/** Where the provider sends the customer afterwards (spec §2 routes). Stripe puts its own name of the session in. */
function returnUrls({ baseUrl }: CheckoutsDeps, payment: Payment, slug: string) {
  const { appointmentId, id, provider } = payment
  const session = provider === 'stripe' ? 'session_id={CHECKOUT_SESSION_ID}&' : ''
  return {
    successUrl: `${baseUrl}/payment-success?${session}appointment_id=${appointmentId}`,
    cancelUrl: `${baseUrl}/payment-cancelled?appointment_id=${appointmentId}&calendar_slug=${slug}&transaction_id=${id}`,
  }
}
