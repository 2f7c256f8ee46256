import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { type Html, html } from '#sandbox/kit/html.ts'
import { listSandboxObjects, saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import { sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { formatMoney } from '#server/platform/format-money.ts'
import { disconnect } from './connect-pages.ts'
import { StripeFault } from './fault.ts'
import { refundedCents, type SandboxPayment } from './payment.ts'
import { refundPayment } from './refund-payment.ts'
import { toSession } from './resources.ts'
import {
  ACCOUNTS,
  changeAndNotify,
  findPayment,
  PAYMENTS,
  type PendingEvent,
  type SandboxWorld,
} from './world.ts'

/** Without `amount_cents`, a refund returns the entire remaining amount. */
const paymentAction = z.object({
  action: z.enum(['succeed', 'fail', 'refund']),
  amount_cents: z.coerce.number().int().min(1).optional(),
})

/** Registers the owner's dashboard at Stripe: refunds, payments in progress, and disconnecting. */
export function registerDashboard(app: FastifyInstance, world: SandboxWorld): void {
  app.get('/dashboard', async (_request, reply) => sendDashboard(reply, world))

  app.post<{ Params: { key: string } }>('/dashboard/payments/:key', async (request, reply) => {
    const asked = paymentAction.parse(request.body)
    try {
      await changeAndNotify(world, async (trx) => {
        const payment = await findPayment(world, trx, request.params.key, { lock: true })
        return { events: payment === null ? [] : await act(world, trx, payment, asked) }
      })
    } catch (error) {
      if (error instanceof StripeFault) return sendDashboard(reply.code(400), world, error.message)
      throw error
    }
    return reply.redirect('/dashboard', 303)
  })

  app.post<{ Params: { id: string } }>('/dashboard/accounts/:id/disconnect', async (request, reply) => {
    await disconnect(world, request.params.id)
    return reply.redirect('/dashboard', 303)
  })
}

async function act(
  world: SandboxWorld,
  trx: Trx,
  payment: SandboxPayment,
  { action, amount_cents }: z.infer<typeof paymentAction>,
): Promise<readonly PendingEvent[]> {
  if (action === 'refund') {
    const amountCents = amount_cents ?? payment.amountCents - refundedCents(payment)
    const { events } = await refundPayment(world, trx, payment, { amountCents, metadata: {} })
    return events
  }
  if (payment.status !== 'processing') return []
  const [status, type] =
    action === 'succeed'
      ? (['paid', 'checkout.session.async_payment_succeeded'] as const)
      : (['failed', 'checkout.session.async_payment_failed'] as const)
  const ended = { ...payment, status }
  await saveSandboxObject(trx, PAYMENTS, payment.key, ended)
  const object = toSession(ended, { origin: '', isExpanded: false })
  return [{ type, accountId: payment.accountId, object }]
}

async function sendDashboard(reply: FastifyReply, world: SandboxWorld, refusal?: string) {
  const payments = await listSandboxObjects(world.db, PAYMENTS)
  const accounts = await listSandboxObjects(world.db, ACCOUNTS)
  const connected = accounts.filter(({ isConnected }) => isConnected)
  const body = html`${refusal === undefined ? '' : html`<p class="alert" role="alert">${refusal}</p>`}
${payments.length === 0 ? html`<p>No payments yet.</p>` : payments.map(toPaymentCard)}
${connected.map(({ id }) => toAccountCard(id))}`
  return sendSandboxPage(reply, { provider: 'Stripe', title: 'Dashboard', body })
}

function toPaymentCard(payment: SandboxPayment): Html {
  const refunded = refundedCents(payment)
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
  const canRefund = payment.status === 'paid' && refundedCents(payment) < payment.amountCents
  return canRefund ? [html`<button name="action" value="refund">Refund</button>`] : []
}

function toAccountCard(id: string): Html {
  return html`<section class="card">
<h2>Account</h2>
<p>${id} is connected with Meridian.</p>
<form class="actions" method="post" action="/dashboard/accounts/${id}/disconnect"><button>Disconnect</button></form>
</section>`
}
