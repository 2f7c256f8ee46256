import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Clock } from '#server/platform/clock.ts'
import {
  type CheckoutRequest,
  type CheckoutState,
  type PaymentAccount,
  type PaymentProvider,
  PaymentProviderError,
  type ProviderCheckout,
  type WebhookRequest,
} from '#server/ports/payment-provider.ts'

/** Actions of people at the provider itself. At a sandbox, a program can perform them. */
export type PaymentProviderActions = {
  /** Returns the URL to which the owner is redirected afterwards. */
  readonly allow: (connectUrl: string) => Promise<URL>
  readonly cancel: (connectUrl: string) => Promise<URL>
  readonly pay: (checkout: ProviderCheckout) => Promise<void>
  readonly decline: (checkout: ProviderCheckout) => Promise<void>
  /** Pays with a method that the provider takes time to process. */
  readonly payLater: (checkout: ProviderCheckout) => Promise<void>
  readonly refundInDashboard: (checkout: ProviderCheckout, amountCents: number) => Promise<void>
  /**
   * Email addresses of customers whose checkout the provider cannot create right now (`unavailable`) or never creates
   * (`refused`).
   */
  readonly customerEmails: { readonly unavailable: string; readonly refused: string }
  /** Returns the message about this checkout that our webhook received. */
  readonly getWebhook: (checkout: ProviderCheckout) => Promise<WebhookRequest>
  /** Moves the provider's clock forward. */
  readonly wait: (ms: number) => void
}

export type PaymentProviderUnderTest = {
  readonly provider: PaymentProvider
  readonly account: PaymentAccount
  readonly now: Clock
  /** True when the provider can end a checkout; otherwise it can only report the checkout's state. */
  readonly canEnd: boolean
  /** Null where only a person with a browser can act. */
  readonly people: PaymentProviderActions | null
  readonly stop: () => Promise<void>
}

const REDIRECT_URI = 'http://localhost:3000/connect-callback'
const WEBHOOK_URL = 'http://localhost:3000/api/webhooks/provider'

