import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { html } from '#sandbox/kit/html.ts'
import { sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import { formatMoney } from '#server/platform/format-money.ts'
import { CardRefusedError, canChargeForRenewals, parseCardNumber } from './cards.ts'
import {
  type BillingSandboxContext,
  changeCustomer,
  findCustomer,
  type SandboxCheckout,
  type SandboxCustomer,
} from './customers.ts'
import {
  describeInvoiceStatus,
  formatMonthlyPrice,
  formatUtcDay,
  renderCardForm,
  sendNotFoundPage,
} from './page-parts.ts'
import { getPrice } from './prices.ts'
import { isCheckoutOpen, payCheckout, payOpenInvoices } from './subscription-changes.ts'

type ById = { readonly Params: { readonly id: string } }

const cardForm = z.object({ card: z.string().max(50) })

/** Registers the pages where owners pay: the checkout of a plan, and an invoice whose payment failed. */
export function registerPaymentPages(app: FastifyInstance, world: BillingSandboxContext): void {
  app.get<ById>('/c/pay/:id', async (request, reply) => sendCheckout(reply, world, request.params.id))

  app.post<ById>('/c/pay/:id', async (request, reply) => {
    const { id } = request.params
    try {
      const card = parseCardNumber(cardForm.parse(request.body).card)
      const customer = await changeCustomer(
        world,
        id,
        (before) => {
          const checkout = findCheckout(before, id)
          const canPay = checkout !== null && isCheckoutOpen(checkout, world.now())
          return canPay ? payCheckout(before, checkout, card, world.now()) : before
        },
        'checkout.session.completed',
      )
      const checkout = findCheckout(customer, id)
      if (checkout?.status === 'paid') return reply.redirect(checkout.successUrl, 303)
    } catch (error) {
      if (error instanceof CardRefusedError) return sendCheckout(reply, world, id, error.message)
      throw error
    }
    return sendCheckout(reply, world, id)
  })

  app.get<ById>('/i/:id', async (request, reply) => sendInvoice(reply, world, request.params.id))

  app.post<ById>('/i/:id', async (request, reply) => {
    const { id } = request.params
    try {
      const card = parseCardNumber(cardForm.parse(request.body).card)
      if (!canChargeForRenewals(card)) throw new CardRefusedError('Your card was declined.')
      await changeCustomer(world, id, (customer) => {
        const invoice = customer.invoices.find((known) => known.id === id)
        const subscription = customer.subscriptions.find((known) => known.id === invoice?.subscriptionId)
        return subscription === undefined ? customer : payOpenInvoices({ ...customer, card }, subscription)
      })
    } catch (error) {
      if (error instanceof CardRefusedError) return sendInvoice(reply, world, id, error.message)
      throw error
    }
    return reply.redirect(`/i/${id}`, 303)
  })
}

function findCheckout(customer: SandboxCustomer | null, id: string): SandboxCheckout | null {
  return customer?.checkouts.find((checkout) => checkout.id === id) ?? null
}

async function sendCheckout(
  reply: FastifyReply,
  { db, now }: BillingSandboxContext,
  id: string,
  refusal: string | null = null,
) {
  const customer = await findCustomer(db, id)
  const checkout = findCheckout(customer, id)
  if (customer === null || checkout === null) return sendNotFoundPage(reply, 'Subscribe')
  if (!isCheckoutOpen(checkout, now()) || customer.isDeleted) {
    const isPaid = checkout.status === 'paid'
    const body = html`<p>${isPaid ? 'This checkout is paid.' : 'This checkout has expired. Nothing was paid.'}</p>
<p><a class="button" href="${isPaid ? checkout.successUrl : checkout.cancelUrl}">Return to Meridian</a></p>`
    return sendSandboxPage(reply, { provider: 'Billing', title: 'Subscribe', body })
  }
  const body = html`<div class="card">
<p class="soft">${getPrice(checkout.priceId).name}</p>
<p class="amount">${formatMonthlyPrice(checkout.priceId)}</p>
<p class="soft">Paid today and every month until you end it. For ${customer.email}</p>
</div>
${renderCardForm(html`<button class="main">Subscribe</button>`)}
<p><a class="button" href="${checkout.cancelUrl}">Back</a></p>
<p class="soft"><a href="/dashboard">Dashboard of the operator</a></p>`
  return sendSandboxPage(reply, { provider: 'Billing', title: 'Subscribe', alert: refusal, body })
}

async function sendInvoice(
  reply: FastifyReply,
  { db }: BillingSandboxContext,
  id: string,
  refusal: string | null = null,
) {
  const customer = await findCustomer(db, id)
  const invoice = customer?.invoices.find((known) => known.id === id)
  if (customer === null || invoice === undefined) return sendNotFoundPage(reply, 'Invoice')
  const button = html`<button class="main">Pay ${formatMoney(invoice)}</button>`
  const body = html`<section class="card">
<h2>${invoice.number}</h2>
<p class="amount">${formatMoney(invoice)}</p>
<p>${invoice.description}</p>
<p class="soft">For ${customer.name} ${customer.email}<br>
Issued on ${formatUtcDay(invoice.createdMs)} · ${describeInvoiceStatus(invoice)}</p>
</section>
${invoice.status === 'open' ? renderCardForm(button) : ''}`
  return sendSandboxPage(reply, { provider: 'Billing', title: 'Invoice', alert: refusal, body })
}
