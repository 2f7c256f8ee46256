import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import type { CheckoutRequest, ProviderCheckout } from '#server/ports/payment-provider.ts'
import {
  catchProviderError,
  makeCheckoutRequest,
  paymentIdOf,
  testPaymentProviderContract,
} from '#tests/ports/payment-provider.ts'
import { waitFor } from '#tests/support/meridian.ts'
import { postForm } from '#tests/support/post-form.ts'
import {
  type StripeSandboxWithAdapter,
  startStripeSandboxWithAdapter,
} from '#tests/support/stripe-stand-in.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { buildStripeProvider } from './adapter.ts'
import { buildLazyStripeProvider } from './lazy-provider.ts'

/** A checkout whose metadata names a transaction of ours. */
const OURS = { id: 'cs_1', metadata: { transaction_id: '1' } }

let database: Database
let stripe: StripeSandboxWithAdapter
beforeAll(async () => {
  database = await openTestDatabase()
  stripe = await startStripeSandboxWithAdapter(database.db)
})
afterAll(async () => {
  await stripe.stop()
  await database.close()
})

describe('Stripe’s stand-in', () => {
  testPaymentProviderContract(async () => ({ ...stripe, stop: async () => {} }), { hasPeople: true })
})

// With keys of a test platform and one of its accounts, the same tests run against Stripe itself, except those that
// need a browser.
const { STRIPE_TEST_SECRET_KEY: secretKey, STRIPE_TEST_ACCOUNT: accountId } = process.env
if (secretKey !== undefined && accountId !== undefined) {
  describe('Stripe itself', () => {
    const keys = { secretKey, clientId: 'ca_unused', webhookSecret: 'whsec_unused', now: Date.now }
    testPaymentProviderContract(
      async () => ({
        provider: buildStripeProvider(keys),
        account: { accountId, app: null },
        now: Date.now,
        canEnd: true,
        people: null,
        stop: async () => {},
      }),
      { hasPeople: false },
    )
  })
}

describe('a price kept at Stripe', () => {
  test('is what the customer pays', async () => {
    const checkout = await create({ stripePriceId: 'price_consultation_4000' })
    await stripe.people.pay(checkout)
    expect(await find(checkout)).toMatchObject({ status: 'paid', amountCents: 4_000 })
  })

  test('of another amount is refused, and its checkout ended', async () => {
    const failure = await catchProviderError(create({ stripePriceId: 'price_consultation_4100' }))
    expect(failure).toMatchObject({
      kind: 'refused',
      message: 'The price kept at Stripe is not the price of this appointment.',
    })
    await getWebhook('"amount_total":4100', '"type":"checkout.session.expired"')
  })

  test('that does not exist is refused in Stripe’s words', async () => {
    const failure = await catchProviderError(create({ stripePriceId: 'price_gone' }))
    expect(failure).toMatchObject({ kind: 'refused', message: "No such price: 'price_gone'" })
  })
})

test.each([
  ['sk_live_1', false],
  ['rk_live_1', false],
  ['sk_test_1', true],
])('money that moves by the key %s is sandbox money: %s', (secretKey, isSandbox) => {
  const keys = { secretKey, clientId: 'ca_1', webhookSecret: 'whsec_1', now: Date.now }
  for (const build of [buildStripeProvider, buildLazyStripeProvider]) {
    expect(build(keys).isSandbox(null)).toBe(isSandbox)
    expect(build({ ...keys, sandboxUrl: 'http://127.0.0.1:1' }).isSandbox(null)).toBe(true)
  }
})

