import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import type { CheckoutRequest, PaymentAccount, ProviderCheckout } from '#server/ports/payment-provider.ts'
import {
  catchProviderError,
  makeCheckoutRequest,
  paymentIdOf,
  testPaymentProviderContract,
} from '#tests/ports/payment-provider.ts'
import { PAYPAL_OPERATION_IDS, validateAgainstPaypalSpec } from '#tests/support/paypal-documents.ts'
import {
  type PaypalSandboxWithAdapter,
  startPaypalSandboxWithAdapter,
} from '#tests/support/paypal-stand-in.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { buildPaypalProvider } from './adapter.ts'

let database: Database
let paypal: PaypalSandboxWithAdapter
beforeAll(async () => {
  database = await openTestDatabase()
  paypal = await startPaypalSandboxWithAdapter(database.db)
})
afterAll(async () => {
  await paypal.stop()
  await database.close()
})

describe('PayPal’s stand-in', () => {
  testPaymentProviderContract(async () => ({ ...paypal, stop: async () => {} }), { hasPeople: true })
})

// With an app's keys and account, the same tests run against PayPal itself, except those that need a browser.
const { PAYPAL_TEST_CLIENT_ID: clientId, PAYPAL_TEST_CLIENT_SECRET: clientSecret } = process.env
const { PAYPAL_TEST_ACCOUNT: accountId } = process.env
if (clientId !== undefined && clientSecret !== undefined && accountId !== undefined) {
  describe('PayPal itself', () => {
    const app = { clientId, clientSecret, mode: 'sandbox', webhookId: null } as const
    testPaymentProviderContract(
      async () => ({
        provider: buildPaypalProvider({ now: Date.now }),
        account: { accountId, app },
        now: Date.now,
        canEnd: false,
        people: null,
        stop: async () => {},
      }),
      { hasPeople: false },
    )
  })
}

test('an app has a webhook for each calendar, and removing one leaves the others', async () => {
  const { provider, app, account } = paypal
  const add = (calendar: string) => provider.addWebhook?.(app, `http://localhost:3000/webhooks/${calendar}`)
  const [first, second] = [await add('first'), await add('second')]
  expect(second).not.toBe(first)
  await provider.disconnect({ ...account, app: { ...app, webhookId: first ?? null } })
  expect(await add('second')).toBe(second)
  expect(await add('first')).not.toBe(first)
})

describe('a customer who has agreed', () => {
  test('is charged once when two ask at the same moment', async () => {
    const { checkout, capture } = await approvedCheckout()
    const both = await Promise.all([capture(), capture()])
    expect(new Set(both.map(paymentIdOf)).size).toBe(1)
    expect(await capture()).toEqual(both[0])
    const captures = paypal.exchanges.filter(({ path }) => path.endsWith(`${checkout.id}/capture`))
    expect(captures.length).toBeLessThanOrEqual(2)
  })

  test('is not charged by the look that ends a checkout', async () => {
    const { checkout } = await approvedCheckout()
    expect(await paypal.provider.endCheckout(paypal.account, checkout.id)).toEqual({ status: 'approved' })
    expect(await find(checkout)).toEqual({ status: 'approved' })
  })

  test('whose card is declined then can pay with another', async () => {
    const { checkout, capture } = await approvedCheckout({}, 'declined')
    expect(await capture()).toEqual({ status: 'open' })
    expect(await find(checkout)).toEqual({ status: 'open' })
    await paypal.payWith(checkout, 'balance')
    expect(await capture()).toMatchObject({ status: 'paid', amountCents: 4_000 })
  })

  test.each([
    ['accept', 'paid'],
    ['deny', 'ended'],
  ] as const)('with a payment that is looked at first: %s makes it %s', async (action, status) => {
    const { checkout, capture } = await approvedCheckout({}, 'review')
    expect(await capture()).toEqual({ status: 'processing' })
    await paypal.press(checkout, action)
    expect(await find(checkout)).toMatchObject({ status })
  })

  test('is found to have paid when the answer never came, and is not charged again', async () => {
    const { checkout, request } = await approvedCheckout({ customerEmail: 'timeout-capture@paypal.example' })
    // The time limit is long enough for PayPal to execute the request, even on a busy machine.
    const asked = impatient(2_000).captureCheckout(paypal.account, checkout.id, request.transactionId)
    expect(await catchProviderError(asked)).toMatchObject({ kind: 'unavailable' })
    const state = await find(checkout)
    expect(state).toMatchObject({ status: 'paid' })
    expect(await paypal.provider.captureCheckout(paypal.account, checkout.id, 'another')).toEqual(state)
  })

  test('and whose payment PayPal refuses is told so', async () => {
    const { capture } = await approvedCheckout({ customerEmail: 'refused-capture@paypal.example' })
    expect(await catchProviderError(capture())).toMatchObject({
      kind: 'refused',
      message: 'The request was refused.',
    })
  })
})

