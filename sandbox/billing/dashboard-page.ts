import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type Html, html } from '#sandbox/kit/html.ts'
import { sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import {
  type BillingSandboxContext,
  changeCustomer,
  listCustomers,
  type SandboxCustomer,
  type SandboxSubscription,
} from './customers.ts'
import { describeSubscriptionStatus, formatCard, formatMonthlyPrice, formatUtcDay } from './page-parts.ts'
import { getPrice, UNKNOWN_PRICE } from './prices.ts'
import {
  deleteCustomer,
  endSubscription,
  endUnpaidSubscription,
  letMonthPass,
  replaceSubscription,
  retryPayment,
} from './subscription-changes.ts'

type Change = (customer: SandboxCustomer, subscription: SandboxSubscription, nowMs: number) => SandboxCustomer

/** The operator's actions on a subscription, by the value of their button. */
const ACTIONS = {
  month: letMonthPass,
  retry: retryPayment,
  cancel_unpaid: endUnpaidSubscription,
  leave_unpaid: (customer, subscription) =>
    replaceSubscription(customer, { ...subscription, status: 'unpaid' }),
  end: endSubscription,
  unknown_price: (customer, subscription) =>
    replaceSubscription(customer, { ...subscription, priceId: UNKNOWN_PRICE.priceId, nextPriceId: null }),
} as const satisfies Record<string, Change>
type Action = keyof typeof ACTIONS

const actionForm = z.object({ action: z.enum(Object.keys(ACTIONS) as Action[]) })

type ById = { readonly Params: { readonly id: string } }

/**
 * Registers the operator's dashboard, which lets months pass, lets payments fail, and changes plans without Meridian's
 * knowledge.
 */
export function registerBillingDashboard(app: FastifyInstance, world: BillingSandboxContext): void {
  app.get('/dashboard', async (_request, reply) => {
    const customers = await listCustomers(world.db)
    const body = html`<p class="soft">Today is ${formatUtcDay(world.now())} here. This is the operator's own account.</p>
${toOutageCard(world.isDown)}
${customers.length === 0 ? html`<p>Nobody has bought a plan yet.</p>` : customers.map(toCustomerCard)}`
    return sendSandboxPage(reply, { provider: 'Billing', title: 'Dashboard', body })
  })

  app.post<ById>('/dashboard/subscriptions/:id', async (request, reply) => {
    const { action } = actionForm.parse(request.body)
    const { id } = request.params
    await changeCustomer(world, id, (customer) => {
      const subscription = customer.subscriptions.find((known) => known.id === id)
      if (subscription === undefined || !listActions(subscription).includes(action)) return customer
      return ACTIONS[action](customer, subscription, world.now())
    })
    return reply.redirect('/dashboard', 303)
  })

  app.post<ById>('/dashboard/customers/:id/delete', async (request, reply) => {
    const remove = (customer: SandboxCustomer) => deleteCustomer(customer, world.now())
    await changeCustomer(world, request.params.id, remove, 'customer.deleted')
    return reply.redirect('/dashboard', 303)
  })

  app.post('/dashboard/outage', async (request, reply) => {
    const { action } = z.object({ action: z.enum(['begin', 'end']) }).parse(request.body)
    world.isDown = action === 'begin'
    return reply.redirect('/dashboard', 303)
  })
}

function toOutageCard(isDown: boolean): Html {
  const [state, action, label] = isDown
    ? ['The provider does not answer the product. These pages work.', 'end', 'Answer again']
    : ['The provider answers the product.', 'begin', 'Stop answering']
  return html`<form class="card" method="post" action="/dashboard/outage">
<p>${state}</p>
<div class="actions"><button name="action" value="${action}">${label}</button></div>
</form>`
}

function toCustomerCard({ id, email, name, card, isDeleted, subscriptions }: SandboxCustomer): Html {
  const deletion = html`<form class="actions" method="post" action="/dashboard/customers/${id}/delete">
<button>Delete the customer</button>
</form>`
  return html`<section class="card">
<h2>${email}</h2>
<p class="soft">${isDeleted ? 'This customer was deleted.' : `${name} · ${formatCard(card)}`}</p>
${subscriptions.map(toSubscriptionPart)}
${isDeleted ? '' : deletion}
</section>`
}

const LABELS: Readonly<Record<Action, string>> = {
  month: 'A month later',
  retry: 'Try the payment again',
  cancel_unpaid: 'Give up on the payment: end the plan',
  leave_unpaid: 'Give up on the payment: leave it unpaid',
  unknown_price: 'Give it a price that Meridian does not know',
  end: 'End the plan now',
}

function toSubscriptionPart(subscription: SandboxSubscription): Html {
  const { id, priceId } = subscription
  const buttons = listActions(subscription).map(
    (action) => html`<button name="action" value="${action}">${LABELS[action]}</button>`,
  )
  return html`<p>${getPrice(priceId).name}, ${formatMonthlyPrice(priceId)}<br>
<span class="soft">${id}<br>${describeSubscriptionStatus(subscription)}</span></p>
<form class="actions" method="post" action="/dashboard/subscriptions/${id}">${buttons}</form>`
}

function listActions({ status, endedAtMs, priceId }: SandboxSubscription): readonly Action[] {
  if (endedAtMs !== null) return []
  return [
    'month',
    ...(status === 'past_due' || status === 'unpaid' ? (['retry'] as const) : []),
    ...(status === 'past_due' ? (['cancel_unpaid', 'leave_unpaid'] as const) : []),
    ...(priceId === UNKNOWN_PRICE.priceId ? [] : (['unknown_price'] as const)),
    'end',
  ]
}
