import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { CreateCheckoutResponse, createCheckoutBody } from '#contract/payments/checkouts.ts'
import { customerPagesOriginOf } from '#core/addresses/public-url.ts'
import { toHoldEndMs } from '#core/appointments/hold.ts'
import { chooseBookingTitle } from '#core/appointments/title-template.ts'
import { acceptCustomerBooking } from '#server/areas/appointments/bookings/accept-customer-booking.ts'
import { type ExternalCheckDeps, toTimeToCheck } from '#server/areas/appointments/bookings/deps.ts'
import { insertBooking } from '#server/areas/appointments/bookings/insert-booking.ts'
import { refuseBots } from '#server/areas/appointments/bookings/refuse-bots.ts'
import {
  type BookableCalendar,
  isOwnCalendar,
  lockBooking,
  lockPublicCalendar,
} from '#server/areas/appointments/bookings/repository.ts'
import {
  findEarlierBooking,
  hasBookingResponse,
  storeBookingResponse,
  toIdempotentRequest,
} from '#server/areas/appointments/bookings/respond-once.ts'
import { type HoldOwner, toHoldOwner } from '#server/areas/appointments/holds/to-hold-owner.ts'
import { toSignedLink } from '#server/messages/emails/to-mail-facts.ts'
import type { PublicCaller } from '#server/platform/auth/owner-id.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { PaymentProviderError } from '#server/ports/payment-provider.ts'
import type { BookedAppointment } from '#server/records/appointments/appointment.ts'
import {
  BOOKING_CONFLICT_CODES,
  translateBookingConflicts,
} from '#server/records/appointments/translate-booking-conflicts.ts'
import { toCalendarAddress } from '#server/records/hostnames/to-calendar-address.ts'
import {
  findPayment,
  findPaymentOfAppointment,
  insertPayment,
  type Payment,
  updatePayment,
} from '#server/records/ledger/ledger-repository.ts'
import { keepingRefusal } from '#server/records/refusals/use-cases.ts'
import { hasPaypalInPlan } from '#server/records/subscription/plan-repository.ts'
import { type CheckoutsDeps, findPaymentAccount, getAccountOfPayment } from './find-payment-account.ts'
import { releaseOrExtendHold } from './release-or-extend-hold.ts'
import { replaceEarlierHolds } from './replace-earlier-holds.ts'
import { findStripePriceId } from './repository.ts'

type CheckoutBody = z.output<typeof createCheckoutBody>

type Begun = { readonly payment: Payment; readonly details: BookedAppointment }

/**
 * Holds a time for a customer who pays online, and opens the provider's checkout page. Idempotent by key: a repeated
 * request returns the same page, or opens it if that failed before. Source: rules P2 and P9.
 * @throws ProblemError `calendar.not_found`, `booking.*`, `hold.*`, `request.key_reused`,
 * `payment.provider_not_connected`, `payment.nothing_to_pay`, `payment.initiation_failed` when the hold was released
 */
export async function createCheckout(
  deps: CheckoutsDeps & ExternalCheckDeps,
  input: { slug: string; key: string | null; body: CheckoutBody; caller: PublicCaller },
): Promise<CreateCheckoutResponse> {
  const { slug, key, body, caller } = input
  refuseBots(body)
  const isOwner = await isOwnCalendar(deps.db, slug, caller.ownerId)
  const holder = isOwner ? null : toHoldOwner(deps, caller.client, body.customer.email)
  if (holder !== null && !(await hasBookingResponse(deps, slug, key))) {
    const typeId = body.appointment_type_id ?? null
    await replaceEarlierHolds(deps, { slug, key, holder, startsAtMs: Date.parse(body.starts_at), typeId })
  }
  await deps.checkExternalCalendars(toTimeToCheck(slug, body))
  const details = await keepingRefusal(deps, () => holdTime(deps, { slug, key, body, holder }))
  const url = await getCheckoutUrl(deps, details, body.customer.email)
  return { url, appointment_id: details.id, manage_token: toSignedLink(deps, details).token }
}

/**
 * Holds the time in one transaction, like a booking: lock, decide, write, respond. No email is sent before the
 * appointment is paid. Source: rule P7.
 */
function holdTime(
  deps: CheckoutsDeps,
  {
    slug,
    key,
    body,
    holder,
  }: { slug: string; key: string | null; body: CheckoutBody; holder: HoldOwner | null },
): Promise<BookedAppointment> {
  const request = toIdempotentRequest(key, body)
  return translateBookingConflicts(BOOKING_CONFLICT_CODES, () =>
    inTransaction(deps.db, async (trx) => {
      const calendar = await lockPublicCalendar(trx, slug)
      if (calendar === null) throw new ProblemError('calendar.not_found')
      const earlier = await findEarlierBooking(deps, trx, calendar.id, request)
      if (earlier !== null) return earlier.details
      const details = await insertHoldWithPayment(deps, trx, { calendar, body, holder })
      await storeBookingResponse(trx, request, { details, confirmationEmailQueued: false })
      return details
    }),
  )
}

/**
 * Inserts a hold and its payment, under the calendar's lock. `getCheckoutUrl` asks the provider afterwards.
 * @throws ProblemError `booking.*`, `hold.*`, `payment.provider_not_connected`, `payment.nothing_to_pay`
 */
