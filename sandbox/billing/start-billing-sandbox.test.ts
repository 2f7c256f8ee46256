import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import type { PortalPage } from '#server/ports/billing-provider.ts'
import type { WebhookRequest } from '#server/ports/payment-provider.ts'
import {
  type BillingOwner,
  type BillingProviderUnderTest,
  billingErrorKindOf,
  makeUnknownOwner,
  testBillingProviderContract,
} from '#tests/support/billing-provider-contract.ts'
import { waitFor } from '#tests/support/meridian.ts'
import {
  BILLING_TEST_CARDS,
  type BillingDashboardButton,
  deleteBillingCustomer,
  payOnBillingPage,
  pressBillingDashboardButton,
} from '#tests/support/plan-people.ts'
import { postForm } from '#tests/support/post-form.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { startWebhookReceiver } from '#tests/support/webhook-receiver.ts'
import { type BillingSandbox, startBillingSandbox } from './start-billing-sandbox.ts'

const PRICES = { professional: 'price_sandbox_professional', business: 'price_sandbox_business' } as const

let database: Database
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
let sandbox: BillingSandbox
const clock = { ms: Date.now() }
beforeAll(async () => {
  database = await openTestDatabase()
  receiver = await startWebhookReceiver()
  sandbox = await startBillingSandbox({
    db: database.db,
    now: () => clock.ms,
    webhookUrl: () => receiver.url,
  })
})
afterAll(async () => {
  await sandbox.stop()
  await receiver.stop()
  await database.close()
})

testBillingProviderContract('The stand-in', async () => toBillingUnderTest(), {
  // Does not wait, because changes take effect immediately.
  waitFor: async (find) => {
    const found = await find()
    if (found === null) throw new Error('not found')
    return found
  },
  timeoutMs: 20_000,
})

describe('the checkout', () => {
  test('begins the plan and leads back to the product', async () => {
    const owner = await makeOwner()
    const { url } = await createCheckout(owner)
    const page = await (await fetch(url)).text()
    expect(page).toContain('Meridian Professional')
    expect(page).toContain('€9.99 per month')
    expect(page).toContain('Sandbox: no real money moves')
    const answer = await payOnBillingPage(url)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('https://book.example/dashboard?subscription=success')
    expect(await sandbox.provider.findCard(owner.customerId)).toMatchObject({ last4: '4242' })
  })

  test.each([
    [BILLING_TEST_CARDS.isDeclined, 'Your card was declined.'],
    ['1234', 'Your card number is incorrect.'],
  ])('refuses the card %s and begins no plan', async (card, message) => {
    const owner = await makeOwner()
    const { url } = await createCheckout(owner)
    expect(await (await payOnBillingPage(url, card)).text()).toContain(message)
    expect(await sandbox.provider.listSubscriptions(owner.customerId)).toEqual([])
  })

  test('begins one plan when it is paid twice, and its key opens no other checkout', async () => {
    const owner = await makeOwner()
    const key = randomUUID()
    const { url } = await createCheckout(owner, key)
    await Promise.all([payOnBillingPage(url), payOnBillingPage(url)])
    expect(await sandbox.provider.listSubscriptions(owner.customerId)).toHaveLength(1)
    expect(await billingErrorKindOf(createCheckout(owner, key))).toBe('refused')
  })

  test('expires after a day', async () => {
    const owner = await makeOwner()
    const { url } = await createCheckout(owner)
    clock.ms += 24 * 60 * 60_000
    expect(await (await payOnBillingPage(url)).text()).toContain(
      'This checkout has expired. Nothing was paid.',
    )
    expect(await sandbox.provider.listSubscriptions(owner.customerId)).toEqual([])
  })
})

