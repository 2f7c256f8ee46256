import type { ReactNode } from 'react'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

type PlanGateProps = {
  /** The missing feature, written as the start of a sentence. */
  feature: string
  subscription: Pick<SubscriptionResponse, 'subscription_tier'>
  /** Explains what happens to settings that already exist. */
  children?: ReactNode
}

/** Tells the owner that their plan does not include a feature, with a link to upgrade. Source: rule S4. */
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