export async function insertHoldWithPayment(
  deps: CheckoutsDeps,
  trx: Trx,
  {
    calendar,
    body,
    holder,
    isPromised = false,
  }: {
    readonly calendar: BookableCalendar
    readonly body: Omit<CheckoutBody, 'website' | 'form_open_ms'>
    /** The holder; null when the customer's holds are not limited. */
    readonly holder: HoldOwner | null
    readonly isPromised?: boolean
  },
): Promise<BookedAppointment> {
  const locked = await lockBooking(deps, trx, { calendar, typeId: body.appointment_type_id ?? null })

  const nowMs = deps.now()
  const target = await findPaymentAccount(deps, trx, { calendarId: calendar.id, provider: body.provider })
  const isInPlan =
    body.provider !== 'paypal' || (await hasPaypalInPlan(deps, trx, calendar.id, new Date(nowMs)))
  if (target === null || !isInPlan || !calendar.payment_enabled)
    throw new ProblemError('payment.provider_not_connected')
  const hold = { reason: 'payment', expiresAt: new Date(toHoldEndMs(nowMs)), holder } as const
  const booking = await acceptCustomerBooking(deps, trx, locked, { body, hold, nowMs, isPromised })

  const details = await insertBooking(deps, trx, booking)
  await insertPayment(trx, {
    calendar_id: calendar.id,
    id: randomUUID(),
    appointment_id: details.id,
    provider: body.provider,
    provider_account_id: target.account.accountId,
    app_client_id: target.account.app?.clientId ?? null,
    is_sandbox: target.provider.isSandbox(target.account.app),
    amount_cents: locked.type?.price_cents ?? 0,
    currency: target.currency,
    created_at: new Date(nowMs),
  })

  return details
}

/**
 * Returns the URL of the provider's checkout page for an unpaid appointment, and opens the checkout if it is not open yet.
 * @throws ProblemError `payment.not_found`, `payment.initiation_failed` when the hold was released
 */
export async function getCheckoutUrl(
  deps: CheckoutsDeps,
  details: BookedAppointment,
  customerEmail: string,
): Promise<string> {
  const payment = await findPaymentOfAppointment(deps.db, { calendarId: details.calendar_id, id: details.id })
  if (payment === null) throw new ProblemError('payment.not_found')
  return payment.checkout_url ?? (await openCheckout(deps, { payment, details }, customerEmail))
}

/** Opens the provider's checkout. If that fails, nobody can pay, so the hold is released. Source: rule P8. */
async function openCheckout(
  deps: CheckoutsDeps,
  { payment, details }: Begun,
  customerEmail: string,
): Promise<string> {
  const {
    calendar_id: calendarId,
    id: transactionId,
    appointment_id: appointmentId,
    amount_cents: amountCents,
    currency,
  } = payment
  const typeId = payment.provider === 'stripe' ? details.appointment_type_id : null
  try {
    const { provider, account } = await getAccountOfPayment(deps, payment)
    const checkout = await provider.createCheckout({
      account,
      transactionId,
      calendarId,
      appointmentId,
      amountCents,
      currency,
      // Send only the type's name to the provider, because the customer's own title is private. Source: rule P20.
      description: chooseBookingTitle(null, details.appointment_type_name),
      beganAtMs: details.created_at.getTime(),
      stripePriceId: typeId && (await findStripePriceId(deps.db, calendarId, typeId)),
      customerEmail,
      ...returnUrls(deps, payment, details),
    })
    const change = { checkout_id: checkout.id, checkout_url: checkout.url, updated_at: new Date(deps.now()) }
    if (await updatePayment(deps.db, payment, ['pending'], change)) return checkout.url
    // The hold was released in the meantime. A payment at this checkout can still be found by its id, and counts as late.
    await updatePayment(deps.db, payment, ['failed'], change)
    await provider.endCheckout(account, checkout.id)
  } catch (err) {
    // Another request is opening the same checkout right now, or is releasing the hold.
    if (err instanceof PaymentProviderError && err.kind === 'in_progress') {
      throw new ProblemError('payment.initiation_failed')
    }
    const failure = err instanceof PaymentProviderError ? err.message : null
    const now = await findPayment(deps.db, payment)
    // Another request, from a second click, has already opened the checkout.
    if (now?.status === 'pending' && now.checkout_url !== null) return now.checkout_url
    await releaseOrExtendHold(deps, payment, { progress: 'ended', failure })
    if (failure === null) throw err
    deps.log.warn({ err }, 'a checkout was not made')
  }
  throw new ProblemError('payment.initiation_failed')
}

/**
 * Returns the URLs to which the provider redirects the customer afterwards, on the calendar's current address. Stripe
 * fills in its session id. Source: rules W1 and J5.
 */
function returnUrls(deps: CheckoutsDeps, payment: Payment, details: BookedAppointment) {
  const { appointment_id: appointmentId, id, provider } = payment
  const site = customerPagesOriginOf(toCalendarAddress(details, deps), deps.baseUrl)
  const session = provider === 'stripe' ? 'session_id={CHECKOUT_SESSION_ID}&' : ''
  return {
    successUrl: `${site}/payment-success?${session}appointment_id=${appointmentId}`,
    cancelUrl: `${site}/payment-cancelled?appointment_id=${appointmentId}&calendar_slug=${details.slug}&transaction_id=${id}`,
  }
}
