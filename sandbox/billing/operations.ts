import { z } from 'zod'
import { invalidRequest, noSuch } from '#sandbox/stripe/fault.ts'
import { parseBody } from '#sandbox/stripe/parse-body.ts'
import { type Happening, nowS, type StandIn } from '#sandbox/stripe/world.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { end, told } from './lives.ts'
import { getPrice } from './prices.ts'
import {
  add,
  CHECKOUTS,
  CONFIGURATIONS,
  CUSTOMERS,
  find,
  INVOICES,
  list,
  newId,
  PORTALS,
  type SandboxCustomer,
  type SandboxPlanCheckout,
  type SandboxPortal,
  type SandboxSubscription,
  SUBSCRIPTIONS,
  save,
} from './records.ts'
import { toConfiguration, toCustomer, toInvoiceId, toPlanRefund, toPortalSession } from './resources.ts'
import { SESSION_LIFETIME_S, toPlanSession } from './session-resources.ts'
import {
  itemIdOf,
  toSchedule,
  toScheduleId,
  toSubscription,
  toSubscriptionId,
} from './subscription-resources.ts'

/** What changes something: `body` is the answer. Its refusal is a StripeFault. */
export type Operation = (
  world: StandIn,
  asked: { readonly trx: Trx; readonly id: string; readonly origin: string; readonly body: unknown },
) => Promise<{ readonly body: object; readonly happened: readonly Happening[] }>