describe('a request that Stripe does not answer', () => {
  test('is repeated, and the repetition makes no second checkout', async () => {
    const request = makeCheckoutRequest(stripe, { customerEmail: 'timeout@stripe.example' })
    // The first attempt gets no response; the second must get one, even on a busy machine.
    const { id } = await impatient(2_000).createCheckout(request)
    expect(await stripe.provider.createCheckout(request)).toMatchObject({ id })
  })

  test.each(['timeout-read', '500-read', '429-read'])(
    'for good (%s) says that it is unavailable',
    async (name) => {
      const { id } = await create({ customerEmail: `${name}@stripe.example` })
      for (const ask of [impatient().findCheckout, impatient().endCheckout]) {
        expect(await catchProviderError(ask(stripe.account, id))).toMatchObject({ kind: 'unavailable' })
      }
    },
  )

  test('because nobody is there says that it is unavailable', async () => {
    const provider = buildStripeProvider({ ...stripe.sandbox.settings, sandboxUrl: 'http://127.0.0.1:1' })
    expect(await catchProviderError(provider.findCheckout(stripe.account, 'cs_test_1'))).toMatchObject({
      kind: 'unavailable',
    })
  })

  test('with a wrong key is refused without a word about the key', async () => {
    const provider = buildStripeProvider({ ...stripe.sandbox.settings, secretKey: 'sk_test_wrong' })
    const failure = await catchProviderError(provider.findCheckout(stripe.account, 'cs_test_1'))
    expect(failure).toMatchObject({
      kind: 'refused',
      message: 'Stripe does not accept the key of this installation.',
    })
  })
})

describe('a checkout', () => {
  test('whose bank asks first is under way, and paid once the customer has answered', async () => {
    const checkout = await create()
    await stripe.payWith(checkout, '4000000000003220')
    expect(await find(checkout)).toEqual({ status: 'processing' })
    await postForm(checkout.url, { action: 'approve' })
    expect(await find(checkout)).toMatchObject({ status: 'paid' })
  })

  test.each([
    ['succeed', 'paid'],
    ['fail', 'ended'],
  ] as const)('under way whose bank lets it %s is %s', async (action, status) => {
    const checkout = await create()
    await stripe.people.payLater(checkout)
    await stripe.press(checkout, action)
    expect(await find(checkout)).toMatchObject({ status })
  })

  test('is over by itself 35 minutes after it began', async () => {
    const checkout = await create()
    stripe.clock.ms += 35 * 60_000
    expect(await find(checkout)).toEqual({ status: 'ended' })
  })

  test('asked for again minutes later is the same', async () => {
    const request = makeCheckoutRequest(stripe)
    const { id } = await stripe.provider.createCheckout(request)
    stripe.clock.ms += 4 * 60_000
    expect(await stripe.provider.createCheckout(request)).toMatchObject({ id })
  })

  test('of an account that has cut the connection is refused, and we are told', async () => {
    const account = { accountId: 'acct_that_leaves', app: null }
    await postForm(
      `${stripe.sandbox.settings.sandboxUrl}/dashboard/accounts/${account.accountId}/disconnect`,
      {},
    )
    expect(await catchProviderError(create({ account }))).toMatchObject({
      kind: 'refused',
      isAccountGone: true,
      message: 'This Stripe account is no longer connected.',
    })
    const message = await getWebhook(`"account":"${account.accountId}"`)
    const event = await stripe.provider.readWebhook(message)
    const { created } = JSON.parse(message.rawBody.toString()) as { created: number }
    expect(event?.about).toEqual({
      kind: 'account_gone',
      accountId: account.accountId,
      occurredAtMs: created * 1_000,
    })
  })

  test('of another account is not found', async () => {
    const { id } = await create()
    const other = { accountId: 'acct_of_somebody_else', app: null }
    expect(await catchProviderError(stripe.provider.findCheckout(other, id))).toMatchObject({
      kind: 'refused',
    })
  })
})

