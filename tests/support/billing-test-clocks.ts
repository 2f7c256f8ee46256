import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import { buildStripeBilling } from '#server/integrations/stripe/billing/adapter.ts'
import { OWNER_ID_METADATA_KEY } from '#server/integrations/stripe/billing/subscription-state.ts'
import {
  type BillingOwner,
  type BillingProviderUnderTest,
  makeUnknownOwner,
} from './billing-provider-contract.ts'

/** Stripe's test cards. Source: https://docs.stripe.com/testing */
const CARDS = { pays: 'pm_card_visa', fails: 'pm_card_chargeCustomerFail' } as const
const DAY_S = 24 * 60 * 60
/** Longer than any month plus the hour that an invoice waits before it is charged, in seconds. */
const MONTH_S = 32 * DAY_S
/** Longer than Stripe's default retry schedule of one month, in seconds. Its longest schedule is two months. */
const RETRIES_S = 35 * DAY_S

type Clocked = BillingOwner & { readonly clockId: string }

/**
 * The adapter against Stripe's test mode. Time passes there through test clocks, and each customer belongs to the clock that it
 * was created with. The API replaces the steps that would need a browser. Source:
 * https://docs.stripe.com/billing/testing/test-clocks
 */
export async function openStripeTestMode(secretKey: string): Promise<BillingProviderUnderTest> {
  const stripe = new Stripe(secretKey, { maxNetworkRetries: 2 })
  const prices = {
    professional: await findOrCreatePrice(stripe, 'professional', 999),
    business: await findOrCreatePrice(stripe, 'business', 1_999),
  }
  const clocked = new Map<string, Clocked>()
  const clockOf = ({ customerId }: BillingOwner) => clocked.get(customerId)?.clockId ?? ''

  const getSubscription = async ({ customerId }: BillingOwner) => {
    const { data } = await stripe.subscriptions.list({ customer: customerId, status: 'all' })
    const [newest] = data
    if (newest === undefined) throw new Error('no subscription')
    return newest
  }
  const advance = async (owner: BillingOwner, seconds: number) => {
    const id = clockOf(owner)
    const { frozen_time } = await stripe.testHelpers.testClocks.retrieve(id)
    await stripe.testHelpers.testClocks.advance(id, { frozen_time: frozen_time + seconds })
    while ((await stripe.testHelpers.testClocks.retrieve(id)).status !== 'ready') await sleep(2_000)
  }
  const useCard = async ({ customerId }: BillingOwner, card: keyof typeof CARDS) => {
    const { id } = await stripe.paymentMethods.attach(CARDS[card], { customer: customerId })
    await stripe.customers.update(customerId, { invoice_settings: { default_payment_method: id } })
  }

  return {
    provider: buildStripeBilling({
      secretKey,
      webhookSecret: 'whsec_unused',
      prices,
      now: Date.now,
    }),
    prices,
    newId: randomUUID,
    makeOwner: async () => {
      const stranger = makeUnknownOwner(randomUUID())
      const { id: clockId } = await stripe.testHelpers.testClocks.create({
        frozen_time: Math.floor(Date.now() / 1_000),
      })
      const { ownerId, email, name } = stranger
      const metadata = { [OWNER_ID_METADATA_KEY]: ownerId }
      const { id } = await stripe.customers.create({ email, name, metadata, test_clock: clockId })
      const owner = { ...stranger, customerId: id, clockId }
      clocked.set(id, owner)
      return owner
    },
    people: {
      subscribe: async (owner, price) => {
        await useCard(owner, 'pays')
        await stripe.subscriptions.create({
          customer: owner.customerId,
          items: [{ price }],
          metadata: { [OWNER_ID_METADATA_KEY]: owner.ownerId },
        })
      },
      useCard,
      retry: async ({ customerId }) => {
        const { data } = await stripe.invoices.list({ customer: customerId, status: 'open' })
        for (const { id } of data) if (id !== undefined) await stripe.invoices.pay(id)
      },
      giveUp: (owner) => advance(owner, RETRIES_S),
      passMonth: (owner) => advance(owner, MONTH_S),
      endAtPeriodEnd: async (owner) => {
        const { id } = await getSubscription(owner)
        await stripe.subscriptions.update(id, { cancel_at_period_end: true })
      },
      changeAtPeriodEnd: async (owner, price) => {
        const { id } = await getSubscription(owner)
        const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id })
        const [present] = schedule.phases
        const item = present?.items[0]
        if (present === undefined || typeof item?.price !== 'string') throw new Error('no phase')
        const { start_date, end_date } = present
        await stripe.subscriptionSchedules.update(schedule.id, {
          end_behavior: 'release',
          phases: [
            { items: [{ price: item.price, quantity: 1 }], start_date, end_date },
            { items: [{ price, quantity: 1 }], duration: { interval: 'month', interval_count: 1 } },
          ],
        })
      },
      deleteCustomer: async ({ customerId }) => void (await stripe.customers.del(customerId)),
    },
    stop: async () => {
      // Deleting a test clock also deletes its customers.
      for (const { clockId } of clocked.values()) await stripe.testHelpers.testClocks.del(clockId)
    },
  }
}

/** Finds the price that an earlier run created in the test account, or creates it. */
async function findOrCreatePrice(stripe: Stripe, plan: string, cents: number): Promise<string> {
  const lookup_key = `meridian_tests_${plan}_${cents}`
  const { data } = await stripe.prices.list({ lookup_keys: [lookup_key], active: true })
  const [known] = data
  if (known !== undefined) return known.id
  const made = await stripe.prices.create({
    currency: 'eur',
    unit_amount: cents,
    recurring: { interval: 'month' },
    lookup_key,
    product_data: { name: `Meridian tests ${plan}` },
  })
  return made.id
}
