import { Temporal } from 'temporal-polyfill'
import { DAY_MS } from '#core/shared/duration.ts'
import { CardRefusedError, canChargeForRenewals } from './cards.ts'
import {
  generateNextId,
  type SandboxCheckout,
  type SandboxCustomer,
  type SandboxInvoice,
  type SandboxSubscription,
} from './customers.ts'
import { findPrice, getPrice } from './prices.ts'

/** True while the checkout can be paid. A checkout expires after a day, like Stripe's. */
export function isCheckoutOpen({ status, createdMs }: SandboxCheckout, nowMs: number): boolean {
  return status === 'open' && nowMs < createdMs + DAY_MS
}

/** Starts the subscription of a paid checkout. */
export function payCheckout(
  customer: SandboxCustomer,
  checkout: SandboxCheckout,
  card: string,
  nowMs: number,
): SandboxCustomer {
  const subscription: SandboxSubscription = {
    id: generateNextId('sub', customer, customer.subscriptions),
    priceId: checkout.priceId,
    status: 'active',
    createdMs: nowMs,
    periodStartMs: nowMs,
    periodEndMs: addMonth(nowMs),
    cancelsAtPeriodEnd: false,
    endedAtMs: null,
    hasFailedForGood: false,
    nextPriceId: null,
  }
  const checkouts = customer.checkouts.map((known) =>
    known.id === checkout.id ? { ...known, status: 'paid' as const } : known,
  )
  const subscriptions = [subscription, ...customer.subscriptions]
  return addInvoice({ ...customer, card, checkouts, subscriptions }, subscription, { isPaid: true, nowMs })
}

/**
 * Lets a month pass for one subscription: moves its dates and those of its invoices into the past until its period ends now. Then
 * the subscription ends or renews.
 */
export function letMonthPass(
  customer: SandboxCustomer,
  subscription: SandboxSubscription,
  nowMs: number,
): SandboxCustomer {
  const shiftMs = Math.max(0, subscription.periodEndMs - nowMs)
  const shifted: SandboxSubscription = {
    ...subscription,
    createdMs: subscription.createdMs - shiftMs,
    periodStartMs: subscription.periodStartMs - shiftMs,
    periodEndMs: subscription.periodEndMs - shiftMs,
  }
  const invoices = customer.invoices.map((invoice) =>
    invoice.subscriptionId === subscription.id
      ? { ...invoice, createdMs: invoice.createdMs - shiftMs }
      : invoice,
  )
  const earlier = { ...customer, invoices }
  if (shifted.cancelsAtPeriodEnd) return endSubscription(earlier, shifted, nowMs)
  const isPaid = shifted.status === 'active' && canChargeForRenewals(customer.card)
  const renewed: SandboxSubscription = {
    ...shifted,
    priceId: shifted.nextPriceId ?? shifted.priceId,
    nextPriceId: null,
    periodStartMs: shifted.periodEndMs,
    periodEndMs: addMonth(shifted.periodEndMs),
    status: shifted.status === 'active' && !isPaid ? 'past_due' : shifted.status,
  }
  return addInvoice(replaceSubscription(earlier, renewed), renewed, { isPaid, nowMs })
}

/** Charges the card for unpaid invoices. */
export function retryPayment(customer: SandboxCustomer, subscription: SandboxSubscription): SandboxCustomer {
  return canChargeForRenewals(customer.card) ? payOpenInvoices(customer, subscription) : customer
}

/** Marks all invoices of a subscription as paid, and makes it active unless it has ended. */
export function payOpenInvoices(
  customer: SandboxCustomer,
  subscription: SandboxSubscription,
): SandboxCustomer {
  const invoices = customer.invoices.map((invoice) =>
    invoice.subscriptionId === subscription.id ? { ...invoice, status: 'paid' as const } : invoice,
  )
  const status = subscription.endedAtMs === null ? 'active' : subscription.status
  return replaceSubscription({ ...customer, invoices }, { ...subscription, status })
}

/** Ends a subscription whose payment has failed permanently. */
export function endUnpaidSubscription(
  customer: SandboxCustomer,
  subscription: SandboxSubscription,
  nowMs: number,
): SandboxCustomer {
  return endSubscription(customer, { ...subscription, hasFailedForGood: true }, nowMs)
}

