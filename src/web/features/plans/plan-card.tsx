import { formatEuro } from '#web/shared/format-money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { DayArc } from '#web/ui/day-arc.tsx'
import { Check } from '#web/ui/icons/check.ts'
import { Clock } from '#web/ui/icons/clock.ts'
import type { PlanOffer } from './plan-offers.ts'

type PlanCardProps = {
  offer: PlanOffer
  /** The position of the sun in the card's picture, 0 to 1. */
  sunAt: number
  /** The plan that comes with a new account. */
  given: boolean
  /** The plan the owner is on. */
  current: boolean
  onChoose: () => void
}

/** One plan: its price, its features, and its button. Only one plan is available, and its button is the primary one. */
export function PlanCard({ offer, sunAt, given, current, onChoose }: PlanCardProps) {
  // Features that other products sell come with each account of this installation.
  const isGift = given && offer.monthlyPrice !== 0
  const openLabel = given ? 'Get Started' : offer.buttonLabel
  const label = current ? 'Your plan' : openLabel
  return (
    <li
      aria-current={current || undefined}
      className={`flex flex-col rounded-card border bg-surface p-5 aria-[current]:border-noon sm:p-6 ${given ? 'border-noon shadow-pop' : 'border-line shadow-card'}`}
    >
      <div className="flex flex-wrap items-start justify-between gap-2">
        <DayArc at={sunAt} className="h-12" />
        {current ? <Badge tone="info">Your plan</Badge> : given && <Badge tone="noon">Open now</Badge>}
      </div>
      <h2 className="mt-4 text-2xl">{offer.name}</h2>
      <p className="mt-1 mb-4 text-ink-soft">
        {offer.monthlyPrice === null || isGift ? (
          <span className="font-display text-2xl/10 font-semibold">
            {isGift ? 'No charge here' : 'Coming soon'}
          </span>
        ) : (
          <>
            <span className="font-display text-3xl font-semibold text-ink">
              {formatEuro(offer.monthlyPrice)}
            </span>{' '}
            per month
          </>
        )}
      </p>
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
      <Button
        variant={given && !current ? 'primary' : 'secondary'}
        className="mt-auto"
        aria-label={`${label}: ${offer.name}`}
        onClick={onChoose}
      >
        {label}
      </Button>
    </li>
  )
}
