import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { type Html, html } from '#sandbox/kit/html.ts'
import { listSandboxObjects } from '#sandbox/kit/sandbox-objects.ts'
import { sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import { formatMoney } from '#server/platform/format-money.ts'
import { PaypalErrorResponse } from './fault.ts'
import { captureStatusOf, type SandboxOrder, sumRefundedCents } from './order.ts'
import { refundOrder } from './refund-order.ts'
import { toCaptureResource } from './resources.ts'
import { changeOrder, ORDER_COLLECTION, type OrderChange, type PaypalSandboxContext } from './world.ts'

/** Without `amount_cents`, a refund returns the entire remaining amount. */
const orderAction = z.object({
  action: z.enum(['accept', 'deny', 'refund']),
  amount_cents: z.coerce.number().int().min(1).optional(),
})

/** Registers the owner's PayPal account: refunds, and reviews of payments. */
export function registerPaypalDashboard(app: FastifyInstance, world: PaypalSandboxContext): void {
  app.get('/dashboard', async (_request, reply) => sendDashboard(reply, world))

  app.post<{ Params: { id: string } }>('/dashboard/orders/:id', async (request, reply) => {
    const { action, amount_cents: amountCents } = orderAction.parse(request.body)
    const { id } = request.params
    try {
      if (action === 'refund') await refundOrder(world, { orderId: id, api: null, amountCents })
      else await changeOrder(world, id, (order) => endReview(order, action))
    } catch (error) {
      if (error instanceof PaypalErrorResponse) return sendDashboard(reply.code(400), world, error.message)
      throw error
    }
    return reply.redirect('/dashboard', 303)
  })
}

function endReview(order: SandboxOrder, action: 'accept' | 'deny'): OrderChange {
  if (order.capture?.status !== 'PENDING') return null
  const status = action === 'accept' ? ('COMPLETED' as const) : ('DECLINED' as const)
  const capture = { ...order.capture, status }
  const after = { ...order, capture }
  const type = action === 'accept' ? 'PAYMENT.CAPTURE.COMPLETED' : 'PAYMENT.CAPTURE.DENIED'
  return {
    order: after,
    events: [{ type, clientId: order.clientId, resource: toCaptureResource(after, capture) }],
  }
}

async function sendDashboard(
  reply: FastifyReply,
  world: PaypalSandboxContext,
  alert?: string,
): Promise<FastifyReply> {
  const orders = await listSandboxObjects(world.db, ORDER_COLLECTION)
  const body = html`${orders.length === 0 ? html`<p>No payments yet.</p>` : orders.map(toOrderCard)}`
  return sendSandboxPage(reply, { provider: 'PayPal', title: 'The owner’s PayPal account', alert, body })
}

function toOrderCard(order: SandboxOrder): Html {
  const back = sumRefundedCents(order)
  const backText = back === 0 ? '' : `, ${formatMoney({ ...order, amountCents: back })} went back`
  const actions = listActions(order)
  const form = html`<form class="actions" method="post" action="/dashboard/orders/${order.id}">${actions}</form>`
  const standing = captureStatusOf(order) ?? order.status
  return html`<section class="card">
<h2>${formatMoney(order)}</h2>
<p>${order.description}<br><span class="soft">${order.customerEmail} · ${standing}${backText}</span></p>
${actions.length === 0 ? '' : form}
</section>`
}

function listActions(order: SandboxOrder): readonly Html[] {
  if (order.capture?.status === 'PENDING') {
    return [
      html`<button name="action" value="accept">Accept the payment</button>`,
      html`<button name="action" value="deny">Deny it</button>`,
    ]
  }
  const canRefund = order.capture?.status === 'COMPLETED' && sumRefundedCents(order) < order.amountCents
  return canRefund ? [html`<button name="action" value="refund">Refund</button>`] : []
}