const metadata = z.record(z.string().max(40), z.string().max(500))
const webUrl = z.string().regex(/^https?:\/\//, 'Not a valid URL')
const no = z.literal('false')
const yes = z.literal('true')

const newCustomer = z.strictObject({ metadata })

export const createCustomer: Operation = async (world, { trx, body }) => {
  const asked = parseBody(newCustomer, body)
  const customer = await add(trx, CUSTOMERS, {
    id: newId('cus'),
    email: null,
    name: null,
    metadata: asked.metadata,
    createdS: nowS(world),
    card: null,
    isDeleted: false,
  })
  return { body: toCustomer(customer), happened: [told('customer.created', toCustomer(customer))] }
}

const customerChanges = z.strictObject({
  email: z.email().max(512).optional(),
  name: z.string().max(256).optional(),
})

export const updateCustomer: Operation = async (_world, { trx, id, body }) => {
  const customer = await getLiveCustomer(trx, id)
  const { email = customer.email, name = customer.name } = parseBody(customerChanges, body)
  const changed = await save(trx, CUSTOMERS, { ...customer, email, name })
  return { body: toCustomer(changed), happened: [told('customer.updated', toCustomer(changed))] }
}

/** A parameter that is not here is one that the stand-in does not know, and refuses. */
const newSession = z.strictObject({
  mode: z.literal('subscription'),
  customer: z.string(),
  client_reference_id: z.string().max(200),
  metadata,
  subscription_data: z.strictObject({ metadata }),
  line_items: z.strictObject({ 0: z.strictObject({ price: z.string(), quantity: z.literal('1') }) }),
  adaptive_pricing: z.strictObject({ enabled: no }),
  payment_method_collection: z.literal('always'),
  success_url: webUrl,
  cancel_url: webUrl,
})

export const createSession: Operation = async (world, { trx, origin, body }) => {
  const asked = parseBody(newSession, body)
  const customer = await getLiveCustomer(trx, asked.customer)
  const checkout = await add(trx, CHECKOUTS, {
    id: newId('cs_test'),
    customerId: customer.id,
    clientReferenceId: asked.client_reference_id,
    metadata: asked.metadata,
    subscriptionMetadata: asked.subscription_data.metadata,
    priceId: getPrice(asked.line_items[0].price).id,
    createdS: nowS(world),
    successUrl: asked.success_url,
    cancelUrl: asked.cancel_url,
    status: 'open',
    subscriptionId: null,
  } as const)
  return { body: toPlanSession(checkout, customer, origin), happened: [] }
}

export const expireSession: Operation = async (world, { trx, id, origin }) => {
  const checkout = await findCheckout(world, trx, id, { lock: true })
  if (checkout === null) throw noSuch('checkout.session', id)
  if (checkout.status !== 'open') {
    throw invalidRequest('Only Checkout Sessions with a status in ["open"] can be expired.')
  }
  const expired = await save(trx, CHECKOUTS, { ...checkout, status: 'expired' } as const)
  const customer = await getLiveCustomer(trx, checkout.customerId)
  return {
    body: toPlanSession(expired, customer, origin),
    happened: [told('checkout.session.expired', toPlanSession(expired, customer, ''))],
  }
}

export const cancelSubscription: Operation = async (world, { trx, id }) => {
  const subscription = await find(trx, SUBSCRIPTIONS, id, { lock: true })
  if (subscription === null || subscription.endedAtS !== null) throw noSuch('subscription', id)
  if (subscription.nextPriceId !== null) {
    throw invalidRequest(
      `The subscription is managed by the subscription schedule \`${toScheduleId(subscription)}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    )
  }
  return endNow(world, trx, subscription)
}

/** Ends the subscription of a schedule. Source: https://docs.stripe.com/api/subscription_schedules/cancel */
export const cancelSchedule: Operation = async (world, { trx, id, body }) => {
  parseBody(endInFull, body)
  const subscription = await find(trx, SUBSCRIPTIONS, toSubscriptionId(id), { lock: true })
  if (subscription === null || subscription.nextPriceId === null) throw noSuch('subscription_schedule', id)
  const { happened } = await endNow(world, trx, subscription)
  const schedule = toSchedule(subscription, subscription.nextPriceId)
  return { body: { ...schedule, status: 'canceled', canceled_at: nowS(world) }, happened }
}

const endInFull = z.strictObject({ prorate: no, invoice_now: no })

async function endNow(world: StandIn, trx: Trx, subscription: SandboxSubscription) {
  const happened = await end(world, trx, subscription, 'cancellation_requested')
  const ended = (await find(trx, SUBSCRIPTIONS, subscription.id)) ?? subscription
  const customer = await getLiveCustomer(trx, ended.customerId)
  return { body: toSubscription(ended, customer), happened }
}

const refundBody = z.strictObject({ payment_intent: z.string() })

/** Gives back all of a payment. */
export const createRefund: Operation = async (world, { trx, body }) => {
  const { payment_intent } = parseBody(refundBody, body)
  const invoice = await find(trx, INVOICES, toInvoiceId(payment_intent), { lock: true })
  if (invoice === null) throw noSuch('payment_intent', payment_intent)
  if (invoice.refundedAtS !== null) {
    const code = 'charge_already_refunded'
    throw invalidRequest(`Charge ${invoice.id} has already been refunded.`, { code })
  }
  if (invoice.status !== 'paid') {
    throw invalidRequest(
      `This PaymentIntent (${payment_intent}) does not have a successful charge to refund.`,
    )
  }
  const refunded = await save(trx, INVOICES, { ...invoice, refundedAtS: nowS(world) })
  return { body: toPlanRefund(refunded), happened: [told('refund.created', toPlanRefund(refunded))] }
}

const newConfiguration = z.strictObject({
  name: z.string().max(250),
  metadata,
  features: z.strictObject({
    customer_update: z.strictObject({
      enabled: yes,
      allowed_updates: z.record(z.string(), z.enum(['name', 'address', 'tax_id', 'phone'])),
    }),
    invoice_history: z.strictObject({ enabled: yes }),
    payment_method_update: z.strictObject({ enabled: yes }),
    subscription_cancel: z.strictObject({
      enabled: yes,
      mode: z.literal('at_period_end'),
      proration_behavior: z.literal('none'),
    }),
    subscription_update: z.strictObject({
      enabled: yes,
      default_allowed_updates: z.strictObject({ 0: z.literal('price') }),
      products: z.record(
        z.string(),
        z.strictObject({ product: z.string(), prices: z.record(z.string(), z.string()) }),
      ),
      proration_behavior: z.literal('always_invoice'),
      schedule_at_period_end: z.strictObject({
        conditions: z.strictObject({ 0: z.strictObject({ type: z.literal('decreasing_item_amount') }) }),
      }),
    }),
  }),
})

export const createConfiguration: Operation = async (world, { trx, body }) => {
  const asked = parseBody(newConfiguration, body)
  const configuration = await add(trx, CONFIGURATIONS, {
    id: newId('bpc'),
    ...asked,
    createdS: nowS(world),
  })
  return {
    body: toConfiguration(configuration),
    happened: [told('billing_portal.configuration.created', toConfiguration(configuration))],
  }
}

const afterCompletion = z.strictObject({
  type: z.literal('redirect'),
  redirect: z.strictObject({ return_url: webUrl }),
})
const flowData = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('payment_method_update'), after_completion: afterCompletion }),
  z.strictObject({
    type: z.literal('subscription_cancel'),
    after_completion: afterCompletion,
    subscription_cancel: z.strictObject({ subscription: z.string() }),
  }),
  z.strictObject({
    type: z.literal('subscription_update_confirm'),
    after_completion: afterCompletion,
    subscription_update_confirm: z.strictObject({
      subscription: z.string(),
      items: z.strictObject({
        0: z.strictObject({ id: z.string(), price: z.string(), quantity: z.literal('1') }),
      }),
    }),
  }),
])
const newPortal = z.strictObject({
  customer: z.string(),
  return_url: webUrl,
  configuration: z.string(),
  flow_data: flowData.optional(),
})

export const createPortal: Operation = async (world, { trx, origin, body }) => {
  const asked = parseBody(newPortal, body)
  const customer = await getLiveCustomer(trx, asked.customer)
  if ((await find(trx, CONFIGURATIONS, asked.configuration)) === null) {
    throw noSuch('configuration', asked.configuration)
  }
  const flow = asked.flow_data === undefined ? null : toFlow(asked.flow_data)
  if (flow !== null) await refuseDone(trx, customer, flow, asked.flow_data)
  const portal = await add(trx, PORTALS, {
    id: newId('bps'),
    customerId: customer.id,
    configurationId: asked.configuration,
    createdS: nowS(world),
    returnUrl: asked.return_url,
    flow,
  })
  return { body: toPortalSession(portal, origin), happened: [] }
}

type Flow = NonNullable<SandboxPortal['flow']>

function toFlow(asked: z.infer<typeof flowData>): Flow {
  const doneUrl = asked.after_completion.redirect.return_url
  switch (asked.type) {
    case 'payment_method_update':
      return { type: asked.type, subscriptionId: null, priceId: null, doneUrl }
    case 'subscription_cancel': {
      const { subscription } = asked.subscription_cancel
      return { type: asked.type, subscriptionId: subscription, priceId: null, doneUrl }
    }
    case 'subscription_update_confirm': {
      const { subscription, items } = asked.subscription_update_confirm
      return { type: asked.type, subscriptionId: subscription, priceId: items[0].price, doneUrl }
    }
  }
}

/** Stripe opens no page for what was done already. @throws StripeFault */
async function refuseDone(
  trx: Trx,
  customer: SandboxCustomer,
  flow: Flow,
  asked: z.infer<typeof flowData> | undefined,
): Promise<void> {
  if (flow.subscriptionId === null) return
  const subscription = await find(trx, SUBSCRIPTIONS, flow.subscriptionId)
  if (subscription?.customerId !== customer.id) throw noSuch('subscription', flow.subscriptionId)
  if (subscription.endedAtS !== null) throw invalidRequest('This subscription is already canceled.')
  if (flow.type === 'subscription_cancel' && subscription.cancelsAtPeriodEnd) {
    throw invalidRequest('This subscription is already set to be canceled at the end of its period.')
  }
  if (asked?.type !== 'subscription_update_confirm') return
  if (asked.subscription_update_confirm.items[0].id !== itemIdOf(subscription)) {
    throw noSuch('subscription_item', asked.subscription_update_confirm.items[0].id)
  }
  if (flow.priceId !== null) getPrice(flow.priceId)
  if (flow.priceId === subscription.priceId) {
    throw invalidRequest('There are no changes to confirm: the subscription has this price already.')
  }
}

/** A session that nobody ended is over a day after it was made. */
export async function findCheckout(
  world: Pick<StandIn, 'now'>,
  db: Db,
  id: string,
  options: { readonly lock?: boolean } = {},
): Promise<SandboxPlanCheckout | null> {
  const checkout = await find(db, CHECKOUTS, id, options)
  return checkout === null ? null : atInstant(checkout, nowS(world))
}

export async function listCheckouts(
  world: Pick<StandIn, 'now'>,
  db: Db,
  customerId: string,
): Promise<SandboxPlanCheckout[]> {
  const checkouts = await list(db, CHECKOUTS, { customerId })
  return checkouts.map((checkout) => atInstant(checkout, nowS(world)))
}

function atInstant(checkout: SandboxPlanCheckout, atS: number): SandboxPlanCheckout {
  const isOver = checkout.status === 'open' && atS >= checkout.createdS + SESSION_LIFETIME_S
  return isOver ? { ...checkout, status: 'expired' } : checkout
}

/** @throws StripeFault when it was deleted, or never was */
export async function getLiveCustomer(db: Db, id: string): Promise<SandboxCustomer> {
  const customer = await find(db, CUSTOMERS, id)
  if (customer === null || customer.isDeleted) throw noSuch('customer', id)
  return customer
}
