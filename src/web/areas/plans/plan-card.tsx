import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import type { PlanTier } from '#core/plans/plan.ts'
import { browserTimeZone, formatMonthDay, localDateOf } from '#web/shared/format-date.ts'
import { formatPrice } from '#web/shared/format-price.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { SunPathPicture } from '#web/ui/day-arc.tsx'
import { Check } from '#web/ui/icons/check.ts'
import { Clock } from '#web/ui/icons/clock.ts'
import { isPaidPlan, type PlansForSale, type PlanViewer, toPlanTier } from './plan-action.ts'
import type { PlanOffer } from './plan-offers.ts'

type PlanCardProps = {
  offer: PlanOffer
  /** The position of the sun in the card's picture, from 0 to 1. */
  sunAt: number
  price: PlanPriceText
  /** True to highlight the plan. For visitors this is the default plan, for owners the recommended one. */
  isMain: boolean
  /** True if this card shows the owner's current plan. */
  isCurrent: boolean
  badge: PlanBadge | null
  /** The button's label; null if the plan has no button. */
  label: string | null
  /** The button's label while the action is pending. */
  pendingLabel: string | undefined
  onChoose: () => void
}

/** Shows a plan's price, features and button. At most one plan has a primary button. */
export function PlanCard(props: PlanCardProps) {
  const { offer, sunAt, price, isMain, isCurrent, badge, label, pendingLabel, onChoose } = props
  return (
    <li
      aria-current={isCurrent || undefined}
      className={`flex flex-col rounded-card border bg-surface p-5 aria-[current]:border-noon sm:p-6 ${isMain ? 'border-noon shadow-pop' : 'border-line shadow-card'}`}
    >
      <div className="flex flex-wrap items-start justify-between gap-2">
        <SunPathPicture at={sunAt} className="h-12" />
        {badge !== null && <Badge tone={badge.tone}>{badge.text}</Badge>}
      </div>
      <h2 className="mt-4 text-2xl">{offer.name}</h2>
      <div className="mt-1 mb-4 text-ink-soft">
        {price.isAmount ? (
          <p>
            <span className="font-display text-3xl font-semibold text-ink">{price.text}</span> per month
          </p>
        ) : (
          <p className="font-display text-2xl/10 font-semibold">{price.text}</p>
        )}
        {price.note !== null && <p className="text-sm">{price.note}</p>}
      </div>
      <ul className="mb-7 space-y-2.5 border-t border-line pt-5">
        {offer.builtOn !== null && <li className="text-ink-soft">All of {offer.builtOn}, and</li>}
        {offer.gives.map(({ text, soon }) => {
          const Icon = soon ? Clock : Check
          return (
            <li key={text} className="flex gap-2.5">
              <Icon
                aria-hidden="true"
                className={`mt-0.5 size-5 shrink-0 ${soon ? 'text-ink-faint' : 'text-noon-ink'}`}
              />
              <span className={soon ? 'text-ink-soft' : 'font-medium'}>
                {text} {soon && <span className="text-sm whitespace-nowrap">(soon)</span>}
              </span>
            </li>
          )
        })}
      </ul>
      {label !== null && (
        <Button
          variant={isMain ? 'primary' : 'secondary'}
          className="mt-auto"
          aria-label={`${pendingLabel ?? label}: ${offer.name}`}
          pending={pendingLabel !== undefined}
          pendingLabel={pendingLabel}
          onClick={onChoose}
        >
          {label}
        </Button>
      )}
    </li>
  )
}

/** A plan's price as text. */
type PlanPriceText = {
  readonly text: string
  /** True if the text is a monthly amount of money, false if it is words such as "Coming soon". */
  readonly isAmount: boolean
  readonly note: string | null
}

/** Returns a plan's price for the viewer. A plan that is not sold here has words instead of a price. Source: rules S6 and S9. */
export function toPlanPrice(tier: PlanTier, viewer: PlanViewer, sale: PlansForSale): PlanPriceText {
  const { default_plan, plans_for_sale } = sale
  const price = plans_for_sale.find((plan) => plan.tier === tier)
  const currency = plans_for_sale[0]?.currency ?? 'eur'
  if (tier === 'free') return amount(formatPrice({ amount_cents: 0, currency }))
  if (tier === default_plan) return words('No charge here')
  if (price !== undefined)
    return amount(formatPrice(price), isGiven(tier, viewer) ? 'Free of charge for you' : null)
  return words(tier === 'enterprise' ? 'Coming soon' : 'Not sold here')
}

/** True if the operator has given the plan to this owner. */
function isGiven(tier: PlanTier, viewer: PlanViewer): boolean {
  if (!viewer.signedIn || viewer.subscription === null || isPaidPlan(viewer.subscription)) return false
  return toPlanTier(viewer.subscription.subscription_tier) === tier
}

function amount(text: string, note: string | null = null): PlanPriceText {
  return { text, isAmount: true, note }
}

function words(text: string): PlanPriceText {
  return { text, isAmount: false, note: null }
}

/** The badge above a plan's name. */
type PlanBadge = { readonly text: string; readonly tone: BadgeTone }

/** Returns the badge of a plan for the viewer; null if the plan has no badge. */
export function toPlanBadge(tier: PlanTier, viewer: PlanViewer, sale: PlansForSale): PlanBadge | null {
  // Show "Open now" only to visitors: owners already know that they can use the default plan.
  if (!viewer.signedIn) return sale.default_plan === tier ? { text: 'Open now', tone: 'noon' } : null
  if (viewer.subscription === null) return null
  const { standing, subscription_tier, subscription_end: end, next_tier } = viewer.subscription
  const day = end === null ? null : formatMonthDay(localDateOf(end, browserTimeZone()))
  if (toPlanTier(subscription_tier) === tier) return ownBadge(standing, day)
  const isNext = next_tier !== null && toPlanTier(next_tier) === tier
  return isNext && day !== null ? { text: `From ${day}`, tone: 'neutral' } : null
}

function ownBadge(standing: SubscriptionResponse['standing'], day: string | null): PlanBadge {
  if (standing === 'past_due' || standing === 'unpaid') return { text: 'Payment failed', tone: 'danger' }
  if (standing === 'ending' && day !== null) return { text: `Ends ${day}`, tone: 'warning' }
  return { text: 'Your plan', tone: 'info' }
}
