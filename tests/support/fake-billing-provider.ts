import { DAY_MS } from '#core/shared/duration.ts'
import {
  type BillingCard,
  type BillingCheckoutRequest,
  BillingError,
  type BillingEvent,
  type BillingInvoice,
  type BillingProvider,
  type ProviderSubscription,
} from '#server/ports/billing-provider.ts'

type Call = Exclude<keyof BillingProvider, 'isSandbox' | 'tierOf'>

type FakeCheckout = { readonly request: BillingCheckoutRequest; readonly url: string; isOpen: boolean }

/** A fake billing provider in memory. Tests set its data, and when it responds and when it does not. */
export type FakeBilling = BillingProvider & {
  /** The calls received so far, oldest first. */
  readonly calls: Call[]
  readonly customers: Map<string, { readonly ownerId: string; email: string; isGone: boolean }>
  readonly subscriptions: Map<string, ProviderSubscription>
  readonly checkouts: FakeCheckout[]
  /** The portal pages opened so far. */
  readonly portals: Parameters<BillingProvider['createPortal']>[0][]
  /** The ids of subscriptions whose payment was refunded. */
  readonly refunds: Set<string>
  readonly invoices: Map<string, BillingInvoice[]>
  readonly cards: Map<string, BillingCard>
  /** Returns the owner's customer id; creates the customer if there is none. */
  readonly customerOf: (ownerId: string) => string
  /** The owner pays a checkout, which starts a subscription. Returns the subscription's id. */
  readonly pay: (url: string) => string
  /** Changes some fields of a subscription. */
  readonly change: (subscriptionId: string, change: Partial<ProviderSubscription>) => void
  /** Every call fails as unavailable until `answer` is called. */
  readonly fallSilent: () => void
  readonly answer: () => void
  /** The next response to this call has the data of this moment, but arrives only after `until`. */
  readonly answerLate: (call: Call, until: Promise<unknown>) => void
  /** Builds the webhook request that the provider sends about a customer. */
  readonly toEvent: (event: Partial<BillingEvent>) => { headers: Record<string, string>; payload: string }
}

export const FAKE_PRICE_IDS = { professional: 'price_professional', business: 'price_business' } as const
const AMOUNTS = { professional: 999, business: 1_999 } as const
/** The signature header of a valid event. */
const SIGNED = 'signed'

