import { formatEuro } from '#web/shared/format-money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { DayArc } from '#web/ui/day-arc.tsx'
import type { PlanOffer } from './plan-offers.ts'

type PlanCardProps = {
  offer: PlanOffer
  /** Where the sun stands in the card's picture, 0 to 1. */
  sunAt: number
  /** The plan the owner is on. */
  current: boolean
  onChoose: () => void
}

/** One plan: its price, what it gives, and its button. Only the free plan is there to be had: its button is the sun. */
export function PlanCard({ offer, sunAt, current, onChoose }: PlanCardProps) {
  const label = current ? 'Current Plan' : offer.buttonLabel
  return (
    <li
      aria-current={current || undefined}
      className="flex flex-col rounded-card border border-line bg-surface p-5 shadow-card aria-[current]:border-noon"
    >
      <div className="flex items-start justify-between gap-2">
        <DayArc at={sunAt} className="h-14" />
        {current && <Badge tone="info">Your plan</Badge>}
      </div>
      <h2 className="mt-4 text-2xl">{offer.name}</h2>
      <p className="mt-1 mb-4 text-ink-soft">
        {offer.monthlyPrice === null ? (
          <span className="font-display text-2xl font-semibold">Coming soon</span>
        ) : (
          <>
            <span className="font-display text-2xl font-semibold text-ink">
              {formatEuro(offer.monthlyPrice)}
            </span>{' '}
            per month
          </>
        )}
      </p>
      <ul className="mb-6 space-y-2 border-t border-line pt-4">
        {offer.builtOn !== null && <li className="text-ink-soft">Everything in {offer.builtOn}, and</li>}
        {offer.gives.map((gift) => (
          <li key={gift} className="font-medium">
            {gift}
          </li>
        ))}
      </ul>
      <Button
        variant={offer.tier === 'free' && !current ? 'primary' : 'secondary'}
        className="mt-auto"
        aria-label={`${label}: ${offer.name}`}
        onClick={onChoose}
      >
        {label}
      </Button>
    </li>
  )
}
