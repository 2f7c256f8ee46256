import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '#core/shared/duration.ts'
import {
  BillingError,
  type BillingErrorKind,
  type BillingProvider,
  type ProviderSubscription,
} from '#server/ports/billing-provider.ts'

/** A customer at the billing provider, and the owner that the customer belongs to. */
export type BillingOwner = {
  readonly ownerId: string
  readonly email: string
  readonly name: string
  readonly customerId: string
}

/** Actions of people, and the passing of time, at the billing provider. */
export type BillingProviderActions = {
  /** The owner pays for a plan with a card that can be charged again. */
  readonly subscribe: (owner: BillingOwner, priceId: string) => Promise<void>
  /** Sets the card that future payments are charged to. */
  readonly useCard: (owner: BillingOwner, card: 'pays' | 'fails') => Promise<void>
  /** Charges the outstanding amount to the card again. */
  readonly retry: (owner: BillingOwner) => Promise<void>
  /** The provider stops retrying the payment. */
  readonly giveUp: (owner: BillingOwner) => Promise<void>
  readonly passMonth: (owner: BillingOwner) => Promise<void>
  readonly endAtPeriodEnd: (owner: BillingOwner) => Promise<void>
  readonly changeAtPeriodEnd: (owner: BillingOwner, priceId: string) => Promise<void>
  readonly deleteCustomer: (owner: BillingOwner) => Promise<void>
}

export type BillingProviderUnderTest = {
  readonly provider: BillingProvider
  readonly prices: { readonly professional: string; readonly business: string }
  /** Makes an id that the provider does not know yet. */
  readonly newId: () => string
  /** Makes a customer whose time the tests can advance. */
  readonly makeOwner: () => Promise<BillingOwner>
  readonly people: BillingProviderActions
  readonly stop: () => Promise<void>
}

const RETURN_URL = 'https://book.example/profile'

/** Makes an owner whom no provider knows yet. */
export function makeUnknownOwner(ownerId: string): Omit<BillingOwner, 'customerId'> {
  return { ownerId, email: `${ownerId}@example.com`, name: 'Ada Lovelace' }
}

/** Waits until `find` returns a value. */
type WaitFor = <Found>(find: () => Promise<Found | null>) => Promise<Found>