describe('a request that PayPal does not answer', () => {
  test('is repeated, and the repetition makes no second order', async () => {
    const request = makeCheckoutRequest(paypal, { customerEmail: 'timeout@paypal.example' })
    // The first attempt gets no response; the second must get one, even on a busy machine.
    const { id } = await impatient(2_000).createCheckout(request)
    expect(await paypal.provider.createCheckout(request)).toMatchObject({ id })
  })

  test.each(['timeout-read', '500-read', '429-read'])(
    'for good (%s) says that it is unavailable',
    async (name) => {
      const { id } = await create({ customerEmail: `${name}@paypal.example` })
      const failure = await catchProviderError(impatient().findCheckout(paypal.account, id))
      expect(failure).toMatchObject({ kind: 'unavailable' })
    },
  )

  test('because nobody is there says that it is unavailable', async () => {
    const provider = buildPaypalProvider({ now: paypal.now, sandboxUrl: 'http://127.0.0.1:1' })
    expect(await catchProviderError(provider.findCheckout(paypal.account, '1'))).toMatchObject({
      kind: 'unavailable',
    })
  })
})

describe('an app', () => {
  test('with a wrong secret is refused without a word of the secret', async () => {
    const account: PaymentAccount = { ...paypal.account, app: { ...paypal.app, clientSecret: 'wrong' } }
    expect(await catchProviderError(paypal.provider.findCheckout(account, '1'))).toMatchObject({
      kind: 'refused',
      isAccountGone: true,
      message: 'PayPal doesn’t accept this client ID and client secret.',
    })
  })

  test('that its owner deleted at PayPal counts as cut off', async () => {
    await paypal.provider.disconnect({ ...paypal.account, app: { ...paypal.app, clientSecret: 'wrong' } })
  })

  test('whose account is connected again has the same webhook', async () => {
    const before = paypal.exchanges.length
    expect(await paypal.connect()).toMatchObject({
      accountId: paypal.account.accountId,
      email: 'owner@business.example',
      webhookId: paypal.app.webhookId,
    })
    const asked = paypal.exchanges.slice(before).map(({ method, path }) => `${method} ${path}`)
    expect(asked).not.toContain('POST /v1/notifications/webhooks')
  })

  test('of somebody else does not see the order', async () => {
    const { id } = await create()
    const account: PaymentAccount = {
      ...paypal.account,
      app: { ...paypal.app, clientId: 'of somebody else' },
    }
    expect(await catchProviderError(paypal.provider.findCheckout(account, id))).toMatchObject({
      kind: 'refused',
    })
  })

  test.each([
    ['live', 'https://www.paypal.com/signin/authorize'],
    ['sandbox', 'https://www.sandbox.paypal.com/signin/authorize'],
  ] as const)('of the %s mode is at %s', (mode, address) => {
    const request = { state: 'state', redirectUri: 'https://book.example/', app: { ...paypal.app, mode } }
    const url = new URL(buildPaypalProvider({ now: Date.now }).buildConnectUrl(request))
    expect(`${url.origin}${url.pathname}`).toBe(address)
  })
})

