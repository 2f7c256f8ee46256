import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { type Html, html } from '#sandbox/kit/html.ts'
import { listSandboxObjects, saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import { sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { formatMoney } from '#server/platform/format-money.ts'
import { disconnectAccount } from './connect-pages.ts'
import { StripeErrorResponse } from './fault.ts'
import { type SandboxPayment, sumRefundedCents } from './payment.ts'
import { refundPayment } from './refund-payment.ts'
import { toCheckoutSessionResource } from './resources.ts'
import {
  CONNECTED_ACCOUNTS,
  findPayment,
  PAYMENT_COLLECTION,
  type PendingEvent,
  runAndSendEvents,
  type StripeSandboxContext,
} from './world.ts'

/** Without `amount_cents`, a refund returns the entire remaining amount. */
const paymentAction = z.object({
  action: z.enum(['succeed', 'fail', 'refund']),
  amount_cents: z.coerce.number().int().min(1).optional(),
})

/** Registers the owner's dashboard at Stripe: refunds, payments in progress, and disconnecting. */
export function registerStripeDashboard(app: FastifyInstance, world: StripeSandboxContext): void {
  app.get('/dashboard', async (_request, reply) => sendDashboard(reply, world))

  app.post<{ Params: { key: string } }>('/dashboard/payments/:key', async (request, reply) => {
    const asked = paymentAction.parse(request.body)
    try {
      await runAndSendEvents(world, async (trx) => {
        const payment = await findPayment(world, trx, request.params.key, { lock: true })
        return { events: payment === null ? [] : await act(world, trx, payment, asked) }
      })
    } catch (error) {
      if (error instanceof StripeErrorResponse) return sendDashboard(reply.code(400), world, error.message)
      throw error
    }
    return reply.redirect('/dashboard', 303)
  })

  app.post<{ Params: { id: string } }>('/dashboard/accounts/:id/disconnect', async (request, reply) => {
    await disconnectAccount(world, request.params.id)
    return reply.redirect('/dashboard', 303)
  })
}

async function act(
  world: StripeSandboxContext,
  trx: Trx,
  payment: SandboxPayment,
  { action, amount_cents }: z.infer<typeof paymentAction>,
): Promise<readonly PendingEvent[]> {
  if (action === 'refund') {
    const amountCents = amount_cents ?? payment.amountCents - sumRefundedCents(payment)
    const { events } = await refundPayment(world, trx, payment, { amountCents, metadata: {} })
    return events
  }
  if (payment.status !== 'processing') return []
  const [status, type] =
    action === 'succeed'
      ? (['paid', 'checkout.session.async_payment_succeeded'] as const)
      : (['failed', 'checkout.session.async_payment_failed'] as const)
  const ended = { ...payment, status }
  await saveSandboxObject(trx, PAYMENT_COLLECTION, payment.key, ended)
  const object = toCheckoutSessionResource(ended, { origin: '', isExpanded: false })
  return [{ type, accountId: payment.accountId, object }]
}

async function sendDashboard(reply: FastifyReply, world: StripeSandboxContext, alert?: string) {
  const payments = await listSandboxObjects(world.db, PAYMENT_COLLECTION)
  const accounts = await listSandboxObjects(world.db, CONNECTED_ACCOUNTS)
  const connected = accounts.filter(({ isConnected }) => isConnected)
  const body = html`${payments.length === 0 ? html`<p>No payments yet.</p>` : payments.map(toPaymentCard)}
${connected.map(({ id }) => toAccountCard(id))}`
  return sendSandboxPage(reply, { provider: 'Stripe', title: 'Dashboard', alert, body })
}

function toPaymentCard(payment: SandboxPayment): Html {
  const refunded = sumRefundedCents(payment)
  const backText = refunded === 0 ? '' : `, ${formatMoney({ ...payment, amountCents: refunded })} went back`
  return html`<section class="card">
<h2>${formatMoney(payment)}</h2>
<p>${payment.description}<br><span class="soft">${payment.customerEmail} · ${payment.status}${backText}</span></p>
<form class="actions" method="post" action="/dashboard/payments/${payment.key}">${listActions(payment)}</form>
</section>`
}

function listActions(payment: SandboxPayment): readonly Html[] {
  if (payment.status === 'processing') {
    return [
      html`<button name="action" value="succeed">Let it succeed</button>`,
      html`<button name="action" value="fail">Let it fail</button>`,
    ]
  }
  const canRefund = payment.status === 'paid' && sumRefundedCents(payment) < payment.amountCents
  return canRefund ? [html`<button name="action" value="refund">Refund</button>`] : []
}

function toAccountCard(id: string): Html {
  return html`<section class="card">
<h2>Account</h2>
<p>${id} is connected with Meridian.</p>
<form class="actions" method="post" action="/dashboard/accounts/${id}/disconnect"><button>Disconnect</button></form>
</section>`
}