/** Ends a subscription immediately. */
export function endSubscription(
  customer: SandboxCustomer,
  subscription: SandboxSubscription,
  nowMs: number,
): SandboxCustomer {
  if (subscription.endedAtMs !== null) return customer
  return replaceSubscription(customer, {
    ...subscription,
    status: 'canceled',
    cancelsAtPeriodEnd: false,
    endedAtMs: nowMs,
    nextPriceId: null,
  })
}

/** Schedules the end of the plan for the end of its period, or cancels that schedule. */
export function setCancelsAtPeriodEnd(
  customer: SandboxCustomer,
  subscription: SandboxSubscription,
  cancelsAtPeriodEnd: boolean,
): SandboxCustomer {
  return replaceSubscription(customer, { ...subscription, cancelsAtPeriodEnd, nextPriceId: null })
}

/**
 * Upgrades immediately and charges the difference; schedules a downgrade for the end of the period.
 * @throws CardRefusedError when the difference cannot be charged to the card
 */
export function changePlan(
  customer: SandboxCustomer,
  subscription: SandboxSubscription,
  priceId: string,
  nowMs: number,
): SandboxCustomer {
  const price = findPrice(priceId)
  if (price === null || priceId === subscription.priceId) return customer
  const kept = { ...subscription, cancelsAtPeriodEnd: false }
  const amountCents = price.amountCents - getPrice(subscription.priceId).amountCents
  if (amountCents < 0) {
    return replaceSubscription(customer, { ...kept, nextPriceId: priceId })
  }
  if (!canChargeForRenewals(customer.card)) throw new CardRefusedError('Your card was declined.')
  const upgraded = { ...kept, priceId, nextPriceId: null }
  return addInvoice(replaceSubscription(customer, upgraded), upgraded, { isPaid: true, nowMs, amountCents })
}

/** Refunds the last paid invoice of a subscription. */
export function refundLastPayment(customer: SandboxCustomer, subscriptionId: string): SandboxCustomer {
  const paid = customer.invoices.find(
    (invoice) => invoice.subscriptionId === subscriptionId && invoice.status === 'paid',
  )
  if (paid === undefined || paid.isRefunded) return customer
  const invoices = customer.invoices.map((invoice) =>
    invoice === paid ? { ...invoice, isRefunded: true } : invoice,
  )
  return { ...customer, invoices }
}

/** Deletes a customer and ends its subscriptions. */
export function deleteCustomer(customer: SandboxCustomer, nowMs: number): SandboxCustomer {
  const ended = customer.subscriptions.reduce(
    (changed, subscription) => endSubscription(changed, subscription, nowMs),
    customer,
  )
  return { ...ended, isDeleted: true }
}

/** Replaces a subscription of its customer with the changed one. */
export function replaceSubscription(
  customer: SandboxCustomer,
  changed: SandboxSubscription,
): SandboxCustomer {
  const subscriptions = customer.subscriptions.map((known) => (known.id === changed.id ? changed : known))
  return { ...customer, subscriptions }
}

/** Adds an invoice for a period, or for the amount `amountCents` of an upgrade. */
function addInvoice(
  customer: SandboxCustomer,
  { id: subscriptionId, priceId }: SandboxSubscription,
  {
    isPaid,
    nowMs,
    amountCents,
  }: { readonly isPaid: boolean; readonly nowMs: number; readonly amountCents?: number },
): SandboxCustomer {
  const price = getPrice(priceId)
  const invoice: SandboxInvoice = {
    id: generateNextId('in', customer, customer.invoices),
    subscriptionId,
    number: `SANDBOX-${String(customer.invoices.length + 1).padStart(4, '0')}`,
    createdMs: nowMs,
    description: amountCents === undefined ? price.name : `${price.name}, the difference`,
    amountCents: amountCents ?? price.amountCents,
    currency: price.currency,
    status: isPaid ? 'paid' : 'open',
    isRefunded: false,
  }
  return { ...customer, invoices: [invoice, ...customer.invoices] }
}

/** Returns the same day and time of the next month in UTC; the last day of a shorter month. */
function addMonth(ms: number): number {
  const start = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC')
  return start.add({ months: 1 }).epochMilliseconds
}
