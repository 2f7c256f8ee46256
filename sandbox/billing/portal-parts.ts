import { type Html, html } from '#sandbox/kit/html.ts'
import { formatMoney } from '#server/platform/format-money.ts'
import { CARD_FIELDS, CARD_LIST, toAlert } from './card-fields.ts'
import { toDifferenceCents } from './lives.ts'
import { toCardText, toDay, toMonthlyPrice, toStanding } from './plan-words.ts'
import { getPrice, listOtherPlans } from './prices.ts'
import type { SandboxCustomer, SandboxInvoice, SandboxPortal, SandboxSubscription } from './records.ts'

type Shown = {
  readonly portal: SandboxPortal
  readonly customer: SandboxCustomer
  readonly subscriptions: readonly SandboxSubscription[]
  readonly invoices: readonly SandboxInvoice[]
  readonly atS: number
  readonly refusal: string | null
}

/** The portal's first page, or the one thing that it was opened for. */
export function toPortalBody(shown: Shown): { readonly title: string; readonly body: Html } {
  const { portal, refusal, atS } = shown
  const { title, part } = toParts(shown)
  const body = html`${toAlert(refusal)}${part}
<p><a class="button" href="${portal.returnUrl}">Return to Meridian</a></p>
<p class="soft">Today is ${toDay(atS)} here. <a href="/dashboard">Dashboard of the operator</a></p>`
  return { title, body }
}

function toParts(shown: Shown): { readonly title: string; readonly part: Html } {
  const { flow } = shown.portal
  const subscription = shown.subscriptions.find(({ id }) => id === flow?.subscriptionId)
  if (flow?.type === 'payment_method_update') return { title: 'Change your card', part: toCardForm(shown) }
  if (subscription === undefined) return { title: 'Your plan', part: toHome(shown) }
  if (flow?.type === 'subscription_cancel') {
    return { title: 'End your plan', part: toEndForm(subscription) }
  }
  const priceId = flow?.priceId ?? subscription.priceId
  return {
    title: 'Confirm your plan',
    part: html`<div class="card">${toChangeForm(subscription, priceId, shown.atS)}</div>`,
  }
}

function toHome(shown: Shown): Html {
  const running = shown.subscriptions.filter(({ endedAtS }) => endedAtS === null)
  const plans =
    running.length === 0
      ? html`<p>You have no plan at the moment.</p>`
      : running.map((subscription) => toPlanCard(subscription, shown))
  return html`${plans}${toCardForm(shown)}${toInvoiceList(shown.invoices)}`
}

function toPlanCard(subscription: SandboxSubscription, { invoices, atS }: Shown): Html {
  const price = getPrice(subscription.priceId)
  const others = listOtherPlans(subscription.priceId).map((other) =>
    toChangeForm(subscription, other.id, atS),
  )
  const owed = invoices.find(
    ({ subscriptionId, status }) => subscriptionId === subscription.id && status === 'open',
  )
  const pay =
    owed === undefined
      ? ''
      : html`<p><a class="button" href="/i/${owed.id}">Pay ${formatMoney(owed)} now</a></p>`
  const isChanging = subscription.cancelsAtPeriodEnd || subscription.nextPriceId !== null
  const end = isChanging
    ? toButton(subscription, 'keep', `Keep ${price.name}`)
    : toButton(subscription, 'cancel', 'End the plan')
  return html`<section class="card">
<h2>${price.name}</h2>
<p class="amount">${toMonthlyPrice(price)}</p>
<p class="soft">${toStanding(subscription)}</p>
${pay}
${isChanging ? '' : others}
${end}
</section>`
}

function toChangeForm(subscription: SandboxSubscription, priceId: string, atS: number): Html {
  const [from, to] = [getPrice(subscription.priceId), getPrice(priceId)]
  const amountCents = toDifferenceCents(subscription, priceId, atS)
  const what =
    to.amountCents > from.amountCents
      ? `It begins at once. For the rest of this month you pay ${formatMoney({ amountCents, currency: to.currency })} now.`
      : `It begins on ${toDay(subscription.periodEndS)}. Until then you keep ${from.name}.`
  return html`<p>${to.name}, ${toMonthlyPrice(to)}<br><span class="soft">${what}</span></p>
${toButton(subscription, 'change', `Change to ${to.name}`, priceId)}`
}

function toEndForm(subscription: SandboxSubscription): Html {
  const { name } = getPrice(subscription.priceId)
  return html`<div class="card">
<p>${name} stays until ${toDay(subscription.periodEndS)}. Nothing is charged after that.</p>
${toButton(subscription, 'cancel', 'End the plan')}
</div>`
}

function toButton({ id }: SandboxSubscription, action: string, label: string, priceId = ''): Html {
  return html`<form class="actions" method="post">
<input type="hidden" name="subscription" value="${id}">
<input type="hidden" name="price" value="${priceId}">
<button name="action" value="${action}">${label}</button>
</form>`
}

function toCardForm({ customer }: Shown): Html {
  const now = customer.card === null ? 'There is no card yet.' : `Now: ${toCardText(customer.card)}.`
  return html`<form class="card" method="post">
<h2>Card</h2>
<p class="soft">${now}</p>
${CARD_FIELDS}
<div class="actions"><button class="main" name="action" value="card">Save card</button></div>
${CARD_LIST}
</form>`
}

function toInvoiceList(invoices: readonly SandboxInvoice[]): Html {
  const rows = invoices.map(
    (invoice) =>
      html`<p><a href="/i/${invoice.id}">${invoice.number}</a><br>
<span class="soft">${toDay(invoice.createdS)} · ${formatMoney(invoice)} · ${toInvoiceStatus(invoice)}</span></p>`,
  )
  const list = rows.length === 0 ? html`<p class="soft">None yet.</p>` : rows
  return html`<section class="card"><h2>Invoices</h2>${list}</section>`
}

export function toInvoiceStatus({ status, refundedAtS }: SandboxInvoice): string {
  if (refundedAtS !== null) return 'paid, and given back'
  return status === 'open' ? 'not paid' : status
}
