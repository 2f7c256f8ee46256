/** The providers that take payments for owners. */
export type ProviderName = 'stripe' | 'paypal'

/** The owner's own app at a provider where we have no platform: PayPal. */
export type ProviderApp = {
  readonly clientId: string
  readonly clientSecret: string
  readonly mode: 'sandbox' | 'live'
  /** The webhook that was created when the account was connected; null before. */
  readonly webhookId: string | null
}

/** The account that receives the money. */
export type PaymentAccount = {
  /** Stripe `acct_…`, PayPal merchant id. */
  readonly accountId: string
  /** Null where the product's own keys act for the account. */
  readonly app: ProviderApp | null
}

export type ConnectRequest = {
  /** It comes back with the owner; nobody else can know it. */
  readonly state: string
  /** Where the provider sends the owner back to. */
  readonly redirectUri: string
  readonly app: ProviderApp | null
}

export type ConnectedAccount = {
  readonly accountId: string
  readonly email: string | null
  /** PayPal: the webhook that was made for this account. */
  readonly webhookId: string | null
}

export type CheckoutRequest = {
  readonly account: PaymentAccount
  /** Our transaction. Two requests with the same one make one checkout at the provider. */
  readonly transactionId: string
  /** When the transaction began (epoch). A repetition must not differ in anything, or Stripe refuses it. */
  readonly beganAtMs: number
  readonly calendarId: string
  readonly appointmentId: string
  /** Minor units of `currency`. */
  readonly amountCents: number
  /** ISO 4217, lower case. */
  readonly currency: string
  /** What is paid for, as the customer reads it. */
  readonly description: string
  /** A price at Stripe that the owner named for this type; it must be the same amount. */
  readonly stripePriceId: string | null
  readonly customerEmail: string
  /** Where the provider sends the customer afterwards. Stripe fills `{CHECKOUT_SESSION_ID}`. */
  readonly successUrl: string
  readonly cancelUrl: string
}

export type Checkout = { readonly id: string; readonly url: string }

/** The state of a checkout at the provider at this moment. */
export type CheckoutState =
  /** Nobody has paid yet. */
  | { readonly status: 'open' }
  /** The customer has paid, and the provider has not finished: Stripe `processing`, `requires_action`. */
  | { readonly status: 'processing' }
  /** PayPal `APPROVED`: the customer has agreed, and the money moves when we capture it. */
  | { readonly status: 'approved' }
  | {
      readonly status: 'paid'
      readonly paymentId: string
      readonly amountCents: number
      readonly currency: string
      readonly accountId: string
      /** What has gone back since, in minor units. */
      readonly refundedCents: number
      /** A refund was begun and failed: its money is with the owner again. */
      readonly hasFailedRefund: boolean
    }
  /** It can never be paid any more. */
  | { readonly status: 'ended' }

/** Money that is to go back: `amountCents` in all. What has gone back already, in any way, is part of it. */
export type ProviderRefundRequest = {
  readonly account: PaymentAccount
  /** The permanent key of the refund: two requests for the same amount return the money once. */
  readonly transactionId: string
  readonly paymentId: string
  readonly amountCents: number
  readonly currency: string
}

/** `pending`: the provider has accepted it and the money is on its way. */
export type ProviderRefund = { readonly refundId: string; readonly status: 'refunded' | 'pending' }

/**
 * An event of a provider, with its signature checked. It is a hint, not the truth: the provider is asked how things
 * stand. Source: rule P4.
 */
export type ProviderEvent = {
  readonly id: string
  readonly type: string
  /** What it is about, where it is about one of ours. */
  readonly about:
    | { readonly kind: 'checkout'; readonly checkoutId: string }
    | { readonly kind: 'payment'; readonly paymentId: string }
    /** The connection was cut, by the owner at the provider or by us; since then (epoch) there may be a new one. */
    | { readonly kind: 'account_gone'; readonly accountId: string; readonly occurredAtMs: number }
    | { readonly kind: 'nothing' }
}

export type WebhookRequest = {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Exactly the bytes that came. */
  readonly rawBody: Buffer
  /** Whose webhook it is, where each owner has one: PayPal. */
  readonly account: PaymentAccount | null
}

export type ProviderErrorKind = 'refused' | 'unavailable' | 'in_progress'

/**
 * A provider refused, or could not be asked. `refused`: it has decided, and another try changes nothing. `unavailable`:
 * time-out, 5xx, 429 or no connection; with the same transaction it may be asked again. `in_progress`: somebody else
 * asks the same at this moment, and gets the answer. `message` is the provider's own and may be shown to the owner; it
 * never contains a secret.
 */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind
  /**
   * We can no longer act for the account: access was withdrawn, or its keys do not work. Its owner can still act there.
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
 * A payment provider in our words. Every call but `buildConnectUrl` may take seconds and rejects with a ProviderError;
 * none is made between BEGIN and COMMIT.
 */
export type PaymentProvider = {
  /** Whether no real money moves: a stand-in on a developer's machine, or the provider's own test mode. */
  isSandbox(app: Pick<ProviderApp, 'mode'> | null): boolean
  /** Where the owner's browser goes to connect an account. */
  buildConnectUrl(request: ConnectRequest): string
  /** Turns the code of the callback into an account. */
  connect(
    request: Omit<ConnectRequest, 'state'> & { readonly code: string; readonly webhookUrl: string },
  ): Promise<ConnectedAccount>
  /** Cuts the connection at the provider, too. An account that is gone already counts as cut. */
  disconnect(account: PaymentAccount): Promise<void>
  createCheckout(request: CheckoutRequest): Promise<Checkout>
  findCheckout(account: PaymentAccount, checkoutId: string): Promise<CheckoutState>
  /** Ends a checkout that is still open, where the provider can; returns its state afterwards. */
  endCheckout(account: PaymentAccount, checkoutId: string): Promise<CheckoutState>
  /** Moves the money of an approved checkout, once per transaction; returns its state afterwards. */
  captureCheckout(account: PaymentAccount, checkoutId: string, transactionId: string): Promise<CheckoutState>
  refund(request: ProviderRefundRequest): Promise<ProviderRefund>
  /**
   * The content of a message, before the provider is asked whether it is its own; null when it cannot be. It costs
   * nothing. The function itself is null where `readWebhook` asks nobody.
   */
  readonly peekWebhook: ((request: WebhookRequest) => ProviderEvent | null) | null
  /**
   * Null when the signature does not fit or is older than 300 s. PayPal is asked about its own: `unavailable` when it
   * did not answer, so that the message is refused and comes again.
   */
  readWebhook(request: WebhookRequest): Promise<ProviderEvent | null>
}

/** The providers that this installation has keys for, or stand-ins of them. */
export type PaymentProviders = Readonly<Partial<Record<ProviderName, PaymentProvider>>>
