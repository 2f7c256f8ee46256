import type { PaidTier, SubscriptionStatus } from '#core/plans/decide-plan.ts'
import type { WebhookRequest } from './payment-provider.ts'

/** The current state of a subscription at the billing provider. */
export type ProviderSubscription = {
  readonly id: string
  readonly customerId: string
  /**
   * The owner for whom the subscription was bought, from our metadata; null when somebody created it by hand at the
   * provider.
   */
  readonly ownerId: string | null
  readonly status: SubscriptionStatus
  readonly priceId: string
  /** The price of a period, in minor units of `currency`. */
  readonly amountCents: number
  /** The currency as an ISO 4217 code in lower case. */
  readonly currency: string
  readonly createdAt: Date
  readonly periodEndsAt: Date
  /** When the subscription ends without renewal; null when it continues. */
  readonly cancelsAt: Date | null
  /** When the subscription ended; null while it is active. */
  readonly endedAt: Date | null
  /** True when the subscription ended because payments failed, and not because somebody cancelled it. */
  readonly hasFailedForGood: boolean
  /** The price that starts at the end of the period; null when the price does not change. */
  readonly nextPriceId: string | null
}

export type BillingPrice = {
  readonly tier: PaidTier
  readonly priceId: string
  readonly amountCents: number
  readonly currency: string
}

export type BillingInvoice = {
  readonly id: string
  /** The number printed on the invoice; null for a draft. */
  readonly number: string | null
  readonly issuedAt: Date
  readonly amountCents: number
  readonly currency: string
  readonly status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  /** URL of the provider's page with the invoice; null when there is none. */
  readonly url: string | null
}

/** The card that will be charged for the next invoice. */
export type BillingCard = {
  readonly brand: string
  readonly last4: string
  /** The month, from 1 to 12. */
  readonly expiryMonth: number
  readonly expiryYear: number
}

export type BillingCheckoutRequest = {
  readonly customerId: string
  readonly ownerId: string
  readonly priceId: string
  readonly successUrl: string
  readonly cancelUrl: string
  /** Idempotency key: requests with the same key create one checkout. */
  readonly key: string
}

/** The page of the billing portal to open first. `change` asks the owner to confirm the switch to the given price. */
export type PortalPage =
  | { readonly kind: 'home' }
  | { readonly kind: 'card' }
  | { readonly kind: 'cancel'; readonly subscriptionId: string }
  | { readonly kind: 'change'; readonly subscriptionId: string; readonly priceId: string }

/**
 * A webhook event with a verified signature. It only hints that something changed for a customer; we then fetch the
 * current state from the provider. Source: rule S10.
 */
export type BillingEvent = {
  readonly id: string
  readonly type: string
  /** The customer that the event is about; null when it is not about a customer. */
  readonly customerId: string | null
}

/** Port for the provider that sells the installation's plans through the operator's own account. */
export type BillingProvider = {
  /** True when no real money moves, because a stand-in or the provider's test mode is used. */
  readonly isSandbox: () => boolean
  /**
   * Lists the prices of the plans for sale.
   * @throws BillingError
   */
  readonly listPrices: () => Promise<readonly BillingPrice[]>
  /** Maps a price of the provider to a plan; null for a price that is not in the settings. */
  readonly tierOf: (priceId: string) => PaidTier | null
  /**
   * Creates the provider's customer for an owner. Idempotent: requests for the same owner create one customer.
   * @throws BillingError
   */
  readonly createCustomer: (request: {
    readonly ownerId: string
    readonly email: string
    readonly name: string
  }) => Promise<{ readonly customerId: string }>
  /**
   * Changes a customer's email address at the provider.
   * @throws BillingError
   */
  readonly changeEmail: (request: { readonly customerId: string; readonly email: string }) => Promise<void>
  /**
   * Lists all subscriptions of a customer, including ended ones, newest first.
   * @throws BillingError `customer_gone` when the customer was deleted at the provider
   */
  readonly listSubscriptions: (customerId: string) => Promise<readonly ProviderSubscription[]>
  /** Lists all active subscriptions of the installation, for the reconciliation of rule S10. @throws BillingError */
  readonly listAllSubscriptions: () => AsyncIterable<ProviderSubscription>
  /**
   * Creates a page on which the owner pays for a plan.
   * @throws BillingError
   */
  readonly createCheckout: (request: BillingCheckoutRequest) => Promise<{ readonly url: string }>
  /** Expires a customer's unpaid checkouts. @throws BillingError */
  readonly endOpenCheckouts: (customerId: string) => Promise<void>
  /**
   * Creates a page of the billing portal.
   * @throws BillingError
   */
  readonly createPortal: (request: {
    readonly customerId: string
    readonly returnUrl: string
    readonly page: PortalPage
  }) => Promise<{ readonly url: string }>
  /**
   * Ends a subscription immediately. With `refund`, also refunds its last payment, even when it has already ended.
   * Idempotent.
   * @throws BillingError
   */
  readonly endSubscription: (request: {
    readonly subscriptionId: string
    readonly refund: boolean
  }) => Promise<void>
  /** Lists a customer's invoices, newest first, at most 24. @throws BillingError */
  readonly listInvoices: (customerId: string) => Promise<readonly BillingInvoice[]>
  /** Returns the card that will be charged; null when there is none. @throws BillingError */
  readonly findCard: (customerId: string) => Promise<BillingCard | null>
  /** Parses a request to our billing webhook; null when its signature is invalid or it is about a connected account. */
  readonly readWebhook: (request: Pick<WebhookRequest, 'headers' | 'rawBody'>) => Promise<BillingEvent | null>
}

/**
 * `refused`: the provider rejected the request. `unavailable`: no response, but the request may have been executed.
 * `customer_gone`: the customer was deleted at the provider.
 */
export type BillingErrorKind = 'refused' | 'unavailable' | 'customer_gone'

export class BillingError extends Error {
  readonly kind: BillingErrorKind

  constructor(kind: BillingErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BillingError'
    this.kind = kind
  }
}
