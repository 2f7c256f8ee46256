import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerOnce } from '#sandbox/stripe/answer-once.ts'
import { invalidRequest, noSuch, StripeFault } from '#sandbox/stripe/fault.ts'
import { originOf } from '#sandbox/stripe/origin.ts'
import { toList } from '#sandbox/stripe/resources.ts'
import type { StandIn } from '#sandbox/stripe/world.ts'
import { getCustomer } from './lives.ts'
import {
  cancelSchedule,
  cancelSubscription,
  createConfiguration,
  createCustomer,
  createPortal,
  createRefund,
  createSession,
  expireSession,
  findCheckout,
  getLiveCustomer,
  listCheckouts,
  type Operation,
  updateCustomer,
} from './operations.ts'
import { isDown } from './outage.ts'
import { getPrice } from './prices.ts'
import { CONFIGURATIONS, CUSTOMERS, find, INVOICES, list, SUBSCRIPTIONS } from './records.ts'
import {
  toConfiguration,
  toCustomer,
  toInvoiceId,
  toInvoicePayment,
  toLiveCustomer,
  toPlanRefund,
  toPrice,
} from './resources.ts'
import { toPlanSession } from './session-resources.ts'
import { toInvoice, toSubscription } from './subscription-resources.ts'

type Query = Readonly<Record<string, string>>
type ById = { readonly Params: { readonly id: string }; readonly Querystring: Query }
type ByQuery = { readonly Querystring: Query }

/** How many a list has unless it is asked for more. Source: https://docs.stripe.com/api/pagination */
const LISTED = 10
/** Whose idempotency keys these are: the operator's own account. */
const OWN_ACCOUNT = 'plans'