export function makeFakeBilling(now: () => number): FakeBilling {
  const calls: Call[] = []
  const customers: FakeBilling['customers'] = new Map()
  const subscriptions: FakeBilling['subscriptions'] = new Map()
  const checkouts: FakeCheckout[] = []
  const portals: FakeBilling['portals'] = []
  const refunds = new Set<string>()
  const invoices: FakeBilling['invoices'] = new Map()
  const cards: FakeBilling['cards'] = new Map()
  const late = new Map<Call, Promise<unknown>>()
  let isSilent = false
  let made = 0
  const nameNext = (kind: string) => {
    made += 1
    return `${kind}_${String(made).padStart(6, '0')}`
  }

  /**
   * Handles every call. Builds the response before the delay, because a real response in transit is also older than its arrival.
   */
  const ask = async <Answer>(call: Call, toAnswer: () => Answer): Promise<Answer> => {
    calls.push(call)
    if (isSilent) throw new BillingError('unavailable', 'The provider did not answer.')
    const answer = toAnswer()
    const until = late.get(call)
    late.delete(call)
    await until
    return answer
  }
  const refuseGone = (customerId: string) => {
    const customer = customers.get(customerId)
    if (customer === undefined || customer.isGone) throw new BillingError('customer_gone', 'No such customer')
    return customer
  }
  const makeCustomer = (ownerId: string, email: string) => {
    const known = [...customers].find(([, one]) => one.ownerId === ownerId && !one.isGone)
    if (known !== undefined) return known[0]
    const customerId = nameNext('cus')
    customers.set(customerId, { ownerId, email, isGone: false })
    return customerId
  }
  const change: FakeBilling['change'] = (id, changes) => {
    const before = subscriptions.get(id)
    if (before === undefined) throw new Error(`there is no subscription ${id}`)
    subscriptions.set(id, { ...before, ...changes })
  }
  const tierOf: BillingProvider['tierOf'] = (priceId) =>
    priceId === FAKE_PRICE_IDS.professional
      ? 'professional'
      : priceId === FAKE_PRICE_IDS.business
        ? 'business'
        : null

  return {
    calls,
    customers,
    subscriptions,
    checkouts,
    portals,
    refunds,
    invoices,
    cards,
    change,
    tierOf,
    customerOf: (ownerId) => makeCustomer(ownerId, `${ownerId}@example.com`),
    pay(url) {
      const checkout = checkouts.find((one) => one.url === url)
      if (checkout === undefined || !checkout.isOpen) throw new Error('this checkout is not open any more')
      checkout.isOpen = false
      const { customerId, ownerId, priceId } = checkout.request
      const id = nameNext('sub')
      const tier = tierOf(priceId)
      subscriptions.set(id, {
        id,
        customerId,
        ownerId,
        status: 'active',
        priceId,
        amountCents: tier === null ? 500 : AMOUNTS[tier],
        currency: 'eur',
        createdAt: new Date(now()),
        periodEndsAt: new Date(now() + 31 * DAY_MS),
        cancelsAt: null,
        endedAt: null,
        hasFailedForGood: false,
        nextPriceId: null,
      })
      return id
    },
    fallSilent: () => {
      isSilent = true
    },
    answer: () => {
      isSilent = false
    },
    answerLate: (call, until) => {
      late.set(call, until)
    },
    toEvent: (event) => ({
      headers: { 'stripe-signature': SIGNED, 'content-type': 'application/json' },
      payload: JSON.stringify({
        id: nameNext('evt'),
        type: 'customer.subscription.updated',
        customerId: null,
        ...event,
      }),
    }),
    isSandbox: () => true,
    listPrices: () =>
      ask('listPrices', () =>
        (['professional', 'business'] as const).map((tier) => ({
          tier,
          priceId: FAKE_PRICE_IDS[tier],
          amountCents: AMOUNTS[tier],
          currency: 'eur',
        })),
      ),
    createCustomer: ({ ownerId, email }) =>
      ask('createCustomer', () => ({ customerId: makeCustomer(ownerId, email) })),
    changeEmail: ({ customerId, email }) =>
      ask('changeEmail', () => {
        refuseGone(customerId).email = email
      }),
    listSubscriptions: (customerId) =>
      ask('listSubscriptions', () => {
        refuseGone(customerId)
        return [...subscriptions.values()].filter((one) => one.customerId === customerId).reverse()
      }),
    async *listAllSubscriptions() {
      const running = await ask('listAllSubscriptions', () =>
        [...subscriptions.values()].filter(
          ({ status }) => !['canceled', 'incomplete', 'incomplete_expired'].includes(status),
        ),
      )
      yield* running
    },
    createCheckout: (request) =>
      ask('createCheckout', () => {
        refuseGone(request.customerId)
        const known = checkouts.find((one) => one.request.key === request.key)
        if (known !== undefined) return { url: known.url }
        const checkout = { request, url: `https://pay.example/${nameNext('cs')}`, isOpen: true }
        checkouts.push(checkout)
        return { url: checkout.url }
      }),
    endOpenCheckouts: (customerId) =>
      ask('endOpenCheckouts', () => {
        refuseGone(customerId)
        for (const one of checkouts) if (one.request.customerId === customerId) one.isOpen = false
      }),
    createPortal: (request) =>
      ask('createPortal', () => {
        refuseGone(request.customerId)
        portals.push(request)
        return { url: `https://portal.example/${request.customerId}/${request.page.kind}` }
      }),
    endSubscription: ({ subscriptionId, refund }) =>
      ask('endSubscription', () => {
        const one = subscriptions.get(subscriptionId)
        if (one === undefined) throw new BillingError('refused', 'No such subscription')
        if (refund) refunds.add(subscriptionId)
        if (one.endedAt === null) change(subscriptionId, { status: 'canceled', endedAt: new Date(now()) })
      }),
    listInvoices: (customerId) =>
      ask('listInvoices', () => {
        refuseGone(customerId)
        return invoices.get(customerId) ?? []
      }),
    findCard: (customerId) => ask('findCard', () => cards.get(customerId) ?? null),
    readWebhook: async ({ headers, rawBody }) => {
      calls.push('readWebhook')
      if (headers['stripe-signature'] !== SIGNED) return null
      const event = JSON.parse(rawBody.toString()) as BillingEvent & { account?: string } // written by `toEvent`
      return event.account === undefined ? event : null
    },
  }
}
