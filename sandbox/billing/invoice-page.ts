import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from '#sandbox/kit/html.ts'
import { sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import { inWorld, type StandIn } from '#sandbox/stripe/world.ts'
import { formatMoney } from '#server/platform/format-money.ts'
import { CARD_FIELDS, CARD_LIST, toAlert } from './card-fields.ts'
import { canRenew, readCard, typedCard } from './cards.ts'
import { getCustomer, payOwed, setCard } from './lives.ts'
import { toDay } from './plan-words.ts'
import { toInvoiceStatus } from './portal-parts.ts'
import { find, INVOICES, SUBSCRIPTIONS } from './records.ts'

type ById = { readonly Params: { readonly id: string } }

/** The page of an invoice, where one that is owed can be paid. */
export function registerInvoices(app: FastifyInstance, world: StandIn): void {
  app.get<ById>('/i/:id', async (request, reply) => sendInvoice(reply, world, request.params.id, null))

  app.post<ById>('/i/:id', async (request, reply) => {
    const { id } = request.params
    const { card, refusal } = readCard(typedCard.parse(request.body), world.now())
    if (card === null) return sendInvoice(reply, world, id, refusal)
    if (!canRenew(card, world.now())) return sendInvoice(reply, world, id, 'Your card was declined.')
    await inWorld(world, async (trx) => {
      const invoice = await find(trx, INVOICES, id)
      const subscription =
        invoice === null ? null : await find(trx, SUBSCRIPTIONS, invoice.subscriptionId, { lock: true })
      if (subscription === null) return { happened: [] }
      const customer = await getCustomer(trx, subscription.customerId)
      const changed = await setCard(trx, customer, card)
      return { happened: [...changed, ...(await payOwed(world, trx, subscription))] }
    })
    return reply.redirect(`/i/${id}`, 303)
  })
}

async function sendInvoice(reply: FastifyReply, world: StandIn, id: string, refusal: string | null) {
  const invoice = await find(world.db, INVOICES, id)
  if (invoice === null) {
    const body = html`<p class="alert" role="alert">There is no such invoice.</p>`
    return sendSandboxPage(reply.code(404), { provider: 'Stripe', title: 'Invoice', body })
  }
  const customer = await getCustomer(world.db, invoice.customerId)
  const pay =
    invoice.status === 'open'
      ? html`<form class="card" method="post">
${CARD_FIELDS}
<div class="actions"><button class="main">Pay ${formatMoney(invoice)}</button></div>
${CARD_LIST}
</form>`
      : ''
  const body = html`<section class="card">
<h2>${invoice.number}</h2>
<p class="amount">${formatMoney(invoice)}</p>
<p>${invoice.description}<br>
<span class="soft">${toDay(invoice.periodStartS)} to ${toDay(invoice.periodEndS)}</span></p>
<p class="soft">For ${customer.name ?? ''} ${customer.email ?? ''}<br>
Issued on ${toDay(invoice.createdS)} · ${toInvoiceStatus(invoice)}</p>
</section>
${toAlert(refusal)}
${pay}`
  return sendSandboxPage(reply, { provider: 'Stripe', title: 'Invoice', body })
}
