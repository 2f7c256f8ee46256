import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { html } from '#sandbox/kit/html.ts'
import { saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import { sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import { formatMoney } from '#server/platform/format-money.ts'
import { decidePaymentAttempt, isPaymentOpen, type SandboxPayment, TEST_CARDS } from './payment.ts'
import { paymentKeyFromId, resourceIdsOf, toCheckoutSessionResource } from './resources.ts'
import { findPayment, PAYMENT_COLLECTION, runAndSendEvents, type StripeSandboxContext } from './world.ts'

const WORKING_CARD = '4242 4242 4242 4242'
const DECLINED_CARD = '4000 0000 0000 0002'

/** The buttons of the page: pay with the typed card, be declined, or answer the bank's confirmation request. */
const attempt = z.object({
  action: z.enum(['pay', 'decline', 'approve', 'reject']),
  card: z.string().max(50).default(''),
})

/** Registers the page where a customer pays. As at Stripe, 'Back' does not cancel the payment. */
export function registerCheckoutPages(app: FastifyInstance, world: StripeSandboxContext): void {
  app.get<{ Params: { id: string } }>('/c/pay/:id', async (request, reply) => {
    const payment = await findPayment(world, world.db, paymentKeyFromId(request.params.id))
    return sendCheckout(reply, payment, null)
  })

  app.post<{ Params: { id: string } }>('/c/pay/:id', async (request, reply) => {
    const tried = attempt.parse(request.body)
    const { payment, refusal } = await runAndSendEvents(world, async (trx) => {
      const before = await findPayment(world, trx, paymentKeyFromId(request.params.id), { lock: true })
      if (before === null || !isPaymentOpen(before)) return { payment: before, refusal: null, events: [] }
      const { payment: after, refusal } = decide(before, tried)
      await saveSandboxObject(trx, PAYMENT_COLLECTION, after.key, after)
      return { payment: after, refusal, events: isPaymentOpen(after) ? [] : [completed(after)] }
    })
    if (payment !== null && (payment.status === 'paid' || payment.status === 'processing')) {
      return reply.redirect(returnUrl(payment), 303)
    }
    return sendCheckout(reply, payment, refusal)
  })
}

function decide(payment: SandboxPayment, { action, card }: z.infer<typeof attempt>) {
  switch (action) {
    case 'pay':
      return decidePaymentAttempt(payment, card)
    case 'decline':
      return decidePaymentAttempt(payment, DECLINED_CARD)
    case 'approve':
      return payment.status === 'requires_action'
        ? { payment: { ...payment, status: 'paid' as const }, refusal: null }
        : { payment, refusal: null }
    case 'reject':
      return {
        payment: { ...payment, status: 'open' as const },
        refusal: 'We are unable to authenticate your payment method.',
      }
  }
}

function completed(payment: SandboxPayment) {
  const object = toCheckoutSessionResource(payment, { origin: '', isExpanded: false })
  return { type: 'checkout.session.completed', accountId: payment.accountId, object } as const
}

function returnUrl(payment: SandboxPayment): string {
  return payment.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', resourceIdsOf(payment).session)
}

function sendCheckout(reply: FastifyReply, payment: SandboxPayment | null, refusal: string | null) {
  if (payment === null) {
    const alert = 'There is no such checkout.'
    return sendSandboxPage(reply.code(404), { provider: 'Stripe', title: 'Checkout', alert })
  }
  if (!isPaymentOpen(payment)) return sendEnded(reply, payment)
  const form = payment.status === 'open' ? cardForm(payment) : bankForm()
  const body = html`<div class="card">
<p class="soft">${payment.description}</p>
<p class="amount">${formatMoney(payment)}</p>
<p class="soft">For ${payment.customerEmail}</p>
</div>
${form}
<p><a class="button" href="${payment.cancelUrl}">Back</a></p>
<p class="soft"><a href="/dashboard">Dashboard of the account</a></p>`
  return sendSandboxPage(reply, { provider: 'Stripe', title: 'Pay by card', alert: refusal, body })
}

function cardForm(payment: SandboxPayment) {
  const cards = Object.entries(TEST_CARDS).map(
    ([number, { what }]) => html`<dt>${number.replace(/(.{4})(?=.)/g, '$1 ')}</dt><dd>${what}</dd>`,
  )
  return html`<form class="card" method="post">
<label for="card">Card number</label>
<input id="card" name="card" value="${WORKING_CARD}" maxlength="50" autocomplete="off" required>
<div class="actions">
<button class="main" name="action" value="pay">Pay ${formatMoney(payment)}</button>
<button name="action" value="decline">Decline</button>
</div>
<details><summary>Numbers for other outcomes</summary><dl>${cards}</dl></details>
</form>`
}

function bankForm() {
  return html`<form class="card" method="post">
<p>Your bank asks whether this is you.</p>
<div class="actions">
<button class="main" name="action" value="approve">Approve payment</button>
<button name="action" value="reject">Reject</button>
</div>
</form>`
}

function sendEnded(reply: FastifyReply, payment: SandboxPayment) {
  const isThrough = payment.status === 'paid' || payment.status === 'processing'
  const sentence = isThrough ? 'This checkout is complete.' : 'This checkout has ended. Nothing was paid.'
  const url = isThrough ? returnUrl(payment) : payment.cancelUrl
  const body = html`<p>${sentence}</p><p><a class="button" href="${url}">Return to the booking page</a></p>`
  return sendSandboxPage(reply, { provider: 'Stripe', title: 'Checkout', body })
}