/** Tests that every payment provider has to pass. `hasPeople`: true when a program can act as the people at the provider. */
export function testPaymentProviderContract(
  start: () => Promise<PaymentProviderUnderTest>,
  { hasPeople }: { readonly hasPeople: boolean },
): void {
  let under: PaymentProviderUnderTest
  beforeAll(async () => {
    under = await start()
  })
  afterAll(() => under.stop())

  const create = (changes: Partial<CheckoutRequest> = {}) =>
    under.provider.createCheckout(makeCheckoutRequest(under, changes))
  const find = ({ id }: ProviderCheckout) => under.provider.findCheckout(under.account, id)

  test('asked at once and again for one transaction, it makes one checkout, which is open', async () => {
    const request = makeCheckoutRequest(under)
    const both = await Promise.all([
      under.provider.createCheckout(request),
      under.provider.createCheckout(request),
    ])
    const third = await under.provider.createCheckout(request)
    expect(new Set([...both, third].map(({ id }) => id)).size).toBe(1)
    expect(third.url).toMatch(/^https?:/)
    expect(await find(third)).toEqual({ status: 'open' })
  })

  test('a checkout that is ended stays as it is when it is ended again', async () => {
    const checkout = await create()
    const after: CheckoutState = { status: under.canEnd ? 'ended' : 'open' }
    expect(await under.provider.endCheckout(under.account, checkout.id)).toEqual(after)
    expect(await under.provider.endCheckout(under.account, checkout.id)).toEqual(after)
    expect(await find(checkout)).toEqual(after)
  })

  test('a checkout that does not exist is refused', async () => {
    const error = await catchProviderError(find({ id: 'cs_test_of_nobody', url: '' }))
    expect(error).toMatchObject({ kind: 'refused', message: expect.stringMatching(/\S/) })
  })

  test('money of a checkout that nobody paid is not given back', async () => {
    const checkout = await create()
    expect(await catchProviderError(refund(under, checkout.id, 4_000))).toMatchObject({ kind: 'refused' })
  })

  test('a message without a signature is nobody’s', async () => {
    const rawBody = Buffer.from('{"id":"evt_1","object":"event","type":"checkout.session.completed"}')
    expect(await under.provider.readWebhook({ headers: {}, rawBody, account: under.account })).toBeNull()
  })

  if (!hasPeople) return
  const people = (): PaymentProviderActions => {
    if (under.people === null) throw new Error('nobody is there')
    return under.people
  }
  /** Pays, and captures the payment where the provider leaves that to us. */
  const pay = async (transactionId = randomUUID()) => {
    const checkout = await create({ transactionId })
    await people().pay(checkout)
    const state = await find(checkout)
    if (state.status !== 'approved') return { checkout, state }
    return {
      checkout,
      state: await under.provider.captureCheckout(under.account, checkout.id, transactionId),
    }
  }

  describe('an owner', () => {
    const connectUrl = (state: string) =>
      under.provider.buildConnectUrl({ state, redirectUri: REDIRECT_URI, app: under.account.app })
    const connect = (code: string) =>
      under.provider.connect({
        code,
        redirectUri: REDIRECT_URI,
        app: under.account.app,
        webhookUrl: WEBHOOK_URL,
      })

    test('who allows access comes back with the state and a code that is good once', async () => {
      const back = await people().allow(connectUrl('a state & more'))
      expect(`${back.origin}${back.pathname}`).toBe(REDIRECT_URI)
      expect(back.searchParams.get('state')).toBe('a state & more')
      const code = back.searchParams.get('code') ?? ''
      expect(await connect(code)).toMatchObject({ accountId: expect.stringMatching(/\S/) })
      expect(await catchProviderError(connect(code))).toMatchObject({ kind: 'refused' })
    })

    test('who cancels comes back with the state and no code', async () => {
      const back = await people().cancel(connectUrl('the state'))
      expect(back.searchParams.get('state')).toBe('the state')
      expect(back.searchParams.get('code')).toBeNull()
      expect(back.searchParams.get('error')).not.toBeNull()
    })

    test('can be cut off twice', async () => {
      const back = await people().allow(connectUrl('the state'))
      const { accountId, webhookId } = await connect(back.searchParams.get('code') ?? '')
      const { app } = under.account
      const account = { accountId, app: app === null ? null : { ...app, webhookId } }
      await under.provider.disconnect(account)
      await under.provider.disconnect(account)
    })
  })

  test('a paid checkout says what was paid to whom, and is not ended any more', async () => {
    const { checkout, state } = await pay()
    const paid = {
      status: 'paid',
      paymentId: expect.stringMatching(/\S/),
      amountCents: 4_000,
      currency: 'eur',
      accountId: under.account.accountId,
      refundedCents: 0,
      hasFailedRefund: false,
    }
    expect(state).toEqual(paid)
    expect(await under.provider.endCheckout(under.account, checkout.id)).toEqual(paid)
  })

  test('a declined customer can try again', async () => {
    const checkout = await create()
    await people().decline(checkout)
    expect(await find(checkout)).toEqual({ status: 'open' })
  })

  test('a payment under way is neither paid nor ended', async () => {
    const checkout = await create()
    await people().payLater(checkout)
    expect(await under.provider.endCheckout(under.account, checkout.id)).toEqual({ status: 'processing' })
  })

  test('a refund asked for twice at once and again is made once', async () => {
    const { checkout, state } = await pay()
    const ask = () => refund(under, paymentIdOf(state), 4_000)
    const [first, second] = await Promise.all([ask(), ask()])
    expect(first).toEqual({ refundId: expect.stringMatching(/\S/), status: 'refunded' })
    expect([second, await ask()]).toEqual([first, first])
    expect(await find(checkout)).toMatchObject({ status: 'paid', refundedCents: 4_000 })
  })

  test('what went back in the provider’s dashboard is seen, and a refund gives back what is left', async () => {
    const { checkout, state } = await pay()
    await people().refundInDashboard(checkout, 1_500)
    expect(await find(checkout)).toMatchObject({ refundedCents: 1_500 })
    await people().refundInDashboard(checkout, 1_000)
    expect(await refund(under, paymentIdOf(state), 4_000)).toMatchObject({ status: 'refunded' })
    expect(await find(checkout)).toMatchObject({ refundedCents: 4_000 })
    expect(await catchProviderError(refund(under, paymentIdOf(state), 4_001))).toMatchObject({
      kind: 'refused',
    })
  })

  test('its message names the checkout or the payment; altered or older than 300 s it is nobody’s', async () => {
    const { checkout, state } = await pay()
    const message = await people().getWebhook(checkout)
    const event = await under.provider.readWebhook(message)
    expect(event?.id).toMatch(/\S/)
    expect([
      { kind: 'checkout', checkoutId: checkout.id },
      { kind: 'payment', paymentId: paymentIdOf(state) },
    ]).toContainEqual(event?.about)
    const altered = Buffer.from(message.rawBody.toString().replace('{', '{ '))
    expect(await under.provider.readWebhook({ ...message, rawBody: altered })).toBeNull()
    people().wait(301_000)
    expect(await under.provider.readWebhook(message)).toBeNull()
  })

  test.each(['unavailable', 'refused'] as const)('a checkout that is %s is told so', async (kind) => {
    const failed = await catchProviderError(create({ customerEmail: people().customerEmails[kind] }))
    expect(failed).toMatchObject({ kind, message: expect.stringMatching(/\S/) })
  })
}

/** Makes a request for a checkout of 40 euros that starts now. */
export function makeCheckoutRequest(
  { account, now }: Pick<PaymentProviderUnderTest, 'account' | 'now'>,
  changes: Partial<CheckoutRequest> = {},
): CheckoutRequest {
  return {
    account,
    transactionId: randomUUID(),
    beganAtMs: now(),
    calendarId: randomUUID(),
    appointmentId: randomUUID(),
    amountCents: 4_000,
    currency: 'eur',
    description: 'Consultation, Jan 4, 9:00 AM',
    stripePriceId: null,
    customerEmail: 'grace@example.com',
    successUrl: 'http://localhost:3000/payment-success?session={CHECKOUT_SESSION_ID}',
    cancelUrl: 'http://localhost:3000/payment-cancelled',
    ...changes,
  }
}

/** Returns the PaymentProviderError that a call failed with. */
export async function catchProviderError(work: Promise<unknown>): Promise<PaymentProviderError> {
  const error: unknown = await work.then(
    () => null,
    (reason) => reason,
  )
  if (error instanceof PaymentProviderError) return error
  throw new Error('it did not fail as a provider does', { cause: error })
}

export function paymentIdOf(state: CheckoutState): string {
  if (state.status !== 'paid') throw new Error(`it is ${state.status}`)
  return state.paymentId
}

/** Refunds a payment. Every payment here has its own transaction. */
function refund({ provider, account }: PaymentProviderUnderTest, paymentId: string, amountCents: number) {
  return provider.refund({ account, transactionId: paymentId, paymentId, amountCents, currency: 'eur' })
}
