/** Providers through which owners accept payments. */
export type PaymentProviderName = 'stripe' | 'paypal'

/** The owner's own app at PayPal, which we need because we have no platform account there. */
export type PaymentProviderApp = {
  readonly clientId: string
  readonly clientSecret: string
  readonly mode: 'sandbox' | 'live'
  /** The id of the webhook that was created when the account was connected; null before. */
  readonly webhookId: string | null
}

/** The account that receives the payment. */
export type PaymentAccount = {
  /** The account's id: `acct_…` at Stripe, the merchant id at PayPal. */
  readonly accountId: string
  /** The owner's own app; null when the product's keys act for the account. */
  readonly app: PaymentProviderApp | null
}

export type ConnectRequest = {
  /** The random OAuth state, returned in the callback. */
  readonly state: string
  /** Callback URL after the provider's consent page. */
  readonly redirectUri: string
  readonly app: PaymentProviderApp | null
}

export type ConnectedAccount = {
  readonly accountId: string
  readonly email: string | null
  /** The id of the webhook that was created for this account (PayPal only). */
  readonly webhookId: string | null
}

export type CheckoutRequest = {
  readonly account: PaymentAccount
  /** The id of our transaction. It is also the idempotency key: two requests with the same id create one checkout. */
  readonly transactionId: string
  /** When the transaction began, in epoch milliseconds. Retries must send the same value, or Stripe rejects them. */
  readonly beganAtMs: number
  readonly calendarId: string
  readonly appointmentId: string
  /** The amount in minor units of `currency`. */
  readonly amountCents: number
  /** The currency as an ISO 4217 code in lower case. */
  readonly currency: string
  /** The description of the purchase that the customer sees. */
  readonly description: string
  /** The id of the Stripe price that the owner entered for this appointment type; its amount must match. */
  readonly stripePriceId: string | null
  readonly customerEmail: string
  /** URL to which the provider redirects the customer afterwards. Stripe fills in `{CHECKOUT_SESSION_ID}`. */
  readonly successUrl: string
  readonly cancelUrl: string
}

export type ProviderCheckout = { readonly id: string; readonly url: string }

/** The current state of a checkout at the provider. */
export type CheckoutState =
  /** The customer has not paid yet. */
  | { readonly status: 'open' }
  /** The customer has paid, but the provider is still processing: Stripe `processing`, `requires_action`. */
  | { readonly status: 'processing' }
  /** The customer has agreed to pay, and we must capture the payment (PayPal `APPROVED`). */
  | { readonly status: 'approved' }
  | {
      readonly status: 'paid'
      readonly paymentId: string
      readonly amountCents: number
      readonly currency: string
      readonly accountId: string
      /** The amount refunded so far, in minor units. */
      readonly refundedCents: number
      /** True when a refund failed, so that its amount is back in the owner's account. */
      readonly hasFailedRefund: boolean
    }
  /** The checkout can no longer be paid. */
  | { readonly status: 'ended' }

/**
 * A request to refund `amountCents` in total. Earlier refunds of the payment, whoever made them, count towards that
 * total.
 */
export type ProviderRefundRequest = {
  readonly account: PaymentAccount
  /** Idempotency key: two requests with the same id and amount refund the money once. */
  readonly transactionId: string
  readonly paymentId: string
  readonly amountCents: number
  readonly currency: string
}

/** A refund that the provider has accepted. `pending` means that the money is on its way. */
export type PaymentProviderRefund = { readonly refundId: string; readonly status: 'refunded' | 'pending' }

/**
 * A webhook event with a verified signature. It is only a hint: we then fetch the current state from the provider.
 * Source: rule P4.
 */
export type PaymentProviderEvent = {
  readonly id: string
  readonly type: string
  /** The object that the event is about, if it is one of ours. */
  readonly about:
    | { readonly kind: 'checkout'; readonly checkoutId: string }
    | { readonly kind: 'payment'; readonly paymentId: string }
    /**
     * The account was disconnected, by the owner at the provider or by us. The time is in epoch milliseconds: a
     * connection made after it is not affected.
     */
    | { readonly kind: 'account_gone'; readonly accountId: string; readonly occurredAtMs: number }
    | { readonly kind: 'nothing' }
}

