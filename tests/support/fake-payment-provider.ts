import {
  type CheckoutRequest,
  type CheckoutState,
  type PaymentAccount,
  type PaymentProvider,
  PaymentProviderError,
  type PaymentProviderEvent,
  type PaymentProviderName,
  type ProviderRefundRequest,
} from '#server/ports/payment-provider.ts'

type Call =
  | 'connect'
  | 'addWebhook'
  | 'disconnect'
  | 'createCheckout'
  | 'findCheckout'
  | 'endCheckout'
  | 'captureCheckout'
  | 'refund'
  | 'readWebhook'
type Paid = Extract<CheckoutState, { status: 'paid' }>

export type FakeProvider = PaymentProvider & {
  /** The calls received so far, oldest first. */
  readonly calls: Call[]
  readonly checkouts: Map<string, { readonly request: CheckoutRequest; state: CheckoutState }>
  /** The refunds that we requested, by transaction. */
  readonly refunds: Map<string, ProviderRefundRequest>
  /** The accounts that were disconnected. */
  readonly disconnected: PaymentAccount[]
  /** The customer pays. `paid` overrides what is received, where that differs from what was requested. */
  readonly pay: (checkoutId: string, paid?: Partial<Omit<Paid, 'status'>>) => void
  readonly set: (checkoutId: string, status: 'open' | 'processing' | 'approved' | 'ended') => void
  /** Somebody refunds money in the provider's own dashboard. */
  readonly refundInDashboard: (checkoutId: string, cents: number) => void
  /** `failNext` makes the next call of this kind fail; `delayNext` makes it wait for `until` first. */
  readonly failNext: (call: Call, error: PaymentProviderError) => void
  readonly delayNext: (call: Call, until: Promise<unknown>) => void
  /** Every call fails as unavailable until `answer` is called. */
  readonly fallSilent: () => void
  readonly answer: () => void
  /** The next response about a checkout has the state of this moment, but arrives only after `until`. */
  readonly answerLate: (until: Promise<unknown>) => void
  /** A refund that the provider had accepted fails later: the owner has the money again. */
  readonly failRefund: (checkoutId: string) => void
}

export const PROVIDER_UNAVAILABLE = new PaymentProviderError('unavailable', 'The provider did not answer.')
/** The owner has revoked our access. */
export const ACCOUNT_DISCONNECTED = new PaymentProviderError(
  'refused',
  'This account is no longer connected.',
  {
    isAccountGone: true,
  },
)
export const REFUND_REFUSED = new PaymentProviderError('refused', 'This card does not take refunds.')

/**
 * A fake payment provider in memory that fulfils the port's contract: each transaction has one checkout and one capture, and a
 * refund tops the refunded amount up to the requested total. With `endsOpen` false, it cannot end an open checkout, like PayPal.
 */
