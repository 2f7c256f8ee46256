import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { Check } from '#web/ui/icons/check.ts'
import { ANNOUNCED_FEATURES, FEATURE_NAMES, INTEGRATION_NAMES, listCommonFeatures } from './plan-offers.ts'

type PlanFeaturesProps = Pick<SubscriptionResponse, 'limits'> & {
  /** True if the operator has set up Stripe, so that owners can connect their accounts. */
  canConnectStripe: boolean
}

/** Lists the features of the owner's plan, and those that are announced but not available yet. */
export function PlanFeatures({ limits, canConnectStripe }: PlanFeaturesProps) {
  // List the features that only some plans have first.
  const features = [
    ...pick(INTEGRATION_NAMES, limits.integrations),
    ...pick(FEATURE_NAMES, limits.features),
    ...listCommonFeatures(canConnectStripe),
  ]
  const promised = pick(ANNOUNCED_FEATURES, limits.features).map((feature) => feature.toLowerCase())
  return (
    <>
      <ul className="mt-6 grid gap-x-8 gap-y-3 border-t border-line pt-5 sm:grid-cols-2">
        {features.map((feature) => (
          <li key={feature} className="flex gap-2.5">
            <Check aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-noon-ink" />
            {feature}
          </li>
        ))}
      </ul>
      {promised.length > 0 && (
        <p className="mt-5 text-ink-soft">Coming soon, and included when ready: {promised.join(', ')}.</p>
      )}
    </>
  )
}

/** Returns the display names of the features that the plan has. */
function pick(names: Readonly<Record<string, string>>, has: readonly string[]): string[] {
  return Object.entries(names)
    .filter(([feature]) => has.includes(feature))
    .map(([, name]) => name)
}