describe('a refund', () => {
  test('of a part is made once, and the rest can follow', async () => {
    const { checkout, refund } = await paidCheckout()
    const first = await refund(1_334)
    expect(first).toMatchObject({ status: 'refunded' })
    expect(await refund(1_334)).toMatchObject({ refundId: first.refundId })
    expect(await find(checkout)).toMatchObject({ status: 'paid', refundedCents: 1_334 })
    const rest = await refund()
    expect(rest.refundId).not.toBe(first.refundId)
    expect(await find(checkout)).toMatchObject({ refundedCents: 4_000 })
  })

  test('of a part leaves out what went back in the dashboard', async () => {
    const { checkout, refund } = await paidCheckout()
    await stripe.press(checkout, 'refund')
    expect(await refund(1_000)).toMatchObject({ status: 'refunded' })
    expect(await find(checkout)).toMatchObject({ refundedCents: 4_000 })
  })

  test('that was refused for want of money can be asked for again', async () => {
    const { refund } = await paidCheckout({ customerEmail: 'refused-refund@stripe.example' })
    expect(await catchProviderError(refund())).toMatchObject({
      kind: 'refused',
      message: 'Insufficient funds in your Stripe balance to refund this amount.',
    })
    expect(await refund()).toMatchObject({ status: 'refunded' })
  })

  test('on its way says so', async () => {
    const { refund } = await paidCheckout({}, '4000000000007726')
    expect(await refund()).toMatchObject({ status: 'pending' })
  })

  test('that fails at the bank is told, no longer counts, and can be made again', async () => {
    const { checkout, paymentId, refund } = await paidCheckout({}, '4000000000005126')
    const first = await refund()
    expect(await find(checkout)).toMatchObject({ status: 'paid', refundedCents: 0, hasFailedRefund: true })
    const message = await getWebhook(`"id":"${first.refundId}"`, '"type":"refund.failed"')
    const event = await stripe.provider.readWebhook(message)
    expect(event?.about).toEqual({ kind: 'payment', paymentId })
    expect((await refund()).refundId).not.toBe(first.refundId)
  })

  test('that went back in the dashboard is not made a second time', async () => {
    const { checkout, refund } = await paidCheckout()
    await stripe.press(checkout, 'refund')
    expect(await refund()).toMatchObject({ status: 'refunded' })
    expect(await find(checkout)).toMatchObject({ refundedCents: 4_000 })
  })

  test('that Stripe cannot take says so', async () => {
    const { refund } = await paidCheckout({ customerEmail: '500-refund@stripe.example' })
    expect(await catchProviderError(refund())).toMatchObject({ kind: 'unavailable' })
  })
})

describe('an event', () => {
  test.each([
    ['a checkout that the owner made elsewhere', { object: { id: 'cs_1', metadata: {} } }, {}],
    ['the live mode, when our keys are of the test mode', { object: OURS }, { livemode: true }],
    ['something else', { object: OURS }, { type: 'customer.created' }],
  ])('about %s is about nothing of ours', async (_what, data, changes) => {
    const event = await stripe.provider.readWebhook(makeWebhook({ data, ...changes }))
    expect(event).toMatchObject({ id: 'evt_1', about: { kind: 'nothing' } })
  })

  test('signed with another secret is nobody’s', async () => {
    expect(await stripe.provider.readWebhook(makeWebhook({}, 'whsec_of_somebody'))).toBeNull()
  })
})

function create(changes: Partial<CheckoutRequest> = {}): Promise<ProviderCheckout> {
  return stripe.provider.createCheckout(makeCheckoutRequest(stripe, changes))
}

function find({ id }: ProviderCheckout) {
  return stripe.provider.findCheckout(stripe.account, id)
}

async function paidCheckout(changes: Partial<CheckoutRequest> = {}, card = '4242424242424242') {
  const request = makeCheckoutRequest(stripe, changes)
  const checkout = await stripe.provider.createCheckout(request)
  await stripe.payWith(checkout, card)
  const paymentId = paymentIdOf(await find(checkout))
  const refund = (amountCents = request.amountCents) =>
    stripe.provider.refund({ ...request, paymentId, amountCents })
  return { checkout, paymentId, refund }
}

/** Waits for the webhook that contains all of these parts. */
function getWebhook(...parts: readonly string[]) {
  return waitFor(() => stripe.webhooks.find(({ rawBody }) => parts.every((part) => rawBody.includes(part))))
}

/** Builds the adapter with a short time-out, for requests without a response. */
function impatient(timeoutMs = 400) {
  return buildStripeProvider({ ...stripe.sandbox.settings, timeoutMs })
}

function makeWebhook(changes: object, secret = stripe.sandbox.settings.webhookSecret) {
  const payload = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'checkout.session.completed',
    livemode: false,
    data: { object: OURS },
    ...changes,
  })
  const timestamp = stripe.clock.ms / 1_000
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
  return { headers: { 'stripe-signature': signature }, rawBody: Buffer.from(payload), account: null }
}