export function makeFakeProvider(
  name: PaymentProviderName,
  { endsOpen = name === 'stripe' } = {},
): FakeProvider {
  const checkouts: FakeProvider['checkouts'] = new Map()
  const refunds: FakeProvider['refunds'] = new Map()
  const disconnected: PaymentAccount[] = []
  const calls: Call[] = []
  const failures = new Map<Call, PaymentProviderError>()
  const delays = new Map<Call, Promise<unknown>>()
  let isSilent = false
  const lateAnswers: Promise<unknown>[] = []

  const called = async (call: Call) => {
    calls.push(call)
    const [delay, failure] = [delays.get(call), failures.get(call)]
    delays.delete(call)
    failures.delete(call)
    await delay
    if (failure !== undefined) throw failure
    if (isSilent) throw PROVIDER_UNAVAILABLE
  }
  const get = (id: string) => {
    const checkout = checkouts.get(id)
    if (checkout === undefined) throw new PaymentProviderError('refused', `There is no ${id}.`)
    return checkout
  }
  const pay: FakeProvider['pay'] = (id, paid = {}) => {
    const { request } = get(id)
    const { amountCents, currency, account } = request
    const agreed = { amountCents, currency, accountId: account.accountId }
    get(id).state = {
      status: 'paid',
      paymentId: `pay_${id}`,
      refundedCents: 0,
      hasFailedRefund: false,
      ...agreed,
      ...paid,
    }
  }
  const refundInDashboard: FakeProvider['refundInDashboard'] = (id, cents) => {
    const checkout = get(id)
    if (checkout.state.status !== 'paid') throw new Error(`${id} was not paid`)
    checkout.state = { ...checkout.state, refundedCents: checkout.state.refundedCents + cents }
  }
  const failRefund: FakeProvider['failRefund'] = (id) => {
    const checkout = get(id)
    if (checkout.state.status !== 'paid') throw new Error(`${id} was not paid`)
    checkout.state = { ...checkout.state, refundedCents: 0, hasFailedRefund: true }
  }

  return {
    calls,
    checkouts,
    refunds,
    disconnected,
    pay,
    refundInDashboard,
    set: (id, status) => {
      get(id).state = { status }
    },
    failNext: (call, error) => failures.set(call, error),
    delayNext: (call, until) => delays.set(call, until),
    fallSilent: () => {
      isSilent = true
    },
    answer: () => {
      isSilent = false
    },
    answerLate: (until) => lateAnswers.push(until),
    failRefund,
    // As with the real providers, each PayPal app has a mode, and the Stripe keys used here are live keys.
    isSandbox: (app) => app?.mode === 'sandbox',
    buildConnectUrl: ({ state, redirectUri }) =>
      `https://${name}.example/connect?${new URLSearchParams({ state, redirect_uri: redirectUri })}`,
    // The code names its account.
    async connect({ code, app, webhookUrl }) {
      await called('connect')
      return {
        accountId: `${name}-${code}`,
        email: app === null ? null : `${app.clientId}@example.com`,
        webhookId: app === null ? null : webhookUrl,
      }
    },
    addWebhook:
      name === 'stripe'
        ? null
        : async (_app, webhookUrl) => {
            await called('addWebhook')
            return webhookUrl
          },
    async disconnect(account) {
      await called('disconnect')
      disconnected.push(account)
    },
    async createCheckout(request) {
      await called('createCheckout')
      const id = `${name}_${request.transactionId}`
      if (!checkouts.has(id)) checkouts.set(id, { request, state: { status: 'open' } })
      return { id, url: `https://${name}.example/pay/${id}` }
    },
    async findCheckout(_payee, id) {
      await called('findCheckout')
      const { state } = get(id)
      await lateAnswers.shift()
      return state
    },
    async endCheckout(_payee, id) {
      await called('endCheckout')
      const checkout = get(id)
      if (endsOpen && checkout.state.status === 'open') checkout.state = { status: 'ended' }
      return checkout.state
    },
    async captureCheckout(_payee, id) {
      await called('captureCheckout')
      if (get(id).state.status === 'approved') pay(id)
      return get(id).state
    },
    async refund(request) {
      await called('refund')
      const [checkoutId] = [...checkouts.keys()].filter((id) => `pay_${id}` === request.paymentId)
      const state = checkoutId === undefined ? null : get(checkoutId).state
      const goneCents = state?.status === 'paid' ? state.refundedCents : 0
      if (checkoutId !== undefined && goneCents < request.amountCents) {
        refundInDashboard(checkoutId, request.amountCents - goneCents)
        refunds.set(request.transactionId, request)
      }
      return { refundId: `re_${request.transactionId}`, status: 'refunded' }
    },
    // PayPal is asked to verify its own messages; with Stripe we share a secret.
    peekWebhook:
      name === 'stripe'
        ? null
        : ({ headers, rawBody }) =>
            headers['x-signed'] === undefined
              ? null
              : (JSON.parse(rawBody.toString()) as PaymentProviderEvent),
    async readWebhook({ headers, rawBody }) {
      await called('readWebhook')
      // Signed events are written by the tests, so the body is an event.
      return headers['x-signed'] === 'yes' ? (JSON.parse(rawBody.toString()) as PaymentProviderEvent) : null
    },
  }
}
