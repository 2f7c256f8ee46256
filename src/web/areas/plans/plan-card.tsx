import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { DayArc } from '#web/ui/day-arc.tsx'
import { Check } from '#web/ui/icons/check.ts'
import { Clock } from '#web/ui/icons/clock.ts'
import type { PlanBadge } from './plan-badge.ts'
import type { PlanOffer } from './plan-offers.ts'
import type { PlanPriceText } from './plan-price.ts'

type PlanCardProps = {
  offer: PlanOffer
  /** The position of the sun in the card's picture, 0 to 1. */
  sunAt: number
  price: PlanPriceText
  /** It is set apart from the others: the plan that comes with a new account, or what the owner can do now. */
  isMain: boolean
  /** The plan the owner is on. */
  isCurrent: boolean
  badge: PlanBadge | null
  /** What the button says; null when there is nothing to press. */
  label: string | null
  /** Set while the press is worked on. */
  pendingLabel: string | undefined
  onChoose: () => void
}

/** One plan: its price, its features, and its button. At most one plan has the primary button. */
export function PlanCard(props: PlanCardProps) {
  const { offer, sunAt, price, isMain, isCurrent, badge, label, pendingLabel, onChoose } = props
  return (
    <li
      aria-current={isCurrent || undefined}
      className={`flex flex-col rounded-card border bg-surface p-5 aria-[current]:border-noon sm:p-6 ${isMain ? 'border-noon shadow-pop' : 'border-line shadow-card'}`}
    >
      <div className="flex flex-wrap items-start justify-between gap-2">
        <DayArc at={sunAt} className="h-12" />
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