/** Tests that every adapter of the billing port has to pass. At a provider with its own clock, a month takes a few seconds. */
export function testBillingProviderContract(
  name: string,
  open: () => Promise<BillingProviderUnderTest>,
  { waitFor, timeoutMs }: { readonly waitFor: WaitFor; readonly timeoutMs: number },
): void {
  describe(`${name} keeps the contract of billing providers`, { timeout: timeoutMs }, () => {
    let under: BillingProviderUnderTest
    beforeAll(async () => {
      under = await open()
    }, timeoutMs)
    afterAll(() => under.stop())

    const getOnly = async (owner: BillingOwner): Promise<ProviderSubscription> => {
      const [only, ...others] = await under.provider.listSubscriptions(owner.customerId)
      if (only === undefined || others.length > 0) throw new Error('not one subscription')
      return only
    }
    const waitUntil = (owner: BillingOwner, fits: (subscription: ProviderSubscription) => boolean) =>
      waitFor(async () => {
        const only = await getOnly(owner)
        return fits(only) ? only : null
      })
    const makeSubscriber = async (plan: 'professional' | 'business') => {
      const owner = await under.makeOwner()
      await under.people.subscribe(owner, under.prices[plan])
      return owner
    }
    const createCheckout = ({ customerId, ownerId }: BillingOwner, key: string) =>
      under.provider.createCheckout({
        customerId,
        ownerId,
        priceId: under.prices.professional,
        successUrl: 'https://book.example/dashboard?subscription=success',
        cancelUrl: 'https://book.example/pricing',
        key,
      })

    test('lists a price for each plan and maps it back to the plan', async () => {
      const prices = await under.provider.listPrices()
      expect(prices.map(({ tier }) => tier)).toEqual(['professional', 'business'])
      for (const { tier, priceId, amountCents, currency } of prices) {
        expect(under.provider.tierOf(priceId)).toBe(tier)
        expect(amountCents).toBeGreaterThan(0)
        expect(currency).toMatch(/^[a-z]{3}$/)
      }
      expect(under.provider.tierOf('price_of_something_else')).toBeNull()
    })

    test('creates one customer per owner, also for concurrent requests', async () => {
      const stranger = makeUnknownOwner(under.newId())
      const both = await Promise.all([1, 2].map(() => under.provider.createCustomer(stranger)))
      const third = await under.provider.createCustomer(stranger)
      expect(new Set([...both, third].map(({ customerId }) => customerId)).size).toBe(1)
      expect(await under.provider.listSubscriptions(third.customerId)).toEqual([])
      expect(await under.provider.listInvoices(third.customerId)).toEqual([])
      expect(await under.provider.findCard(third.customerId)).toBeNull()
    })

    test('reports a deleted customer in every call and creates a new customer for the owner', async () => {
      const owner = { ...makeUnknownOwner(under.newId()), customerId: '' }
      const { customerId } = await under.provider.createCustomer(owner)
      await under.people.deleteCustomer({ ...owner, customerId })
      const gone = { ...owner, customerId }
      for (const ask of [
        () => under.provider.listSubscriptions(customerId),
        () => under.provider.findCard(customerId),
        () => under.provider.changeEmail({ customerId, email: 'new@example.com' }),
        () => under.provider.createPortal({ customerId, returnUrl: RETURN_URL, page: { kind: 'home' } }),
        () => createCheckout(gone, under.newId()),
      ]) {
        expect(await billingErrorKindOf(ask())).toBe('customer_gone')
      }
      const next = await under.provider.createCustomer(owner)
      expect(next.customerId).not.toBe(customerId)
      expect(await under.provider.createCustomer(owner)).toEqual(next)
    })

    test('changes the email address of a customer without creating another one', async () => {
      const stranger = makeUnknownOwner(under.newId())
      const { customerId } = await under.provider.createCustomer(stranger)
      const email = `new-${stranger.email}`
      await under.provider.changeEmail({ customerId, email })
      expect(await under.provider.createCustomer({ ...stranger, email })).toEqual({ customerId })
    })

    test('creates one checkout per key, and a new checkout once the first has expired', async () => {
      const owner = await under.makeOwner()
      const key = under.newId()
      const both = await Promise.all([createCheckout(owner, key), createCheckout(owner, key)])
      const third = await createCheckout(owner, key)
      expect(third.url).toMatch(/^https?:/)
      expect(new Set([...both, third].map(({ url }) => url)).size).toBe(1)

      await under.provider.endOpenCheckouts(owner.customerId)
      await under.provider.endOpenCheckouts(owner.customerId)
      const next = await createCheckout(owner, key)
      expect(next.url).not.toBe(third.url)
      expect(await createCheckout(owner, key)).toEqual(next)
      await under.provider.endOpenCheckouts(owner.customerId)
    })

    test('reports a bought plan with its owner, price, period, invoice and card', async () => {
      const owner = await makeSubscriber('professional')
      const [price] = await under.provider.listPrices()
      const only = await getOnly(owner)
      expect(only).toMatchObject({
        customerId: owner.customerId,
        ownerId: owner.ownerId,
        status: 'active',
        priceId: under.prices.professional,
        amountCents: price?.amountCents,
        currency: price?.currency,
        cancelsAt: null,
        endedAt: null,
        hasFailedForGood: false,
        nextPriceId: null,
      })
      const days = (only.periodEndsAt.getTime() - only.createdAt.getTime()) / DAY_MS
      expect(days).toBeGreaterThan(27)
      expect(days).toBeLessThan(32)

      const [invoice] = await under.provider.listInvoices(owner.customerId)
      expect(invoice).toMatchObject({ status: 'paid', amountCents: price?.amountCents })
      expect(invoice?.number).toBeTruthy()
      expect(invoice?.url).toMatch(/^https?:/)
      expect(await under.provider.findCard(owner.customerId)).toMatchObject({ brand: 'visa' })
    })

    test('adds an invoice when a plan renews', async () => {
      const owner = await makeSubscriber('professional')
      const before = await getOnly(owner)
      await under.people.passMonth(owner)
      const invoices = await waitFor(async () => {
        const found = await under.provider.listInvoices(owner.customerId)
        return found.length === 2 && found.every(({ status }) => status === 'paid') ? found : null
      })
      const [newest, oldest] = invoices
      expect(newest?.issuedAt.getTime()).toBeGreaterThan(oldest?.issuedAt.getTime() ?? Number.NaN)
      expect(await getOnly(owner)).toMatchObject({ id: before.id, status: 'active' })
    })

    test('reports the end date of a cancelled plan, and that it has ended afterwards', async () => {
      const owner = await makeSubscriber('professional')
      await under.people.endAtPeriodEnd(owner)
      const ending = await getOnly(owner)
      expect(ending).toMatchObject({ status: 'active', cancelsAt: ending.periodEndsAt, endedAt: null })
      await under.people.passMonth(owner)
      const ended = await waitUntil(owner, ({ endedAt }) => endedAt !== null)
      expect(ended).toMatchObject({ status: 'canceled', hasFailedForGood: false, cancelsAt: null })
    })

    test('reports a scheduled downgrade, which takes effect with the next period', async () => {
      const owner = await makeSubscriber('business')
      await under.people.changeAtPeriodEnd(owner, under.prices.professional)
      expect(await getOnly(owner)).toMatchObject({
        priceId: under.prices.business,
        nextPriceId: under.prices.professional,
        cancelsAt: null,
      })
      await under.people.passMonth(owner)
      const changed = await waitUntil(owner, ({ priceId }) => priceId === under.prices.professional)
      expect(changed).toMatchObject({ status: 'active', nextPriceId: null })
    })

    test('reports a failed renewal as past due until another card pays', async () => {
      const owner = await makeSubscriber('professional')
      await under.people.useCard(owner, 'fails')
      await under.people.passMonth(owner)
      const owing = await waitUntil(owner, ({ status }) => status === 'past_due')
      expect(owing).toMatchObject({ endedAt: null, hasFailedForGood: false })
      const [invoice] = await under.provider.listInvoices(owner.customerId)
      expect(invoice).toMatchObject({ status: 'open' })

      await under.people.useCard(owner, 'pays')
      await under.people.retry(owner)
      await waitUntil(owner, ({ status }) => status === 'active')
    })

    test('reports that all retries of a renewal have failed', async () => {
      const owner = await makeSubscriber('professional')
      await under.people.useCard(owner, 'fails')
      await under.people.passMonth(owner)
      await waitUntil(owner, ({ status }) => status === 'past_due')
      await under.people.giveUp(owner)
      const failed = await waitUntil(owner, ({ status }) => status !== 'past_due')
      // The settings of the operator's Stripe account decide which of the two statuses a failed subscription gets.
      expect(['canceled', 'unpaid']).toContain(failed.status)
      expect(failed.hasFailedForGood).toBe(failed.status === 'canceled')
    })

    test('ends a subscription immediately; idempotent', async () => {
      const owner = await makeSubscriber('professional')
      const { id: subscriptionId } = await getOnly(owner)
      await under.provider.endSubscription({ subscriptionId, refund: false })
      const ended = await getOnly(owner)
      expect(ended).toMatchObject({ status: 'canceled', hasFailedForGood: false })
      expect(ended.endedAt).not.toBeNull()
      await under.provider.endSubscription({ subscriptionId, refund: false })
      expect(await getOnly(owner)).toEqual(ended)
    })

    test('ends a subscription that has a scheduled downgrade', async () => {
      const owner = await makeSubscriber('business')
      await under.people.changeAtPeriodEnd(owner, under.prices.professional)
      const { id: subscriptionId } = await getOnly(owner)
      await under.provider.endSubscription({ subscriptionId, refund: true })
      expect(await getOnly(owner)).toMatchObject({ status: 'canceled', nextPriceId: null })
    })

    test('refunds the last payment; idempotent', async () => {
      const owner = await makeSubscriber('professional')
      const { id: subscriptionId } = await getOnly(owner)
      await under.provider.endSubscription({ subscriptionId, refund: true })
      await under.provider.endSubscription({ subscriptionId, refund: true })
      expect((await getOnly(owner)).status).toBe('canceled')
    })

    test('opens every page of the portal, also when the plan already ends', async () => {
      const owner = await makeSubscriber('business')
      const { id: subscriptionId } = await getOnly(owner)
      const priceId = under.prices.professional
      const pages = [
        { kind: 'home' },
        { kind: 'card' },
        { kind: 'cancel', subscriptionId },
        { kind: 'change', subscriptionId, priceId },
      ] as const
      const openAll = async () => {
        for (const page of pages) {
          const { customerId } = owner
          const { url } = await under.provider.createPortal({ customerId, returnUrl: RETURN_URL, page })
          expect(url, page.kind).toMatch(/^https?:/)
        }
      }
      await openAll()
      await under.people.endAtPeriodEnd(owner)
      await openAll()
    })

    test('lists active subscriptions of all customers, but not ended ones', async () => {
      const [running, ended] = [await makeSubscriber('professional'), await makeSubscriber('business')]
      const { id: subscriptionId } = await getOnly(ended)
      await under.provider.endSubscription({ subscriptionId, refund: false })
      const listed = new Set<string>()
      for await (const { customerId } of under.provider.listAllSubscriptions()) listed.add(customerId)
      expect(listed.has(running.customerId)).toBe(true)
      expect(listed.has(ended.customerId)).toBe(false)
    })
  })
}

/** Returns why a request was refused; null if it succeeded. */
export async function billingErrorKindOf(answer: Promise<unknown>): Promise<BillingErrorKind | null> {
  try {
    await answer
    return null
  } catch (error) {
    if (error instanceof BillingError) return error.kind
    throw error
  }
}