export type WebhookRequest = {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The raw request body. */
  readonly rawBody: Buffer
  /** The account to which the webhook belongs, for providers with one webhook per owner (PayPal). */
  readonly account: PaymentAccount | null
}

export type PaymentErrorKind = 'refused' | 'unavailable' | 'in_progress'

/**
 * A provider call failed. `refused`: a final decision; retrying changes nothing. `unavailable`: time-out, 5xx, 429 or
 * no connection; safe to retry with the same transaction. `in_progress`: a concurrent identical request will get the
 * result. `message` is the provider's text and can be shown to the owner; it never contains a secret.
 */
export class PaymentProviderError extends Error {
  readonly kind: PaymentErrorKind
  /**
   * True when we can no longer act for the account: access was revoked, or its keys are invalid. The owner can still
   * act at the provider.
   */
  readonly isAccountGone: boolean
  constructor(
    kind: PaymentErrorKind,
    message: string,
    { isAccountGone = false, ...options }: ErrorOptions & { readonly isAccountGone?: boolean } = {},
  ) {
    super(message, options)
    this.name = 'PaymentProviderError'
    this.kind = kind
    this.isAccountGone = isAccountGone
  }
}

/**
 * Port for payment providers. Every call except `buildConnectUrl` can take seconds and rejects with a PaymentProviderError;
 * never call them inside a transaction.
 */
export type PaymentProvider = {
  /** True when no real money moves, because a stand-in or the provider's test mode is used. */
  isSandbox(app: Pick<PaymentProviderApp, 'mode'> | null): boolean
  /** Returns the URL at which the owner connects an account. */
  buildConnectUrl(request: ConnectRequest): string
  /** Exchanges the callback's code for an account. */
  connect(
    request: Omit<ConnectRequest, 'state'> & { readonly code: string; readonly webhookUrl: string },
  ): Promise<ConnectedAccount>
  /**
   * Finds or creates a webhook of a connected app for another calendar, and returns its id. Idempotent. The function is null for
   * providers with one webhook for all accounts.
   */
  readonly addWebhook: ((app: PaymentProviderApp, webhookUrl: string) => Promise<string>) | null
  /** Disconnects the account at the provider too. An account that no longer exists counts as disconnected. */
  disconnect(account: PaymentAccount): Promise<void>
  createCheckout(request: CheckoutRequest): Promise<ProviderCheckout>
  findCheckout(account: PaymentAccount, checkoutId: string): Promise<CheckoutState>
  /** Expires an open checkout, if the provider supports it; returns its state afterwards. */
  endCheckout(account: PaymentAccount, checkoutId: string): Promise<CheckoutState>
  /** Captures the payment of an approved checkout, once per transaction; returns its state afterwards. */
  captureCheckout(account: PaymentAccount, checkoutId: string, transactionId: string): Promise<CheckoutState>
  refund(request: ProviderRefundRequest): Promise<PaymentProviderRefund>
  /**
   * Parses a webhook without asking the provider whether it is authentic, so it costs no request. Returns null when the
   * webhook cannot be authentic. The function is null for providers whose webhooks `readWebhook` verifies without a
   * request.
   */
  readonly peekWebhook: ((request: WebhookRequest) => PaymentProviderEvent | null) | null
  /**
   * Parses a webhook; null when its signature is invalid or older than 300 s. For PayPal, this asks PayPal whether the
   * webhook is authentic. If PayPal does not respond, it throws `unavailable`, so that the webhook is refused and sent
   * again.
   */
  readWebhook(request: WebhookRequest): Promise<PaymentProviderEvent | null>
}

/** The providers configured for this installation, or their stand-ins. */
export type PaymentProviders = Readonly<Partial<Record<PaymentProviderName, PaymentProvider>>>
