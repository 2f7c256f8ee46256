import type Stripe from 'stripe'
import { toList } from '#sandbox/stripe/resources.ts'
import { BLANK_INVOICE, BLANK_SCHEDULE, BLANK_SUBSCRIPTION } from './blank-resources.ts'
import { getPrice } from './prices.ts'
import type { SandboxCustomer, SandboxInvoice, SandboxSubscription } from './records.ts'
import { type Sent, toPaymentMethod, toPrice } from './resources.ts'

const SCHEDULED_DAYS_S = 30 * 24 * 60 * 60
/** How long Stripe waits before it asks a card again. */
const RETRY_AFTER_S = 3 * 24 * 60 * 60

type SentPlan = Sent<Stripe.Plan, 'amount_decimal'>
type SentItem = Omit<Stripe.SubscriptionItem, 'plan' | 'price'> & {
  readonly plan: SentPlan
  readonly price: Sent<Stripe.Price, 'unit_amount_decimal'>
}

/** A subscription as Stripe sends it. Its card and its schedule are ids unless `expand` names them. */
export function toSubscription(
  subscription: SandboxSubscription,
  customer: SandboxCustomer,
  expand: readonly string[] = [],
) {
  const { id, nextPriceId } = subscription
  const { currency } = getPrice(subscription.priceId)
  const { card } = customer
  const expanded = <Part extends { readonly id: string }>(name: string, part: Part): Part | string =>
    expand.includes(name) ? part : part.id
  return {
    ...BLANK_SUBSCRIPTION,
    id,
    billing_cycle_anchor: subscription.periodEndS,
    cancel_at: subscription.cancelsAtPeriodEnd ? subscription.periodEndS : null,
    cancel_at_period_end: subscription.cancelsAtPeriodEnd,
    canceled_at: subscription.canceledAtS,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      reason: subscription.reason,
    },
    created: subscription.createdS,
    currency,
    customer: subscription.customerId,
    default_payment_method:
      card === null ? null : expanded('default_payment_method', toPaymentMethod(customer, card)),
    ended_at: subscription.endedAtS,
    items: toList([toItem(subscription)], `/v1/subscription_items?subscription=${id}`),
    metadata: subscription.metadata,
    schedule: nextPriceId === null ? null : expanded('schedule', toSchedule(subscription, nextPriceId)),
    start_date: subscription.createdS,
    status: subscription.status,
  } satisfies Omit<Stripe.Subscription, 'items'> & { readonly items: Stripe.ApiList<SentItem> }
}

export function itemIdOf({ id }: Pick<SandboxSubscription, 'id'>): string {
  return `si_${id.slice(4)}`
}

export function toScheduleId({ id }: Pick<SandboxSubscription, 'id'>): string {
  return `sub_sched_${id.slice(4)}`
}

/** The subscription of a schedule. */
export function toSubscriptionId(scheduleId: string): string {
  return `sub_${scheduleId.replace(/^sub_sched_/, '')}`
}

