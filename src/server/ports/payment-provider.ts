/** Providers through which owners accept payments. */
export type ProviderName = 'stripe' | 'paypal'

/** The owner's own app at PayPal, where we have no platform account. */
export type ProviderApp = {
  readonly clientId: string
  readonly clientSecret: string
  readonly mode: 'sandbox' | 'live'
  /** The webhook created when the account was connected; null before. */
  readonly webhookId: string | null
}

/** The account that receives the payment. */
export type PaymentAccount = {
  /** Stripe: `acct_…`. PayPal: merchant id. */
  readonly accountId: string
  /** Null when the product's own keys act for the account. */
  readonly app: ProviderApp | null
}

export type ConnectRequest = {
  /** Random OAuth state, returned in the callback. */
  readonly state: string
  /** Callback URL after the provider's consent page. */
  readonly redirectUri: string
  readonly app: ProviderApp | null
}

export type ConnectedAccount = {
  readonly accountId: string
  readonly email: string | null
  /** PayPal: the webhook created for this account. */
  readonly webhookId: string | null
}

export type CheckoutRequest = {
  readonly account: PaymentAccount
  /** Id of our transaction; also the idempotency key: two requests with the same id create one checkout. */
  readonly transactionId: string
  /** When the transaction began, in epoch milliseconds. Retries must be identical, or Stripe rejects them. */
  readonly beganAtMs: number
  readonly calendarId: string
  readonly appointmentId: string
  /** Minor units of `currency`. */
  readonly amountCents: number
  /** ISO 4217, lower case. */
  readonly currency: string
  /** What the payment is for, as shown to the customer. */
  readonly description: string
  /** The Stripe price that the owner entered for this type; its amount must match. */
  readonly stripePriceId: string | null
  readonly customerEmail: string
  /** Where the provider redirects the customer afterwards. Stripe fills in `{CHECKOUT_SESSION_ID}`. */
  readonly successUrl: string
  readonly cancelUrl: string
}

export type Checkout = { readonly id: string; readonly url: string }

/** Current state of a checkout at the provider. */
export type CheckoutState =
  /** Not paid yet. */
  | { readonly status: 'open' }
  /** The customer has paid, but the provider is still processing: Stripe `processing`, `requires_action`. */
  | { readonly status: 'processing' }
  /** PayPal `APPROVED`: the customer has agreed; we must capture the payment. */
  | { readonly status: 'approved' }
  | {
      readonly status: 'paid'
      readonly paymentId: string
      readonly amountCents: number
      readonly currency: string
      readonly accountId: string
      /** Amount refunded so far, in minor units. */
      readonly refundedCents: number
      /** A refund failed: its amount is back in the owner's account. */
      readonly hasFailedRefund: boolean
    }
  /** The checkout can no longer be paid. */
  | { readonly status: 'ended' }

/** A refund of `amountCents` in total; earlier refunds of the payment, however made, count towards it. */
export type ProviderRefundRequest = {
  readonly account: PaymentAccount
  /** Idempotency key: two requests with the same id and amount refund the money once. */
  readonly transactionId: string
  readonly paymentId: string
  readonly amountCents: number
  readonly currency: string
}

/** `pending`: the provider has accepted the refund, and the money is on its way. */
export type ProviderRefund = { readonly refundId: string; readonly status: 'refunded' | 'pending' }

/**
 * A webhook event with a verified signature. It is only a hint: we then fetch the current state from the provider.
 * Source: rule P4.
 */
export type ProviderEvent = {
  readonly id: string
  readonly type: string
  /** The object of the event, if it is one of ours. */
  readonly about:
    | { readonly kind: 'checkout'; readonly checkoutId: string }
    | { readonly kind: 'payment'; readonly paymentId: string }
    /**
     * The account was disconnected, by the owner at the provider or by us; a new connection may have been made after
     * this time (epoch milliseconds).
     */
    | { readonly kind: 'account_gone'; readonly accountId: string; readonly occurredAtMs: number }
    | { readonly kind: 'nothing' }
}

export type WebhookRequest = {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The raw request body. */
  readonly rawBody: Buffer
  /** The account of the webhook, when each owner has one (PayPal). */
  readonly account: PaymentAccount | null
}

export type ProviderErrorKind = 'refused' | 'unavailable' | 'in_progress'

/**
 * A provider call failed. `refused`: a final decision; retrying changes nothing. `unavailable`: time-out, 5xx, 429 or
 * no connection; safe to retry with the same transaction. `in_progress`: a concurrent identical request will get the
 * result. `message` is the provider's text and can be shown to the owner; it never contains a secret.
 */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind
  /**
   * True when we can no longer act for the account: access was revoked, or its keys are invalid. The owner can still
   * act at the provider.
   */
  readonly isAccountGone: boolean
  constructor(
    kind: ProviderErrorKind,
    message: string,
    { isAccountGone = false, ...options }: ErrorOptions & { readonly isAccountGone?: boolean } = {},
  ) {
    super(message, options)
    this.name = 'ProviderError'
    this.kind = kind
    this.isAccountGone = isAccountGone
  }
}

/**
 * Port for payment providers. Every call except `buildConnectUrl` can take seconds and rejects with a ProviderError;
 * never call them inside a transaction.
 */
export type PaymentProvider = {
  /** True when no real money moves: a stand-in in development, or the provider's test mode. */
  isSandbox(app: Pick<ProviderApp, 'mode'> | null): boolean
  /** Returns the URL at which the owner connects an account. */
  buildConnectUrl(request: ConnectRequest): string
  /** Exchanges the callback's code for an account. */
  connect(
    request: Omit<ConnectRequest, 'state'> & { readonly code: string; readonly webhookUrl: string },
  ): Promise<ConnectedAccount>
  /** Disconnects the account at the provider too. An account that is already gone counts as disconnected. */
  disconnect(account: PaymentAccount): Promise<void>
  createCheckout(request: CheckoutRequest): Promise<Checkout>
  findCheckout(account: PaymentAccount, checkoutId: string): Promise<CheckoutState>
  /** Expires an open checkout, if the provider supports it; returns its state afterwards. */
  endCheckout(account: PaymentAccount, checkoutId: string): Promise<CheckoutState>
  /** Captures the payment of an approved checkout, once per transaction; returns its state afterwards. */
  captureCheckout(account: PaymentAccount, checkoutId: string, transactionId: string): Promise<CheckoutState>
  refund(request: ProviderRefundRequest): Promise<ProviderRefund>
  /**
   * Parses a webhook without asking the provider whether it is authentic; null when it cannot be. Costs no request. The
   * function is null when `readWebhook` asks nobody.
   */
  readonly peekWebhook: ((request: WebhookRequest) => ProviderEvent | null) | null
  /**
   * Returns null when the signature is invalid or older than 300 s. PayPal must be asked whether its webhook is
   * authentic: throws `unavailable` when it does not answer, so that the webhook is refused and sent again.
   */
  readWebhook(request: WebhookRequest): Promise<ProviderEvent | null>
}

/** The providers configured for this installation, or their stand-ins. */
export type PaymentProviders = Readonly<Partial<Record<ProviderName, PaymentProvider>>>