test('money of an app of the sandbox mode, or at a stand-in, is sandbox money', () => {
  const [itself, standIn] = [{ now: Date.now }, paypal.sandbox.settings].map(buildPaypalProvider)
  expect(itself?.isSandbox({ mode: 'live' })).toBe(false)
  expect(itself?.isSandbox({ mode: 'sandbox' })).toBe(true)
  expect(standIn?.isSandbox({ mode: 'live' })).toBe(true)
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
    await paypal.press(checkout, 'refund')
    expect(await refund(1_000)).toMatchObject({ status: 'refunded' })
    expect(await find(checkout)).toMatchObject({ refundedCents: 4_000 })
  })

  test('that was refused for want of money can be asked for again', async () => {
    const { refund } = await paidCheckout({ customerEmail: 'refused-refund@paypal.example' })
    const failure = await catchProviderError(refund())
    expect(failure).toMatchObject({ kind: 'refused', message: expect.stringMatching(/insufficient funds/) })
    expect(await refund()).toMatchObject({ status: 'refunded' })
  })

  test('on its way says so', async () => {
    const { refund } = await paidCheckout({}, 'refund_pending')
    expect(await refund()).toMatchObject({ status: 'pending' })
  })

  test('that fails at PayPal afterwards no longer counts, and can be made again', async () => {
    const { checkout, refund } = await paidCheckout({}, 'refund_failed')
    const { refundId } = await refund()
    expect(await find(checkout)).toMatchObject({ status: 'paid', refundedCents: 0, hasFailedRefund: true })
    expect((await refund()).refundId).not.toBe(refundId)
  })

  test('that went back in the owner’s account is not made a second time, and we are told', async () => {
    const { checkout, paymentId, refund } = await paidCheckout()
    await paypal.press(checkout, 'refund')
    expect(await refund()).toMatchObject({ status: 'refunded' })
    expect(await find(checkout)).toMatchObject({ refundedCents: 4_000 })
    const message = await paypal.getMessage(paymentId, 'PAYMENT.CAPTURE.REFUNDED')
    const event = await paypal.provider.readWebhook(message)
    expect(event?.about).toEqual({ kind: 'payment', paymentId })
  })

  test('that PayPal cannot take says so', async () => {
    const { refund } = await paidCheckout({ customerEmail: '500-refund@paypal.example' })
    expect(await catchProviderError(refund())).toMatchObject({ kind: 'unavailable' })
  })
})

describe('a message', () => {
  test('for the webhook of another account is nobody’s', async () => {
    const { checkout } = await approvedCheckout()
    const message = await paypal.getMessage(checkout.id)
    const account: PaymentAccount = { ...paypal.account, app: { ...paypal.app, webhookId: 'ANOTHER' } }
    expect(await paypal.provider.readWebhook({ ...message, account })).toBeNull()
    expect(await paypal.provider.readWebhook(message)).toMatchObject({
      type: 'CHECKOUT.ORDER.APPROVED',
      about: { kind: 'checkout', checkoutId: checkout.id },
    })
  })

  test('that PayPal was not there to verify is not thrown away', async () => {
    const { checkout } = await approvedCheckout()
    const provider = buildPaypalProvider({ now: paypal.now, sandboxUrl: 'http://127.0.0.1:1' })
    const message = await paypal.getMessage(checkout.id)
    expect(await catchProviderError(provider.readWebhook(message))).toMatchObject({ kind: 'unavailable' })
  })
})

// This must be the last test, because it checks all exchanges of the tests above.
test('every request and every answer is as PayPal’s own documents describe them, each operation at least once', () => {
  const checked = paypal.exchanges.map(validateAgainstPaypalSpec).filter((check) => check !== null)
  expect(checked.filter(({ mistakes }) => mistakes.length > 0)).toEqual([])
  expect([...new Set(checked.map(({ operationId }) => operationId))].sort()).toEqual(
    [...PAYPAL_OPERATION_IDS].sort(),
  )
})

function create(changes: Partial<CheckoutRequest> = {}): Promise<ProviderCheckout> {
  return paypal.provider.createCheckout(makeCheckoutRequest(paypal, changes))
}

function find({ id }: ProviderCheckout) {
  return paypal.provider.findCheckout(paypal.account, id)
}

async function approvedCheckout(changes: Partial<CheckoutRequest> = {}, instrument = 'balance') {
  const request = makeCheckoutRequest(paypal, changes)
  const checkout = await paypal.provider.createCheckout(request)
  await paypal.payWith(checkout, instrument)
  const capture = () => paypal.provider.captureCheckout(paypal.account, checkout.id, request.transactionId)
  return { request, checkout, capture }
}

async function paidCheckout(changes: Partial<CheckoutRequest> = {}, instrument = 'balance') {
  const { request, checkout, capture } = await approvedCheckout(changes, instrument)
  const paymentId = paymentIdOf(await capture())
  const refund = (amountCents = request.amountCents) =>
    paypal.provider.refund({ ...request, paymentId, amountCents })
  return { checkout, paymentId, refund }
}

/** Builds the adapter with a short time-out, for requests without a response. */
function impatient(timeoutMs = 700) {
  return buildPaypalProvider({ ...paypal.sandbox.settings, timeoutMs })
}
