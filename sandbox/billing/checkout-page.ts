import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from '#sandbox/kit/html.ts'
import { sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import { inWorld, type StandIn } from '#sandbox/stripe/world.ts'
import { CARD_FIELDS, CARD_LIST, toAlert } from './card-fields.ts'
import { readCard, typedCard } from './cards.ts'
import { beginSubscription, getCustomer } from './lives.ts'
import { findCheckout } from './operations.ts'
import { toMonthlyPrice } from './plan-words.ts'
import { getPrice } from './prices.ts'
import type { SandboxCustomer, SandboxPlanCheckout } from './records.ts'

type ById = { readonly Params: { readonly id: string } }

/** The page where an owner pays for a plan. 'Back' is a link, as it is at Stripe: it changes nothing. */
export function registerPlanCheckout(app: FastifyInstance, world: StandIn): void {
  app.get<ById>('/c/pay/:id', async (request, reply) => {
    const checkout = await findCheckout(world, world.db, request.params.id)
    return sendCheckout(reply, world, checkout, null)
  })

  app.post<ById>('/c/pay/:id', async (request, reply) => {
    const typed = typedCard.parse(request.body)
    const { checkout, refusal } = await inWorld(world, async (trx) => {
      const open = await findCheckout(world, trx, request.params.id, { lock: true })
      const { card, refusal } = readCard(typed, world.now())
      if (open?.status !== 'open' || card === null) return { checkout: open, refusal, happened: [] }
      const happened = await beginSubscription(world, trx, open, card)
      return { checkout: { ...open, status: 'complete' as const }, refusal: null, happened }
    })
    if (checkout?.status === 'complete') return reply.redirect(toReturnUrl(checkout), 303)
    return sendCheckout(reply, world, checkout, refusal)
  })
}

function toReturnUrl({ id, successUrl }: SandboxPlanCheckout): string {
  return successUrl.replaceAll('{CHECKOUT_SESSION_ID}', id)
}

async function sendCheckout(
  reply: FastifyReply,
  { db }: StandIn,
  checkout: SandboxPlanCheckout | null,
  refusal: string | null,
) {
  if (checkout === null) {
    const body = html`<p class="alert" role="alert">There is no such checkout.</p>`
    return sendSandboxPage(reply.code(404), { provider: 'Stripe', title: 'Subscribe', body })
  }
  if (checkout.status !== 'open') return sendEnded(reply, checkout)
  return sendOpen(reply, checkout, await getCustomer(db, checkout.customerId), refusal)
}

function sendOpen(
  reply: FastifyReply,
  checkout: SandboxPlanCheckout,
  customer: SandboxCustomer,
  refusal: string | null,
) {
  const price = getPrice(checkout.priceId)
  const body = html`<div class="card">
<p class="soft">${price.name}</p>
<p class="amount">${toMonthlyPrice(price)}</p>
<p class="soft">Paid today and every month until you end it. For ${customer.email ?? 'you'}</p>
</div>
${toAlert(refusal)}
<form class="card" method="post">
${CARD_FIELDS}
<div class="actions"><button class="main">Subscribe</button></div>
${CARD_LIST}
</form>
<p><a class="button" href="${checkout.cancelUrl}">Back</a></p>
<p class="soft"><a href="/dashboard">Dashboard of the operator</a></p>`
  return sendSandboxPage(reply, { provider: 'Stripe', title: 'Subscribe', body })
}

function sendEnded(reply: FastifyReply, checkout: SandboxPlanCheckout) {
  const isThrough = checkout.status === 'complete'
  const sentence = isThrough ? 'This checkout is complete.' : 'This checkout has ended. Nothing was paid.'
  const url = isThrough ? toReturnUrl(checkout) : checkout.cancelUrl
  const body = html`<p>${sentence}</p><p><a class="button" href="${url}">Return to Meridian</a></p>`
  return sendSandboxPage(reply, { provider: 'Stripe', title: 'Subscribe', body })
}