describe('the portal', () => {
  test('upgrades at once and charges the difference', async () => {
    const { owner, subscription } = await makeSubscriber('professional')
    const page = { kind: 'change', subscriptionId: subscription, priceId: PRICES.business } as const
    const answer = await pressInPortal(
      owner,
      { action: 'change', subscription, price: PRICES.business },
      page,
    )
    expect(answer.headers.get('location')).toBe('https://book.example/profile')
    const [changed] = await sandbox.provider.listSubscriptions(owner.customerId)
    expect(changed).toMatchObject({ priceId: PRICES.business, amountCents: 1_999, nextPriceId: null })
    const [newest] = await sandbox.provider.listInvoices(owner.customerId)
    expect(newest).toMatchObject({ amountCents: 1_000, status: 'paid' })
  })

  test('refuses an upgrade that the card does not pay', async () => {
    const { owner, subscription } = await makeSubscriber('professional')
    await pressInPortal(owner, { action: 'card', card: BILLING_TEST_CARDS.failsLater })
    const form = { action: 'change', subscription, price: PRICES.business }
    expect(await (await pressInPortal(owner, form)).text()).toContain('Your card was declined.')
    const [kept] = await sandbox.provider.listSubscriptions(owner.customerId)
    expect(kept?.priceId).toBe(PRICES.professional)
  })

  test('undoes a scheduled end and a scheduled downgrade', async () => {
    const { owner, subscription } = await makeSubscriber('business')
    for (const change of [{ action: 'cancel' }, { action: 'change', price: PRICES.professional }]) {
      await pressInPortal(owner, { ...change, subscription })
      const [pending] = await sandbox.provider.listSubscriptions(owner.customerId)
      expect(pending?.cancelsAt ?? pending?.nextPriceId).not.toBeNull()
      await pressInPortal(owner, { action: 'keep', subscription })
      const [kept] = await sandbox.provider.listSubscriptions(owner.customerId)
      expect(kept).toMatchObject({ cancelsAt: null, nextPriceId: null, priceId: PRICES.business })
    }
  })

  test('opens on its home page while a change is scheduled', async () => {
    const { owner, subscription } = await makeSubscriber('business')
    const readPage = async (kind: 'change' | 'cancel') => {
      const url = await openPortal(owner, {
        kind,
        subscriptionId: subscription,
        priceId: PRICES.professional,
      })
      return (await fetch(url)).text()
    }
    expect(await readPage('change')).toContain('<h1>Confirm your plan</h1>')
    expect(await readPage('cancel')).toContain('<h1>End your plan</h1>')
    await pressInPortal(owner, { action: 'change', subscription, price: PRICES.professional })
    for (const kind of ['change', 'cancel'] as const) {
      expect(await readPage(kind)).toContain('Keep Meridian Business')
    }
  })
})

describe('an invoice whose payment failed', () => {
  test('can be paid on its page', async () => {
    const { owner, subscription } = await makeSubscriber('professional')
    await pressInPortal(owner, { action: 'card', card: BILLING_TEST_CARDS.failsLater })
    await press(subscription, 'month')
    const [invoice] = await sandbox.provider.listInvoices(owner.customerId)
    expect(invoice).toMatchObject({ status: 'open', amountCents: 999 })
    const url = invoice?.url ?? ''
    expect(await (await payOnBillingPage(url, BILLING_TEST_CARDS.isDeclined)).text()).toContain(
      'was declined',
    )
    await payOnBillingPage(url)
    expect(await (await fetch(url)).text()).toContain('· paid')
    const [only] = await sandbox.provider.listSubscriptions(owner.customerId)
    expect(only?.status).toBe('active')
  })

  test('can be left unpaid and paid later', async () => {
    const { owner, subscription } = await makeSubscriber('professional')
    await pressInPortal(owner, { action: 'card', card: BILLING_TEST_CARDS.failsLater })
    await press(subscription, 'month')
    await press(subscription, 'leave_unpaid')
    const [unpaid] = await sandbox.provider.listSubscriptions(owner.customerId)
    expect(unpaid).toMatchObject({ status: 'unpaid', endedAt: null, hasFailedForGood: false })
    await pressInPortal(owner, { action: 'card', card: BILLING_TEST_CARDS.pays })
    await press(subscription, 'retry')
    const [paid] = await sandbox.provider.listSubscriptions(owner.customerId)
    expect(paid?.status).toBe('active')
  })
})

test('the dashboard sets a price that belongs to no plan', async () => {
  const { owner, subscription } = await makeSubscriber('professional')
  await press(subscription, 'unknown_price')
  const [only] = await sandbox.provider.listSubscriptions(owner.customerId)
  expect(only).toMatchObject({ priceId: 'price_sandbox_of_something_else', amountCents: 500 })
  expect(sandbox.provider.tierOf(only?.priceId ?? '')).toBeNull()
})

