import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { type Html, html } from '#sandbox/kit/html.ts'
import { sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import { type Happening, inWorld, nowS, type StandIn } from '#sandbox/stripe/world.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { deleteCustomer, end, giveUp, passMonth, retryPayment, setPrice } from './lives.ts'
import { isDown, setDown } from './outage.ts'
import { toCardText, toDay, toMonthlyPrice, toStanding } from './plan-words.ts'
import { getPrice, UNKNOWN_PRICE } from './prices.ts'
import {
  CUSTOMERS,
  find,
  list,
  type SandboxCustomer,
  type SandboxSubscription,
  SUBSCRIPTIONS,
} from './records.ts'

type ById = { readonly Params: { readonly id: string } }

const subscriptionAction = z.object({
  action: z.enum(['month', 'retry', 'cancel_unpaid', 'leave_unpaid', 'end', 'unknown_price']),
})

/** What the operator does at Stripe, and what time does, behind the product's back. */
export function registerPlanDashboard(app: FastifyInstance, world: StandIn): void {
  app.get('/dashboard', async (_request, reply) => sendDashboard(reply, world))

  app.post<ById>('/dashboard/subscriptions/:id', async (request, reply) => {
    const { action } = subscriptionAction.parse(request.body)
    await inWorld(world, async (trx) => {
      const subscription = await find(trx, SUBSCRIPTIONS, request.params.id, { lock: true })
      return { happened: subscription === null ? [] : await act(world, trx, subscription, action) }
    })
    return reply.redirect('/dashboard', 303)
  })

  app.post<ById>('/dashboard/customers/:id/delete', async (request, reply) => {
    await inWorld(world, async (trx) => {
      const customer = await find(trx, CUSTOMERS, request.params.id, { lock: true })
      const isThere = customer !== null && !customer.isDeleted
      return { happened: isThere ? await deleteCustomer(world, trx, customer) : [] }
    })
    return reply.redirect('/dashboard', 303)
  })

  app.post('/dashboard/outage', async (request, reply) => {
    const { action } = z.object({ action: z.enum(['begin', 'end']) }).parse(request.body)
    await inWorld(world, async (trx) => {
      await setDown(trx, action === 'begin')
      return { happened: [] }
    })
    return reply.redirect('/dashboard', 303)
  })
}

async function act(
  world: StandIn,
  trx: Trx,
  subscription: SandboxSubscription,
  action: z.infer<typeof subscriptionAction>['action'],
): Promise<readonly Happening[]> {
  switch (action) {
    case 'month':
      return passMonth(world, trx, subscription)
    case 'retry':
      return retryPayment(world, trx, subscription)
    case 'cancel_unpaid':
      return giveUp(world, trx, subscription, 'canceled')
    case 'leave_unpaid':
      return giveUp(world, trx, subscription, 'unpaid')
    case 'end':
      return end(world, trx, subscription, 'cancellation_requested')
    case 'unknown_price':
      return setPrice(trx, subscription, UNKNOWN_PRICE)
  }
}

async function sendDashboard(reply: FastifyReply, world: StandIn) {
  const customers = await list(world.db, CUSTOMERS)
  const subscriptions = await list(world.db, SUBSCRIPTIONS)
  const cards = customers.map((customer) =>
    toCustomerCard(
      customer,
      subscriptions.filter(({ customerId }) => customerId === customer.id),
    ),
  )
  const body = html`<p class="soft">Today is ${toDay(nowS(world))} here. This is the operator's own account.</p>
${toOutageCard(await isDown(world.db))}
${cards.length === 0 ? html`<p>Nobody has bought a plan yet.</p>` : cards}`
  return sendSandboxPage(reply, { provider: 'Stripe', title: 'Dashboard', body })
}

function toOutageCard(down: boolean): Html {
  const [what, action, label] = down
    ? ['Stripe does not answer the product. These pages work.', 'end', 'Answer again']
    : ['Stripe answers the product.', 'begin', 'Stop answering']
  return html`<form class="card" method="post" action="/dashboard/outage">
<p>${what}</p>
<div class="actions"><button name="action" value="${action}">${label}</button></div>
</form>`
}

function toCustomerCard(customer: SandboxCustomer, subscriptions: readonly SandboxSubscription[]): Html {
  const card = customer.card === null ? 'no card' : toCardText(customer.card)
  const about = customer.isDeleted
    ? html`<p class="soft">This customer was deleted.</p>`
    : html`<p class="soft">${customer.name ?? ''} · ${card}</p>`
  const remove = customer.isDeleted
    ? ''
    : html`<form class="actions" method="post" action="/dashboard/customers/${customer.id}/delete">
<button>Delete the customer</button>
</form>`
  return html`<section class="card">
<h2>${customer.email ?? customer.id}</h2>
${about}
${subscriptions.map(toSubscriptionPart)}
${remove}
</section>`
}

function toSubscriptionPart(subscription: SandboxSubscription): Html {
  const price = getPrice(subscription.priceId)
  const buttons = listActions(subscription).map(
    ([action, label]) => html`<button name="action" value="${action}">${label}</button>`,
  )
  return html`<p>${price.name}, ${toMonthlyPrice(price)}<br>
<span class="soft">${subscription.id}<br>${toStanding(subscription)}</span></p>
<form class="actions" method="post" action="/dashboard/subscriptions/${subscription.id}">${buttons}</form>`
}

function listActions({ status, endedAtS, priceId }: SandboxSubscription): readonly [string, string][] {
  if (endedAtS !== null) return []
  const owing: [string, string][] = [
    ['retry', 'Try the payment again'],
    ['cancel_unpaid', 'Give up on the payment: end the plan'],
    ['leave_unpaid', 'Give up on the payment: leave it unpaid'],
  ]
  const unknown: [string, string][] = [['unknown_price', 'Give it a price that Meridian does not know']]
  return [
    ['month', 'A month later'],
    ...(status === 'past_due' ? owing : []),
    ...(status === 'unpaid' ? owing.slice(0, 1) : []),
    ...(priceId === UNKNOWN_PRICE ? [] : unknown),
    ['end', 'End the plan now'],
  ]
}
