import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { CreateCheckoutResponse, createCheckoutBody } from '#contract/checkouts.ts'
import { endOfHold } from '#core/booking/hold.ts'
import { titleOf } from '#core/booking/title-template.ts'
import {
  type AppointmentDetails,
  bookOnce,
  isCalendarOf,
  refusePrograms,
  takeCustomerTime,
  wasAnswered,
} from '#server/features/bookings/use-cases.ts'
import { toHolder } from '#server/features/holds/use-cases.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { PublicCaller } from '#server/platform/http/public-caller.ts'
import { ProviderError } from '#server/ports/payment-provider.ts'
import { closeHold } from './close-hold.ts'
import { type CheckoutsDeps, findTill, getTillOf } from './payee.ts'
import { replaceEarlierHolds } from './replace-earlier-holds.ts'
import { findPayment, findPaymentOf, insertPayment, type Payment, updatePayment } from './repository.ts'
import { findStripePriceId } from './settings-repository.ts'

type CheckoutBody = z.output<typeof createCheckoutBody>

type Begun = { readonly payment: Payment; readonly details: AppointmentDetails }

/**
 * Holds a time for a customer who pays at once, and opens the provider's page for it. A request with the same key gets
 * the same page, or opens the page that could not be opened before. Source: rules P2 and P9.
 * @throws ProblemError `calendar.not_found`, `booking.*`, `hold.*`, `request.key_reused`,
 *   `payment.provider_not_connected`, `payment.nothing_to_pay`, `payment.initiation_failed` when the time is free again
 */
export async function createCheckout(
  deps: CheckoutsDeps,
  input: { slug: string; key: string | null; body: CheckoutBody; caller: PublicCaller },
): Promise<CreateCheckoutResponse> {
  const { slug, key, body, caller } = input
  refusePrograms(body)
  const request = { calendar: { slug }, typeId: body.appointment_type_id ?? null, key, body }
  const isOwner = await isCalendarOf(deps.db, slug, caller.ownerId)
  const holder = isOwner ? null : toHolder(deps, caller.client, body.customer.email)
  if (holder !== null && !(await wasAnswered(deps, request))) {
    await replaceEarlierHolds(deps, { slug, key, holder, startsAtMs: Date.parse(body.starts_at) })
  }
  const { details } = await bookOnce(deps, request, async (trx, locked, nowMs) => {
    const { calendar } = locked
    const till = await findTill(deps, trx, { calendarId: calendar.id, provider: body.provider })
    if (till === null) throw new ProblemError('payment.provider_not_connected')
    // Nobody is told before it is paid. Source: rule P7.
    const hold = { reason: 'payment', expiresAt: new Date(endOfHold(nowMs)), holder } as const
    const wish = { ...locked, body, nowMs, hold, mails: [] }
    const { details, priceCents } = await takeCustomerTime(deps, trx, wish)
    await insertPayment(trx, {
      calendarId: calendar.id,
      id: randomUUID(),
      appointmentId: details.id,
      provider: body.provider,
      accountId: till.paymentAccount.accountId,
      appClientId: till.paymentAccount.app?.clientId ?? null,
      isSandbox: till.provider.isSandbox(till.paymentAccount.app),
      amountCents: priceCents,
      currency: till.currency,
      createdAt: new Date(nowMs),
    })
    return { details, confirmationEmailQueued: false }
  })
  const payment = await findPaymentOf(deps.db, { calendarId: details.calendar_id, id: details.id })
  if (payment === null) throw new ProblemError('payment.not_found')
  const url = payment.checkoutUrl ?? (await openCheckout(deps, { payment, details }, body.customer.email))
  return { url, appointment_id: details.id }
}

/** Opens the provider's page. When it cannot be opened, nobody can pay, so the time is given back. Source: rule P8. */
async function openCheckout(
  deps: CheckoutsDeps,
  { payment, details }: Begun,
  customerEmail: string,
): Promise<string> {
  const { calendarId, id: transactionId, appointmentId, amountCents, currency } = payment
  const typeId = payment.provider === 'stripe' ? details.appointment_type_id : null
  try {
    const { provider, paymentAccount } = await getTillOf(deps, payment)
    const checkout = await provider.createCheckout({
      paymentAccount,
      transactionId,
      calendarId,
      appointmentId,
      amountCents,
      currency,
      // The title that the customer wrote does not concern the provider. Source: rule P20.
      description: titleOf(null, details.appointment_type_name),
      beganAtMs: details.created_at.getTime(),
      stripePriceId: typeId && (await findStripePriceId(deps.db, calendarId, typeId)),
      customerEmail,
      ...returnUrls(deps, payment, details.slug),
    })
    const change = { checkout_id: checkout.id, checkout_url: checkout.url, updated_at: new Date(deps.now()) }
    if (await updatePayment(deps.db, payment, ['pending'], change)) return checkout.url
    // It was given up meanwhile. A payment there is still found by its name, and comes too late.
    await updatePayment(deps.db, payment, ['failed'], change)
    await provider.endCheckout(paymentAccount, checkout.id)
  } catch (err) {
    // Another request with the same content opens it at this moment, or gives the time back.
    if (err instanceof ProviderError && err.kind === 'in_progress') {
      throw new ProblemError('payment.initiation_failed')
    }
    const failure = err instanceof ProviderError ? err.message : null
    const now = await findPayment(deps.db, payment)
    // A second click has opened it.
    if (now?.status === 'pending' && now.checkoutUrl !== null) return now.checkoutUrl
    await closeHold(deps, payment, { progress: 'ended', failure })
    if (failure === null) throw err
    deps.log.warn({ err }, 'a checkout was not made')
  }
  throw new ProblemError('payment.initiation_failed')
}

/** Where the provider sends the customer afterwards. Stripe adds its own name of the session. Source: rule W1. */
function returnUrls({ baseUrl }: CheckoutsDeps, payment: Payment, slug: string) {
  const { appointmentId, id, provider } = payment
  const session = provider === 'stripe' ? 'session_id={CHECKOUT_SESSION_ID}&' : ''
  return {
    successUrl: `${baseUrl}/payment-success?${session}appointment_id=${appointmentId}`,
    cancelUrl: `${baseUrl}/payment-cancelled?appointment_id=${appointmentId}&calendar_slug=${slug}&transaction_id=${id}`,
  }
}
