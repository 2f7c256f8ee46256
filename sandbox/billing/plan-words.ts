import { SECOND_MS } from '#core/shared/duration.ts'
import { formatDate } from '#server/platform/format-date.ts'
import { formatMoney } from '#server/platform/format-money.ts'
import { PLAN_CARDS, type SandboxCard } from './cards.ts'
import { getPrice, type SandboxPrice } from './prices.ts'
import type { SandboxSubscription } from './records.ts'

/** A day in UTC, in words. */
export function toDay(seconds: number): string {
  return formatDate(new Date(seconds * SECOND_MS).toISOString().slice(0, 10))
}

export function toMonthlyPrice(price: SandboxPrice): string {
  return `${formatMoney(price)} per month`
}

/** How a subscription stands, in a sentence. */
export function toStanding(subscription: SandboxSubscription): string {
  const { status, endedAtS, nextPriceId, periodEndS } = subscription
  if (endedAtS !== null) {
    const why = subscription.reason === 'payment_failed' ? ', because the payments failed' : ''
    return `Ended on ${toDay(endedAtS)}${why}.`
  }
  if (status === 'past_due') return 'The last payment failed. It is tried again.'
  if (status === 'unpaid') return 'The payments failed, and nobody tries any more.'
  if (subscription.cancelsAtPeriodEnd) return `Ends on ${toDay(periodEndS)}.`
  if (nextPriceId !== null) return `Changes to ${getPrice(nextPriceId).name} on ${toDay(periodEndS)}.`
  return `Renews on ${toDay(periodEndS)}.`
}

/** `visa •••• 4242, 12/2034`. */
export function toCardText({ number, expiryMonth, expiryYear }: SandboxCard): string {
  const brand = PLAN_CARDS[number]?.brand ?? 'card'
  return `${brand} •••• ${number.slice(-4)}, ${String(expiryMonth).padStart(2, '0')}/${expiryYear}`
}
