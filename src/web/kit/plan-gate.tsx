import type { ReactNode } from 'react'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

type PlanGateProps = {
  /** What the plan does not have, at the beginning of a sentence. */
  feature: string
  subscription: Pick<SubscriptionResponse, 'subscription_tier'>
  /** What becomes of what is set up already. */
  children?: ReactNode
}

/** Says that the plan does not have a feature, with the way to one that does. Source: rule S4. */
export function PlanGate({ feature, subscription, children }: PlanGateProps) {
  return (
    <Notice
      action={
        <ButtonLink size="sm" href={paths.pricing()}>
          Upgrade Plan
        </ButtonLink>
      }
    >
      <p>
        {feature} is not available on the {subscription.subscription_tier} plan.
      </p>
      {children}
    </Notice>
  )
}
