import type Stripe from 'stripe'
import { PLAN_CARDS, type SandboxCard } from './cards.ts'
import type { SandboxPrice } from './prices.ts'
import type { SandboxConfiguration, SandboxCustomer, SandboxInvoice, SandboxPortal } from './records.ts'

/** Stripe sends decimals as texts; its library makes numbers of its own of them. */
export type Sent<Resource, Decimals extends keyof Resource> = Omit<Resource, Decimals> &
  Readonly<Record<Decimals, string | null>>

export function toPrice(price: SandboxPrice): Sent<Stripe.Price, 'unit_amount_decimal'> {
  return {
    id: price.id,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: 0,
    currency: price.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product: price.productId,
    recurring: {
      interval: 'month',
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: price.amountCents,
    unit_amount_decimal: String(price.amountCents),
  }
}

/** Stripe keeps no more than the id of a customer that was deleted. */
export function toCustomer(
  customer: SandboxCustomer,
  expand: readonly string[] = [],
): Stripe.Customer | Stripe.DeletedCustomer {
  const { id } = customer
  return customer.isDeleted ? { id, object: 'customer', deleted: true } : toLiveCustomer(customer, expand)
}

/** Its card is an id unless `expand` names it. */
export function toLiveCustomer(customer: SandboxCustomer, expand: readonly string[] = []): Stripe.Customer {
  const method = customer.card === null ? null : toPaymentMethod(customer, customer.card)
  const isExpanded = expand.includes('invoice_settings.default_payment_method')
  return {
    id: customer.id,
    object: 'customer',
    address: null,
    balance: 0,
    created: customer.createdS,
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: customer.email,
    invoice_prefix: customer.id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: isExpanded ? method : (method?.id ?? null),
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: customer.metadata,
    name: customer.name,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
}

/** The card of a customer, which pays all that is renewed. */
export function toPaymentMethod(customer: SandboxCustomer, card: SandboxCard): Stripe.PaymentMethod {
  const brand = PLAN_CARDS[card.number]?.brand ?? 'visa'
  return {
    id: `pm_${customer.id.slice(4)}`,
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: {
      address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
      email: customer.email,
      name: customer.name,
      phone: null,
      tax_id: null,
    },
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: brand,
      exp_month: card.expiryMonth,
      exp_year: card.expiryYear,
      fingerprint: card.number,
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: customer.createdS,
    customer: customer.id,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
}

export function toConfiguration(configuration: SandboxConfiguration) {
  return {
    id: configuration.id,
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created: configuration.createdS,
    default_return_url: null,
    features: configuration.features,
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: configuration.metadata,
    name: configuration.name,
    updated: configuration.createdS,
  } as const
}

export function toPortalSession(portal: SandboxPortal, origin: string): Stripe.BillingPortal.Session {
  return {
    id: portal.id,
    object: 'billing_portal.session',
    configuration: portal.configurationId,
    created: portal.createdS,
    customer: portal.customerId,
    customer_account: null,
    flow: portal.flow === null ? null : toFlow(portal.flow),
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: portal.returnUrl,
    url: `${origin}/p/session/${portal.id}`,
  }
}

function toFlow(flow: NonNullable<SandboxPortal['flow']>): Stripe.BillingPortal.Session.Flow {
  const subscription = flow.subscriptionId ?? ''
  const isOf = (type: typeof flow.type) => flow.type === type
  return {
    after_completion: {
      hosted_confirmation: null,
      redirect: { return_url: flow.doneUrl },
      type: 'redirect',
    },
    customer_update: null,
    subscription_cancel: isOf('subscription_cancel') ? { retention: null, subscription } : null,
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm: isOf('subscription_update_confirm')
      ? { discounts: null, items: [{ id: null, price: flow.priceId, quantity: 1 }], subscription }
      : null,
    type: flow.type,
  }
}

const intentOf = ({ id }: SandboxInvoice) => `pi_${id.slice(3)}`

/** The invoice of a payment's id. */
export function toInvoiceId(intentId: string): string {
  return `in_${intentId.replace(/^pi_/, '')}`
}

export function toInvoicePayment(invoice: SandboxInvoice): Stripe.InvoicePayment {
  return {
    id: `inpay_${invoice.id.slice(3)}`,
    object: 'invoice_payment',
    amount_paid: invoice.status === 'paid' ? invoice.amountCents : null,
    amount_requested: invoice.amountCents,
    created: invoice.createdS,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: intentOf(invoice) },
    status: invoice.status === 'paid' ? 'paid' : 'open',
    status_transitions: { canceled_at: null, paid_at: invoice.paidAtS },
  }
}

/** The refund of all that was paid. */
export function toPlanRefund(invoice: SandboxInvoice): Stripe.Refund {
  return {
    id: `re_${invoice.id.slice(3)}`,
    object: 'refund',
    amount: invoice.amountCents,
    balance_transaction: null,
    charge: `ch_${invoice.id.slice(3)}`,
    created: invoice.refundedAtS ?? invoice.createdS,
    currency: invoice.currency,
    customer: invoice.customerId,
    customer_account: null,
    destination_details: { card: { type: 'refund' }, type: 'card' },
    metadata: {},
    payment_intent: intentOf(invoice),
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
}
