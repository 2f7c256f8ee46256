import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { type Html, html } from '#sandbox/kit/html.ts'
import { sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import { CardRefusedError, parseCardNumber } from './cards.ts'
import {
  type BillingSandboxContext,
  changeCustomer,
  findCustomer,
  type SandboxCustomer,
  type SandboxSubscription,
} from './customers.ts'
import {
  describeSubscriptionStatus,
  formatCard,
  formatMonthlyPrice,
  formatUtcDay,
  renderCardForm,
  sendNotFoundPage,
} from './page-parts.ts'
import { getPrice, PLAN_PRICES } from './prices.ts'
import { changePlan, setCancelsAtPeriodEnd } from './subscription-changes.ts'

/** The portal page to open. Pages other than `home` redirect to `return` after the change. */
const portalQuery = z.object({
  page: z.enum(['home', 'card', 'cancel', 'change']),
  subscription: z.string().max(100).default(''),
  price: z.string().max(100).default(''),
  return: z.url({ protocol: /^https?$/ }),
})
type PortalQuery = z.infer<typeof portalQuery>

const portalForm = z.object({
  action: z.enum(['change', 'cancel', 'keep', 'card']),
  subscription: z.string().max(100).default(''),
  price: z.string().max(100).default(''),
  card: z.string().max(50).default(''),
})

type ById = { readonly Params: { readonly id: string } }

/** Registers the portal where owners change their plan and card. */
export function registerBillingPortal(app: FastifyInstance, world: BillingSandboxContext): void {
  app.get<ById>('/p/session/:id', async (request, reply) =>
    sendPortal(reply, world, request.params.id, portalQuery.parse(request.query)),
  )

  app.post<ById>('/p/session/:id', async (request, reply) => {
    const query = portalQuery.parse(request.query)
    const { id } = request.params
    const form = portalForm.parse(request.body)
    try {
      await changeCustomer(world, id, (customer) => submitForm(customer, form, world.now()))
    } catch (error) {
      if (error instanceof CardRefusedError) return sendPortal(reply, world, id, query, error.message)
      throw error
    }
    return reply.redirect(query.page === 'home' ? request.url : query.return, 303)
  })
}

/** @throws CardRefusedError */
function submitForm(
  customer: SandboxCustomer,
  form: z.infer<typeof portalForm>,
  nowMs: number,
): SandboxCustomer {
  if (form.action === 'card') return { ...customer, card: parseCardNumber(form.card) }
  const subscription = customer.subscriptions.find(({ id }) => id === form.subscription)
  if (subscription === undefined || subscription.endedAtMs !== null) return customer
  if (form.action === 'change') return changePlan(customer, subscription, form.price, nowMs)
  return setCancelsAtPeriodEnd(customer, subscription, form.action === 'cancel')
}

async function sendPortal(
  reply: FastifyReply,
  { db, now }: BillingSandboxContext,
  id: string,
  query: PortalQuery,
  refusal: string | null = null,
) {
  const customer = await findCustomer(db, id)
  if (customer === null || customer.isDeleted) return sendNotFoundPage(reply, 'Your plan')
  const { title, part } = toPart(customer, query)
  const body = html`${part}
<p><a class="button" href="${query.return}">Return to Meridian</a></p>
<p class="soft">Today is ${formatUtcDay(now())} here. <a href="/dashboard">Dashboard of the operator</a></p>`
  return sendSandboxPage(reply, { provider: 'Billing', title, alert: refusal, body })
}

function toPart(customer: SandboxCustomer, { page, subscription: id, price }: PortalQuery) {
  const card = renderCardForm(
    html`<button class="main" name="action" value="card">Save card</button>`,
    html`<h2>Card</h2><p class="soft">Now: ${formatCard(customer.card)}.</p>`,
  )
  if (page === 'card') return { title: 'Change your card', part: card }
  const subscription = customer.subscriptions.find((known) => known.id === id)
  if (page === 'home' || subscription === undefined) {
    const running = customer.subscriptions.filter(({ endedAtMs }) => endedAtMs === null)
    const plans = running.map(toPlanCard)
    const noPlan = html`<p>You have no plan at the moment.</p>`
    return { title: 'Your plan', part: html`${plans.length === 0 ? noPlan : plans}${card}` }
  }
  if (page === 'change') {
    const part = html`<div class="card">${toChangeForm(subscription, price)}</div>`
    return { title: 'Confirm your plan', part }
  }
  const part = html`<div class="card">
<p>${getPrice(subscription.priceId).name} stays until ${formatUtcDay(subscription.periodEndMs)}. Nothing is charged after that.</p>
${toButton(subscription, 'cancel', 'End the plan')}
</div>`
  return { title: 'End your plan', part }
}

function toPlanCard(subscription: SandboxSubscription): Html {
  const { priceId, cancelsAtPeriodEnd, nextPriceId } = subscription
  const { name } = getPrice(priceId)
  const others = PLAN_PRICES.filter((price) => price.priceId !== priceId)
  const buttons =
    cancelsAtPeriodEnd || nextPriceId !== null
      ? [toButton(subscription, 'keep', `Keep ${name}`)]
      : [
          ...others.map((price) => toChangeForm(subscription, price.priceId)),
          toButton(subscription, 'cancel', 'End the plan'),
        ]
  return html`<section class="card">
<h2>${name}</h2>
<p class="amount">${formatMonthlyPrice(priceId)}</p>
<p class="soft">${describeSubscriptionStatus(subscription)}</p>
${buttons}
</section>`
}

function toChangeForm(subscription: SandboxSubscription, priceId: string): Html {
  const [from, to] = [getPrice(subscription.priceId), getPrice(priceId)]
  const consequence =
    to.amountCents > from.amountCents
      ? 'It begins at once, and you pay the difference now.'
      : `It begins on ${formatUtcDay(subscription.periodEndMs)}. Until then you keep ${from.name}.`
  return html`<p>${to.name}, ${formatMonthlyPrice(priceId)}<br><span class="soft">${consequence}</span></p>
${toButton(subscription, 'change', `Change to ${to.name}`, priceId)}`
}

function toButton({ id }: SandboxSubscription, action: string, label: string, priceId = ''): Html {
  return html`<form class="actions" method="post">
<input type="hidden" name="subscription" value="${id}">
<input type="hidden" name="price" value="${priceId}">
<button name="action" value="${action}">${label}</button>
</form>`
}