/** The part of Stripe Billing that the product uses, for the operator's own account. */
export function registerPlanApi(app: FastifyInstance, world: StandIn): void {
  app.register(async (api) => {
    api.setErrorHandler(sendFault)
    api.addHook('onRequest', async (request, reply) => {
      reply.header('request-id', `req_${request.id}`)
      if (request.headers.authorization !== `Bearer ${world.secretKey}`) {
        throw new StripeFault(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' })
      }
      if (await isDown(world.db)) {
        throw new StripeFault(503, { type: 'api_error', message: 'Stripe is not available at the moment.' })
      }
    })
    registerChanges(api, world)
    registerCustomers(api, world)
    registerSubscriptions(api, world)
    registerPayments(api, world)
  })
}

function registerChanges(api: FastifyInstance, world: StandIn): void {
  const on = (method: 'POST' | 'DELETE', url: string, operation: Operation) =>
    api.route<{ Params: { id?: string } }>({
      method,
      url,
      handler: async (request, reply) => {
        const { body, params } = request
        const key = request.headers['idempotency-key']?.toString()
        const asked = { accountId: OWN_ACCOUNT, key, url: request.url, body }
        const answer = await answerOnce(world, asked, (trx) =>
          operation(world, { trx, id: params.id ?? '', origin: originOf(request), body }),
        )
        if (answer.isReplayed) reply.header('idempotent-replayed', 'true')
        return reply.code(answer.status).send(answer.body)
      },
    })
  on('POST', '/v1/customers', createCustomer)
  on('POST', '/v1/customers/:id', updateCustomer)
  on('POST', '/v1/checkout/sessions', createSession)
  on('POST', '/v1/checkout/sessions/:id/expire', expireSession)
  on('DELETE', '/v1/subscriptions/:id', cancelSubscription)
  on('POST', '/v1/subscription_schedules/:id/cancel', cancelSchedule)
  on('POST', '/v1/billing_portal/configurations', createConfiguration)
  on('POST', '/v1/billing_portal/sessions', createPortal)
  on('POST', '/v1/refunds', createRefund)
}

function registerCustomers(api: FastifyInstance, world: StandIn): void {
  const { db } = world
  api.get<ById>('/v1/prices/:id', async ({ params }) => toPrice(getPrice(params.id)))

  api.get<ById>('/v1/customers/:id', async ({ params, query }) => {
    const customer = await find(db, CUSTOMERS, params.id)
    if (customer === null) throw noSuch('customer', params.id)
    return toCustomer(customer, listExpanded(query))
  })

  api.get<ByQuery>('/v1/customers', async ({ query }) => {
    const customers = await list(db, CUSTOMERS, query.email === undefined ? {} : { email: query.email })
    const live = customers.filter(({ isDeleted }) => !isDeleted).map((customer) => toLiveCustomer(customer))
    return toPage(live, query, '/v1/customers')
  })

  api.get<ById>('/v1/checkout/sessions/:id', async (request) => {
    const checkout = await findCheckout(world, db, request.params.id)
    if (checkout === null) throw noSuch('checkout.session', request.params.id)
    return toPlanSession(checkout, await getCustomer(db, checkout.customerId), originOf(request))
  })

  api.get<ByQuery>('/v1/checkout/sessions', async (request) => {
    const { query } = request
    const customer = await getLiveCustomer(db, query.customer ?? '')
    const checkouts = await listCheckouts(world, db, customer.id)
    const wanted = checkouts.filter(({ status }) => query.status === undefined || query.status === status)
    const sessions = wanted.map((checkout) => toPlanSession(checkout, customer, originOf(request)))
    return toPage(sessions, query, '/v1/checkout/sessions')
  })

  api.get<ByQuery>('/v1/billing_portal/configurations', async ({ query }) => {
    const configurations = await list(db, CONFIGURATIONS)
    return toPage(configurations.map(toConfiguration), query, '/v1/billing_portal/configurations')
  })
}

function registerSubscriptions(api: FastifyInstance, world: StandIn): void {
  const { db } = world
  api.get<ById>('/v1/subscriptions/:id', async ({ params, query }) => {
    const subscription = await find(db, SUBSCRIPTIONS, params.id)
    if (subscription === null) throw noSuch('subscription', params.id)
    const customer = await getCustomer(db, subscription.customerId)
    return toSubscription(subscription, customer, listExpanded(query))
  })

  /** Without a status Stripe lists all but the cancelled ones. */
  api.get<ByQuery>('/v1/subscriptions', async ({ query }) => {
    const { customer: customerId, status } = query
    if (customerId !== undefined) await getLiveCustomer(db, customerId)
    const subscriptions = await list(db, SUBSCRIPTIONS, customerId === undefined ? {} : { customerId })
    const wanted = subscriptions.filter((one) => status === 'all' || one.status !== 'canceled')
    const customers = new Map((await list(db, CUSTOMERS)).map((customer) => [customer.id, customer]))
    const resources = wanted.flatMap((one) => {
      const customer = customers.get(one.customerId)
      return customer === undefined ? [] : [toSubscription(one, customer, listExpanded(query))]
    })
    return toPage(resources, query, '/v1/subscriptions')
  })
}

function registerPayments(api: FastifyInstance, world: StandIn): void {
  const { db } = world
  api.get<ByQuery>('/v1/invoices', async (request) => {
    const { customer, subscription, status } = request.query
    const invoices = await list(db, INVOICES, {
      ...(customer === undefined ? {} : { customerId: customer }),
      ...(subscription === undefined ? {} : { subscriptionId: subscription }),
      ...(status === undefined ? {} : { status }),
    })
    const resources = await Promise.all(
      invoices.map(async (invoice) =>
        toInvoice(invoice, await getCustomer(db, invoice.customerId), originOf(request)),
      ),
    )
    return toPage(resources, request.query, '/v1/invoices')
  })

  api.get<ByQuery>('/v1/invoice_payments', async ({ query }) => {
    const invoice = await find(db, INVOICES, query.invoice ?? '')
    if (invoice === null) throw noSuch('invoice', query.invoice ?? '')
    const payment = toInvoicePayment(invoice)
    const isWanted = query.status === undefined || query.status === payment.status
    return toPage(isWanted ? [payment] : [], query, '/v1/invoice_payments')
  })

  api.get<ByQuery>('/v1/refunds', async ({ query }) => {
    const { payment_intent = '' } = query
    const invoice = await find(db, INVOICES, toInvoiceId(payment_intent))
    if (invoice === null) throw noSuch('payment_intent', payment_intent)
    return toPage(invoice.refundedAtS === null ? [] : [toPlanRefund(invoice)], query, '/v1/refunds')
  })
}

/** What the answer has in full, without the `data.` of lists. */
function listExpanded(query: Query): string[] {
  return Object.entries(query)
    .filter(([name]) => name.startsWith('expand'))
    .map(([, value]) => value.replace(/^data\./, ''))
}

/** One page of a list, after the one that `starting_after` names. */
function toPage<Resource extends { readonly id: string }>(resources: Resource[], query: Query, url: string) {
  const start = resources.findIndex(({ id }) => id === query.starting_after) + 1
  const end = start + Number(query.limit ?? LISTED)
  return { ...toList(resources.slice(start, end), url), has_more: end < resources.length }
}

function sendFault(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = error instanceof StripeFault ? error : invalidRequest(error.message)
  // Asked again at once it would say the same.
  if (fault.status >= 500) reply.header('stripe-should-retry', 'false')
  return reply.code(fault.status).send(fault.body)
}
