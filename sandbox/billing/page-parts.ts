import type { FastifyReply } from 'fastify'
import { type Html, html } from '#sandbox/kit/html.ts'
import { sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import { formatDate } from '#server/platform/format-date.ts'
import { formatMoney } from '#server/platform/format-money.ts'
import { TEST_CARDS } from './cards.ts'
import type { SandboxInvoice, SandboxSubscription } from './customers.ts'
import { getPrice } from './prices.ts'

/** Builds a card form, with the test cards listed below it. */
export function renderCardForm(button: Html, intro: Html | string = ''): Html {
  const cards = Object.entries(TEST_CARDS).map(
    ([number, { description }]) =>
      html`<dt>${number.replace(/(.{4})(?=.)/g, '$1 ')}</dt><dd>${description}</dd>`,
  )
  return html`<form class="card" method="post">
${intro}
<label>Card number
<input name="card" value="4242 4242 4242 4242" maxlength="50" autocomplete="off" required></label>
<div class="actions">${button}</div>
<details><summary>Numbers for other outcomes</summary><dl>${cards}</dl></details>
</form>`
}

/** Sends a 404 page. */
export function sendNotFoundPage(reply: FastifyReply, title: string): FastifyReply {
  return sendSandboxPage(reply.code(404), { provider: 'Billing', title, alert: 'This page does not exist.' })
}

/** Formats a day in UTC: "May 4, 2027". */
export function formatUtcDay(ms: number): string {
  return formatDate(new Date(ms).toISOString().slice(0, 10))
}

export function formatMonthlyPrice(priceId: string): string {
  return `${formatMoney(getPrice(priceId))} per month`
}

/** Describes a subscription's state in a sentence. */
export function describeSubscriptionStatus(subscription: SandboxSubscription): string {
  const { status, endedAtMs, nextPriceId, periodEndMs } = subscription
  if (endedAtMs !== null) {
    const reason = subscription.hasFailedForGood ? ', because the payments failed' : ''
    return `Ended on ${formatUtcDay(endedAtMs)}${reason}.`
  }
  if (status === 'past_due') return 'The last payment failed and will be retried.'
  if (status === 'unpaid') return 'The payments failed and will not be retried.'
  if (subscription.cancelsAtPeriodEnd) return `Ends on ${formatUtcDay(periodEndMs)}.`
  if (nextPriceId !== null) return `Changes to ${getPrice(nextPriceId).name} on ${formatUtcDay(periodEndMs)}.`
  return `Renews on ${formatUtcDay(periodEndMs)}.`
}

export function describeInvoiceStatus({ status, isRefunded }: SandboxInvoice): string {
  if (isRefunded) return 'refunded'
  return status === 'open' ? 'not paid' : 'paid'
}

/** Formats a card as `•••• 4242`, or `no card`. */
export function formatCard(card: string | null): string {
  return card === null ? 'no card' : `•••• ${card.slice(-4)}`
}
