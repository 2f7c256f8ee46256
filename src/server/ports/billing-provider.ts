import type { BoughtTier, SubscriptionStatus } from '#core/plan/decide-plan.ts'
import type { WebhookRequest } from './payment-provider.ts'

/** A subscription as the provider has it at this moment. */
export type ProviderSubscription = {
  readonly id: string
  readonly customerId: string
  /** The owner it was bought for, as we told the provider; null when somebody made it by hand. */
  readonly ownerId: string | null
  readonly status: SubscriptionStatus
  readonly priceId: string
  /** What a period costs, in minor units of `currency`. */
  readonly amountCents: number
  /** ISO 4217, lower case. */
  readonly currency: string
  readonly createdAt: Date
  readonly periodEndsAt: Date
  /** It is not renewed after this moment; null when it goes on. */
  readonly cancelsAt: Date | null
  /** It has ended; null while it runs. */
  readonly endedAt: Date | null
  /** It ended because payments failed, not because somebody ended it. */
  readonly hasFailedForGood: boolean
  /** The price that follows at the end of the period; null when it stays. */
  readonly nextPriceId: string | null
}

export type BillingPrice = {
  readonly tier: BoughtTier
  readonly priceId: string
  readonly amountCents: number
  readonly currency: string
}

export type BillingInvoice = {
  readonly id: string
  /** As it stands on the invoice; null for one that is not finished. */
  readonly number: string | null
  readonly issuedAt: Date
  readonly amountCents: number
  readonly currency: string
  readonly status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  /** The page of the invoice at the provider; null when there is none. */
  readonly url: string | null
}

/** The card that pays the next invoice. */
export type BillingCard = {
  readonly brand: string
  readonly last4: string
  /** 1 to 12. */
  readonly expiryMonth: number
  readonly expiryYear: number
}

export type BillingCheckoutRequest = {
  readonly customerId: string
  readonly ownerId: string
  readonly priceId: string
  readonly successUrl: string
  readonly cancelUrl: string
  /** Two requests with the same key make one checkout at the provider. */
  readonly key: string
}

/** Which page of the portal opens first. `change` asks the owner to confirm the given price. */
export type PortalPage =
  | { readonly kind: 'home' }
  | { readonly kind: 'card' }
  | { readonly kind: 'cancel'; readonly subscriptionId: string }
  | { readonly kind: 'change'; readonly subscriptionId: string; readonly priceId: string }

/**
 * An event of the provider, with its signature checked. It is a hint that something changed for a customer; the provider is asked
 * how things stand. Source: rule S10.
 */
export type BillingEvent = {
  readonly id: string
  readonly type: string
  /** Null when it is about no customer. */
  readonly customerId: string | null
}

/** The provider that sells the plans of the installation, with the operator's own account. */
export type BillingProvider = {
  /** Whether no real money moves: a stand-in, or the provider's test mode. */
  readonly isSandbox: () => boolean
  /**
   * The prices of the plans for sale.
   * @throws BillingError
   */
  readonly listPrices: () => Promise<readonly BillingPrice[]>
  /** The plan of a price of the provider; null for a price that the settings do not name. */
  readonly tierOf: (priceId: string) => BoughtTier | null
  /**
   * Two requests for one owner make one customer.
   * @throws BillingError
   */
  readonly createCustomer: (request: {
    readonly ownerId: string
    readonly email: string
    readonly name: string
  }) => Promise<{ readonly customerId: string }>
  /** @throws BillingError */
  readonly changeEmail: (request: { readonly customerId: string; readonly email: string }) => Promise<void>
  /**
   * Every subscription of a customer, also ended ones, the newest first.
   * @throws BillingError `customer_gone` when the customer was deleted there
   */
  readonly listSubscriptions: (customerId: string) => Promise<readonly ProviderSubscription[]>
  /** Every subscription of the installation that runs, for the comparison of rule S10. @throws BillingError */
  readonly listAllSubscriptions: () => AsyncIterable<ProviderSubscription>
  /** @throws BillingError */
  readonly createCheckout: (request: BillingCheckoutRequest) => Promise<{ readonly url: string }>
  /** Ends the checkouts of a customer that nobody has paid yet. @throws BillingError */
  readonly endOpenCheckouts: (customerId: string) => Promise<void>
  /** @throws BillingError */
  readonly createPortal: (request: {
    readonly customerId: string
    readonly returnUrl: string
    readonly page: PortalPage
  }) => Promise<{ readonly url: string }>
  /**
   * Ends a subscription at once. With `refund` its last payment goes back, too, also when it has ended already. Asking again changes
   * nothing: the money goes back once.
   * @throws BillingError
   */
  readonly endSubscription: (request: {
    readonly subscriptionId: string
    readonly refund: boolean
  }) => Promise<void>
  /** The newest first, at most 24. @throws BillingError */
  readonly listInvoices: (customerId: string) => Promise<readonly BillingInvoice[]>
  /** Null when there is none. @throws BillingError */
  readonly findCard: (customerId: string) => Promise<BillingCard | null>
  /** The event of a request at our billing endpoint; null when its signature is wrong or it is about a connected account. */
  readonly readWebhook: (request: Pick<WebhookRequest, 'headers' | 'rawBody'>) => Promise<BillingEvent | null>
}

/** `refused`: it will not do this. `unavailable`: it did not answer, and may have done it. `customer_gone`: it was deleted there. */
export type BillingErrorKind = 'refused' | 'unavailable' | 'customer_gone'

export class BillingError extends Error {
  readonly kind: BillingErrorKind

  constructor(kind: BillingErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BillingError'
    this.kind = kind
  }
}
