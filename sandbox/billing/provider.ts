import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import {
  BillingError,
  type BillingInvoice,
  type BillingProvider,
  type PortalPage,
  type ProviderSubscription,
} from '#server/ports/billing-provider.ts'
import {
  type BillingSandboxContext,
  changeCustomer,
  findCustomer,
  findOrAddCustomer,
  generateNextId,
  listCustomers,
  type SandboxCheckout,
  type SandboxCustomer,
  type SandboxInvoice,
  type SandboxSubscription,
} from './customers.ts'
import { getPrice, PLAN_PRICES } from './prices.ts'
import { endSubscription, isCheckoutOpen, refundLastPayment } from './subscription-changes.ts'

const SHOWN_INVOICES = 24

/** The header that contains the secret in the sandbox's webhook requests. */
export const WEBHOOK_SECRET_HEADER = 'sandbox-secret'

const event = z.object({ id: z.string(), type: z.string(), customerId: z.string() })

/** A billing provider that stores its customers in the database. `url` is the URL of its pages. */
export function buildSandboxBilling(
  world: BillingSandboxContext,
  { url, secret }: { readonly url: string; readonly secret: string },
): BillingProvider {
  const { db, now } = world
  const respond = async <Answer>(answer: () => Promise<Answer>): Promise<Answer> => {
    if (world.isDown) throw new BillingError('unavailable', 'The stand-in has stopped answering.')
    return answer()
  }
  // Sends no event, as Stripe sends none about these changes.
  const change = async (id: string, apply: (customer: SandboxCustomer) => SandboxCustomer) =>
    refuseDeleted(await changeCustomer(world, id, apply, null))
  const get = async (id: string) => refuseDeleted(await findCustomer(db, id))

  return {
    isSandbox: () => true,
    listPrices: () => respond(async () => PLAN_PRICES),
    tierOf: (priceId) => PLAN_PRICES.find((price) => price.priceId === priceId)?.tier ?? null,
    createCustomer: (owner) =>
      respond(async () => ({ customerId: (await findOrAddCustomer(world, owner)).id })),
    changeEmail: ({ customerId, email }) =>
      respond(async () => void (await change(customerId, (customer) => ({ ...customer, email })))),
    listSubscriptions: (customerId) => respond(async () => listProviderSubscriptions(await get(customerId))),
    listAllSubscriptions: async function* () {
      const all = (await respond(() => listCustomers(db))).flatMap(listProviderSubscriptions)
      yield* all.filter(({ endedAt }) => endedAt === null)
    },
    createCheckout: ({ customerId, priceId, successUrl, cancelUrl, key }) =>
      respond(async () => {
        const changed = await change(customerId, (customer) => {
          const known = customer.checkouts.find((checkout) => checkout.key === key)
          if (known?.status === 'paid') throw new BillingError('refused', 'This plan was paid a moment ago.')
          if (known !== undefined && isCheckoutOpen(known, now())) return customer
          const checkout: SandboxCheckout = {
            id: generateNextId('cs', customer, customer.checkouts),
            key,
            priceId: getPrice(priceId).priceId,
            createdMs: now(),
            successUrl,
            cancelUrl,
            status: 'open',
          }
          return { ...customer, checkouts: [checkout, ...customer.checkouts] }
        })
        const checkout = changed.checkouts.find((known) => known.key === key)
        return { url: `${url}/c/pay/${checkout?.id}` }
      }),
    endOpenCheckouts: (customerId) =>
      respond(async () => {
        await change(customerId, (customer) => {
          if (!customer.checkouts.some(({ status }) => status === 'open')) return customer
          const expire = (checkout: SandboxCheckout) =>
            checkout.status === 'open' ? { ...checkout, status: 'expired' as const } : checkout
          return { ...customer, checkouts: customer.checkouts.map(expire) }
        })
      }),
    createPortal: ({ customerId, returnUrl, page }) =>
      respond(async () => {
        const opened = toPortalPage(await get(customerId), page)
        const query = new URLSearchParams({ ...opened, return: returnUrl })
        return { url: `${url}/p/session/${customerId}?${query}` }
      }),
    endSubscription: ({ subscriptionId, refund }) =>
      respond(async () => {
        await changeCustomer(world, subscriptionId, (customer) => {
          const subscription = customer.subscriptions.find(({ id }) => id === subscriptionId)
          if (subscription === undefined) return customer
          const ended = endSubscription(customer, subscription, now())
          return refund ? refundLastPayment(ended, subscriptionId) : ended
        })
      }),
    listInvoices: (customerId) =>
      respond(async () => {
        const { invoices } = await get(customerId)
        return invoices.slice(0, SHOWN_INVOICES).map((invoice) => toBillingInvoice(invoice, url))
      }),
    findCard: (customerId) =>
      respond(async () => {
        const { card } = await get(customerId)
        if (card === null) return null
        return { brand: 'visa', last4: card.slice(-4), expiryMonth: 12, expiryYear: 2034 }
      }),
    readWebhook: async ({ headers, rawBody }) =>
      headers[WEBHOOK_SECRET_HEADER] === secret ? event.parse(JSON.parse(rawBody.toString())) : null,
  }
}

/** The body of a webhook request. */
export function toWebhookBody(type: string, customerId: string): string {
  return JSON.stringify({ id: `evt_${randomBytes(12).toString('hex')}`, type, customerId })
}

/** @throws BillingError */
function refuseDeleted(customer: SandboxCustomer | null): SandboxCustomer {
  if (customer !== null && !customer.isDeleted) return customer
  throw new BillingError('customer_gone', 'This customer was deleted.')
}

function listProviderSubscriptions(customer: SandboxCustomer): ProviderSubscription[] {
  return customer.subscriptions.map((subscription) => toProviderSubscription(customer, subscription))
}

function toProviderSubscription(
  { id: customerId, ownerId }: SandboxCustomer,
  subscription: SandboxSubscription,
): ProviderSubscription {
  const { id, status, priceId, hasFailedForGood, nextPriceId, endedAtMs } = subscription
  const { amountCents, currency } = getPrice(priceId)
  const periodEndsAt = new Date(subscription.periodEndMs)
  return {
    id,
    customerId,
    ownerId,
    status,
    priceId,
    amountCents,
    currency,
    createdAt: new Date(subscription.createdMs),
    periodEndsAt,
    cancelsAt: subscription.cancelsAtPeriodEnd ? periodEndsAt : null,
    endedAt: endedAtMs === null ? null : new Date(endedAtMs),
    hasFailedForGood,
    nextPriceId,
  }
}

/** Chooses the portal page. Opens the home page when a change is already scheduled or done, like the Stripe adapter. */
function toPortalPage(customer: SandboxCustomer, page: PortalPage): Record<string, string> {
  if (page.kind === 'home' || page.kind === 'card') return { page: page.kind }
  const subscription = customer.subscriptions.find(({ id }) => id === page.subscriptionId)
  const isScheduled = subscription?.cancelsAtPeriodEnd !== false || subscription.nextPriceId !== null
  const price = page.kind === 'change' ? page.priceId : ''
  if (isScheduled || price === subscription.priceId) return { page: 'home' }
  return { page: page.kind, subscription: subscription.id, price }
}

function toBillingInvoice(invoice: SandboxInvoice, url: string): BillingInvoice {
  const { id, number, createdMs, amountCents, currency, status } = invoice
  return { id, number, issuedAt: new Date(createdMs), amountCents, currency, status, url: `${url}/i/${id}` }
}
