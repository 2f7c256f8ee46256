import type Stripe from 'stripe'
import type { SubscriptionStatus } from '#core/plan/decide-plan.ts'
import { SECOND_MS } from '#core/shared/duration.ts'
import { BillingError, type ProviderSubscription } from '#server/ports/billing-provider.ts'

/** It must be requested with a subscription: Stripe gives only its id otherwise. */
export const SCHEDULE = 'schedule'

const STATUSES: readonly SubscriptionStatus[] = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'canceled',
  'unpaid',
  'paused',
]

/**
 * A subscription that was read with SCHEDULE.
 * @throws BillingError for one that our plans cannot be: without a price, or with a status that Stripe did not have when this was
 *   written. What we know about it stays as it was.
 */
export function toProviderSubscription(subscription: Stripe.Subscription): ProviderSubscription {
  const { id, metadata, currency, cancellation_details } = subscription
  const [item] = subscription.items.data
  const status = STATUSES.find((known) => known === subscription.status)
  if (item === undefined || status === undefined) {
    throw new BillingError('refused', `Stripe has ${id} in a state that is not known here.`)
  }
  const schedule = toActiveSchedule(subscription.schedule)
  const nextPriceId = schedule === null ? null : findNextPriceId(schedule)
  return {
    id,
    customerId: idOf(subscription.customer),
    ownerId: metadata[OWNER] ?? null,
    status,
    priceId: item.price.id,
    amountCents: (item.price.unit_amount ?? 0) * (item.quantity ?? 1),
    currency,
    createdAt: toDate(subscription.created),
    // Since 2025 the period is the item's own. Source: https://docs.stripe.com/changelog/basil/2025-03-31/deprecate-subscription-current-period-start-and-end
    periodEndsAt: toDate(item.current_period_end),
    cancelsAt: findEnd(subscription, item, schedule),
    endedAt: subscription.ended_at === null ? null : toDate(subscription.ended_at),
    hasFailedForGood: status === 'canceled' && cancellation_details?.reason === 'payment_failed',
    nextPriceId: nextPriceId === item.price.id ? null : nextPriceId,
  }
}

/** The name under which our owner's id is kept at Stripe, on the customer, the checkout and the subscription. */
export const OWNER = 'owner_id'

export function toDate(seconds: number): Date {
  return new Date(seconds * SECOND_MS)
}

/** The id of something that Stripe gives as an id or as the object itself. */
export function idOf(given: string | { readonly id: string }): string {
  return typeof given === 'string' ? given : given.id
}

/** Some ways to end a subscription set only one of these. */
function findEnd(
  { cancel_at, cancel_at_period_end, ended_at }: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  schedule: Stripe.SubscriptionSchedule | null,
): Date | null {
  if (ended_at !== null) return null
  if (cancel_at !== null) return toDate(cancel_at)
  if (cancel_at_period_end) return toDate(item.current_period_end)
  const last = schedule?.phases.at(-1)
  return schedule?.end_behavior === 'cancel' && last !== undefined ? toDate(last.end_date) : null
}

/** The schedule that a subscription was read with, while it decides what comes next. */
export function toActiveSchedule(
  schedule: string | Stripe.SubscriptionSchedule | null,
): Stripe.SubscriptionSchedule | null {
  return typeof schedule === 'object' && schedule?.status === 'active' ? schedule : null
}

/** What follows the present phase of a schedule; the portal makes one for a smaller plan at the end of the period. */
function findNextPriceId({ current_phase, phases }: Stripe.SubscriptionSchedule): string | null {
  const endsS = current_phase?.end_date
  const next = phases.find(({ start_date }) => endsS !== undefined && start_date >= endsS)
  const price = next?.items[0]?.price
  return price === undefined ? null : idOf(price)
}