function toItem(subscription: SandboxSubscription): SentItem {
  const price = getPrice(subscription.priceId)
  return {
    id: itemIdOf(subscription),
    object: 'subscription_item',
    billing_thresholds: null,
    created: subscription.createdS,
    current_period_end: subscription.periodEndS,
    current_period_start: subscription.periodStartS,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: {
      id: price.id,
      object: 'plan',
      active: true,
      amount: price.amountCents,
      amount_decimal: String(price.amountCents),
      billing_scheme: 'per_unit',
      created: 0,
      currency: price.currency,
      interval: 'month',
      interval_count: 1,
      livemode: false,
      metadata: {},
      meter: null,
      nickname: null,
      product: price.productId,
      tiers_mode: null,
      transform_usage: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    price: toPrice(price),
    quantity: 1,
    subscription: subscription.id,
    tax_rates: [],
  }
}

/** What the portal makes for a smaller plan: the present price until the end of the period, then the other one. */
export function toSchedule(
  subscription: SandboxSubscription,
  nextPriceId: string,
): Stripe.SubscriptionSchedule {
  const { id, customerId, periodStartS, periodEndS, priceId } = subscription
  const toPhase = (price: string, startS: number, endS: number): Stripe.SubscriptionSchedule.Phase => ({
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency: getPrice(price).currency,
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    end_date: endS,
    invoice_settings: null,
    items: [
      {
        billing_thresholds: null,
        discounts: [],
        metadata: {},
        plan: price,
        price,
        quantity: 1,
        tax_rates: [],
      },
    ],
    metadata: {},
    on_behalf_of: null,
    proration_behavior: 'none',
    start_date: startS,
    transfer_data: null,
    trial_end: null,
  })
  return {
    ...BLANK_SCHEDULE,
    id: toScheduleId(subscription),
    created: periodStartS,
    current_phase: { start_date: periodStartS, end_date: periodEndS },
    customer: customerId,
    phases: [
      toPhase(priceId, periodStartS, periodEndS),
      toPhase(nextPriceId, periodEndS, periodEndS + SCHEDULED_DAYS_S),
    ],
    subscription: id,
  }
}

/** `origin` is where its page is. */
export function toInvoice(invoice: SandboxInvoice, customer: SandboxCustomer, origin: string) {
  const { id, amountCents, createdS, status } = invoice
  const isPaid = status === 'paid'
  return {
    ...BLANK_INVOICE,
    id,
    amount_due: amountCents,
    amount_paid: isPaid ? amountCents : 0,
    amount_remaining: isPaid ? 0 : amountCents,
    attempt_count: invoice.attempts,
    billing_reason: invoice.reason,
    created: createdS,
    currency: invoice.currency,
    customer: invoice.customerId,
    customer_email: customer.email,
    customer_name: customer.name,
    effective_at: createdS,
    hosted_invoice_url: `${origin}/i/${id}`,
    invoice_pdf: `${origin}/i/${id}`,
    lines: toList([toLine(invoice)], `/v1/invoices/${id}/lines`),
    next_payment_attempt: status === 'open' ? createdS + RETRY_AFTER_S : null,
    number: invoice.number,
    // Where older samples have `subscription`. Source: https://docs.stripe.com/changelog/basil/2025-03-31/adds-new-parent-field-to-invoicing-objects
    parent: {
      quote_details: null,
      subscription_details: { metadata: {}, subscription: invoice.subscriptionId },
      type: 'subscription_details',
    },
    period_end: invoice.periodEndS,
    period_start: invoice.periodStartS,
    status,
    status_transitions: {
      finalized_at: createdS,
      marked_uncollectible_at: null,
      paid_at: invoice.paidAtS,
      voided_at: null,
    },
    subtotal: amountCents,
    subtotal_excluding_tax: amountCents,
    total: amountCents,
    total_excluding_tax: amountCents,
  } satisfies Omit<Stripe.Invoice, 'lines'> & { readonly lines: object }
}

function toLine(invoice: SandboxInvoice) {
  return {
    id: `il_${invoice.id.slice(3)}`,
    object: 'line_item',
    amount: invoice.amountCents,
    currency: invoice.currency,
    description: invoice.description,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice: invoice.id,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: null,
      license_fee_subscription_details: null,
      rate_card_subscription_details: null,
      schedule_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: invoice.reason === 'subscription_update',
        proration_details: { credited_items: null },
        subscription: invoice.subscriptionId,
        subscription_item: itemIdOf({ id: invoice.subscriptionId }),
      },
      type: 'subscription_item_details',
    },
    period: { start: invoice.periodStartS, end: invoice.periodEndS },
    pretax_credit_amounts: [],
    pricing: null,
    quantity: 1,
    quantity_decimal: '1',
    subscription: invoice.subscriptionId,
    subtotal: invoice.amountCents,
    taxes: [],
  }
}
