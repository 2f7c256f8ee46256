import type Stripe from 'stripe'
import type { SubscriptionStatus } from '#core/plans/decide-plan.ts'
import { SECOND_MS } from '#core/shared/duration.ts'
import { BillingError, type ProviderSubscription } from '#server/ports/billing-provider.ts'

/** The field to expand in requests for a subscription; otherwise Stripe returns only the schedule's id. */
export const SCHEDULE_EXPANSION = 'schedule'

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
 * Converts a subscription that was fetched with SCHEDULE expanded.
 * @throws BillingError for a subscription that cannot be one of our plans: without a price, or with a status unknown to
 * this version. Our stored data then stays unchanged.
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
    customerId: toId(subscription.customer),
    ownerId: metadata[OWNER_ID_METADATA_KEY] ?? null,
    status,
    priceId: item.price.id,
    amountCents: (item.price.unit_amount ?? 0) * (item.quantity ?? 1),
    currency,
    createdAt: toDate(subscription.created),
    // Since 2025 the period belongs to the subscription's item. Source:
    // https://docs.stripe.com/changelog/basil/2025-03-31/deprecate-subscription-current-period-start-and-end
    periodEndsAt: toDate(item.current_period_end),
    cancelsAt: findEnd(subscription, item, schedule),
    endedAt: subscription.ended_at === null ? null : toDate(subscription.ended_at),
    hasFailedForGood: status === 'canceled' && cancellation_details?.reason === 'payment_failed',
    nextPriceId: nextPriceId === item.price.id ? null : nextPriceId,
  }
}

/** Metadata key of our owner id on Stripe's customers, checkouts and subscriptions. */
export const OWNER_ID_METADATA_KEY = 'owner_id'

export function toDate(seconds: number): Date {
  return new Date(seconds * SECOND_MS)
}

/** Returns the id of an object that Stripe sends either as an id or in full. */
export function toId(given: string | { readonly id: string }): string {
  return typeof given === 'string' ? given : given.id
}

/** Returns when a subscription ends. Each way of ending it sets only some of these fields. */
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

/** Returns the subscription's schedule while it is active. */
export function toActiveSchedule(
  schedule: string | Stripe.SubscriptionSchedule | null,
): Stripe.SubscriptionSchedule | null {
  return typeof schedule === 'object' && schedule?.status === 'active' ? schedule : null
}

/**
 * Returns the price after the schedule's current phase; the portal creates a schedule for a downgrade at the end of the
 * period.
 */
function findNextPriceId({ current_phase, phases }: Stripe.SubscriptionSchedule): string | null {
  const endsS = current_phase?.end_date
  const next = phases.find(({ start_date }) => endsS !== undefined && start_date >= endsS)
  const price = next?.items[0]?.price
  return price === undefined ? null : toId(price)
}
