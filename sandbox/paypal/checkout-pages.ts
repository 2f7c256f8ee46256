import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { html } from '#sandbox/kit/html.ts'
import { withQuery } from '#sandbox/kit/oauth.ts'
import { findSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import { sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import { formatMoney } from '#server/platform/format-money.ts'
import { PAYMENT_INSTRUMENTS, paymentInstrumentSchema, type SandboxOrder } from './order.ts'
import { toOrderResource } from './resources.ts'
import { changeOrder, ORDER_COLLECTION, type PaypalSandboxContext } from './world.ts'

const attempt = z.object({
  action: z.enum(['pay', 'decline']),
  instrument: paymentInstrumentSchema.default('balance'),
})

const DECLINED = 'Your bank declined this payment. Please choose another way to pay.'

/** Registers the page where a customer approves an order. As at PayPal, 'Back' does not cancel the order. */
export function registerCheckoutPages(app: FastifyInstance, world: PaypalSandboxContext): void {
  app.get<{ Querystring: { token?: string } }>('/checkoutnow', async (request, reply) => {
    const order = await findSandboxObject(world.db, ORDER_COLLECTION, request.query.token ?? '')
    return sendCheckout(reply, order, null)
  })

  app.post<{ Querystring: { token?: string } }>('/checkoutnow', async (request, reply) => {
    const tried = attempt.parse(request.body)
    const order = await changeOrder(world, request.query.token ?? '', (before) => {
      if (before.status !== 'PAYER_ACTION_REQUIRED' || tried.action === 'decline') return null
      const after: SandboxOrder = { ...before, status: 'APPROVED', instrument: tried.instrument }
      const type = 'CHECKOUT.ORDER.APPROVED'
      return {
        order: after,
        events: [{ type, clientId: before.clientId, resource: toOrderResource(after, '') }],
      }
    })
    if (order === null || order.status === 'PAYER_ACTION_REQUIRED')
      return sendCheckout(reply, order, DECLINED)
    return reply.redirect(withToken(order.returnUrl, order, { PayerID: 'SANDBXPAYERAA' }), 303)
  })
}

/** Adds the order's id to a URL, as PayPal does. */
function withToken(address: string, { id }: SandboxOrder, more: Record<string, string> = {}): string {
  return withQuery(address, { token: id, ...more })
}

function sendCheckout(reply: FastifyReply, order: SandboxOrder | null, refusal: string | null): FastifyReply {
  const page = { provider: 'PayPal', title: 'Pay with PayPal' }
  if (order === null) return sendSandboxPage(reply.code(404), { ...page, alert: 'There is no such order.' })
  if (order.status !== 'PAYER_ACTION_REQUIRED') {
    const body = html`<p>You have agreed to this payment.</p>
<p><a class="button" href="${withToken(order.returnUrl, order)}">Return to the booking page</a></p>`
    return sendSandboxPage(reply, { ...page, body })
  }
  const choices = Object.entries(PAYMENT_INSTRUMENTS).map(
    ([name, what]) => html`<option value="${name}">${what}</option>`,
  )
  const body = html`<div class="card">
<p class="soft">${order.description}</p>
<p class="amount">${formatMoney(order)}</p>
<p class="soft">For ${order.customerEmail}, to ${order.merchantId}</p>
</div>
<form class="card" method="post">
<label for="instrument">Pay with</label>
<select id="instrument" name="instrument">${choices}</select>
<div class="actions">
<button class="main" name="action" value="pay">Pay ${formatMoney(order)}</button>
<button name="action" value="decline">Decline</button>
</div>
</form>
<p><a class="button" href="${withToken(order.cancelUrl, order)}">Back</a></p>
<p class="soft"><a href="/dashboard">The owner’s PayPal account</a></p>`
  return sendSandboxPage(reply, { ...page, alert: refusal, body })
}