test('only the last payment is refunded, and its invoice says so', async () => {
  const { owner, subscription } = await makeSubscriber('professional')
  await press(subscription, 'month')
  const end = () => sandbox.provider.endSubscription({ subscriptionId: subscription, refund: true })
  await Promise.all([end(), end()])
  const invoices = await sandbox.provider.listInvoices(owner.customerId)
  const pages = await Promise.all(invoices.map(async ({ url }) => (await fetch(url ?? '')).text()))
  expect(pages.map((page) => page.includes('· refunded'))).toEqual([true, false])
})

test('webhooks name the customer and are read with the secret only', async () => {
  const { owner } = await makeSubscriber('professional')
  await deleteBillingCustomer(sandbox.url, owner.customerId)
  for (const type of ['checkout.session.completed', 'customer.deleted']) {
    const message: WebhookRequest = await waitFor(() =>
      receiver.webhooks.find(
        ({ rawBody }) => rawBody.includes(`"type":"${type}"`) && rawBody.includes(owner.customerId),
      ),
    )
    expect(await sandbox.provider.readWebhook(message)).toMatchObject({ type, customerId: owner.customerId })
    expect(await sandbox.provider.readWebhook({ ...message, headers: {} })).toBeNull()
  }
})

function toBillingUnderTest(): BillingProviderUnderTest {
  const getSubscription = async ({ customerId }: BillingOwner) => {
    const [newest] = await sandbox.provider.listSubscriptions(customerId)
    return newest?.id ?? ''
  }
  const pressNewest = async (owner: BillingOwner, action: BillingDashboardButton) =>
    press(await getSubscription(owner), action)
  return {
    provider: sandbox.provider,
    prices: PRICES,
    newId: randomUUID,
    makeOwner,
    people: {
      subscribe: async (owner, priceId) => {
        const { url } = await createCheckout(owner, randomUUID(), priceId)
        await payOnBillingPage(url)
      },
      useCard: async (owner, kind) => {
        const card = kind === 'pays' ? BILLING_TEST_CARDS.pays : BILLING_TEST_CARDS.failsLater
        await pressInPortal(owner, { action: 'card', card }, { kind: 'card' })
      },
      retry: (owner) => pressNewest(owner, 'retry'),
      giveUp: (owner) => pressNewest(owner, 'cancel_unpaid'),
      passMonth: (owner) => pressNewest(owner, 'month'),
      endAtPeriodEnd: async (owner) => {
        await pressInPortal(owner, { action: 'cancel', subscription: await getSubscription(owner) })
      },
      changeAtPeriodEnd: async (owner, price) => {
        await pressInPortal(owner, { action: 'change', subscription: await getSubscription(owner), price })
      },
      deleteCustomer: async ({ customerId }) => void (await deleteBillingCustomer(sandbox.url, customerId)),
    },
    stop: async () => {},
  }
}

async function makeOwner(): Promise<BillingOwner> {
  const stranger = makeUnknownOwner(randomUUID())
  return { ...stranger, ...(await sandbox.provider.createCustomer(stranger)) }
}

async function makeSubscriber(plan: keyof typeof PRICES) {
  const owner = await makeOwner()
  const { url } = await createCheckout(owner, randomUUID(), PRICES[plan])
  await payOnBillingPage(url)
  const [only] = await sandbox.provider.listSubscriptions(owner.customerId)
  return { owner, subscription: only?.id ?? '' }
}

function createCheckout(
  { customerId, ownerId }: BillingOwner,
  key: string = randomUUID(),
  priceId: string = PRICES.professional,
) {
  return sandbox.provider.createCheckout({
    customerId,
    ownerId,
    priceId,
    successUrl: 'https://book.example/dashboard?subscription=success',
    cancelUrl: 'https://book.example/pricing',
    key,
  })
}

async function openPortal({ customerId }: BillingOwner, page: PortalPage): Promise<string> {
  const returnUrl = 'https://book.example/profile'
  return (await sandbox.provider.createPortal({ customerId, returnUrl, page })).url
}

/** Opens a page of the portal and submits its form. */
async function pressInPortal(
  owner: BillingOwner,
  fields: Readonly<Record<string, string>>,
  page: PortalPage = { kind: 'home' },
): Promise<Response> {
  return postForm(await openPortal(owner, page), fields)
}

async function press(subscriptionId: string, action: BillingDashboardButton): Promise<void> {
  await pressBillingDashboardButton(sandbox.url, subscriptionId, action)
}
