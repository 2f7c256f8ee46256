import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { SUBSCRIPTION_PROBLEMS } from '#contract/plans/subscription-problems.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { toPlanTier } from './plan-action.ts'
import { describePlanStatus, PlanStatusNotice } from './plan-status.tsx'
import { useOwnerBillingPortal } from './use-owner-portal.ts'

/** Shows the plan's status: plain text if there is no problem, otherwise a notice with an action. Source: rule S11. */
export function PlanStatusSection({ subscription }: { subscription: SubscriptionResponse }) {
  const { tone, title, text } = describePlanStatus(subscription)
  return (
    <div className="mb-6">
      {tone === 'info' ? (
        <>
          <p className="font-semibold">{title}</p>
          <p className="text-ink-soft">{text}</p>
        </>
      ) : (
        <PlanStatusNotice
          subscription={subscription}
          action={<PlanStatusAction subscription={subscription} />}
        />
      )}
    </div>
  )
}

/** The button or link with which the owner can fix a failed payment, or keep a plan that is ending. */
export function PlanStatusAction({ subscription }: { subscription: SubscriptionResponse }) {
  const { openPortal, isOpening } = useOwnerBillingPortal(
    SUBSCRIPTION_PROBLEMS['subscription.portal_failed'].title,
  )
  const { standing, subscription_tier, can_manage } = subscription
  if (standing === 'unpaid') {
    return (
      <ButtonLink size="sm" href={paths.pricing(toPlanTier(subscription_tier))}>
        Subscribe again
      </ButtonLink>
    )
  }
  if (!can_manage || (standing !== 'past_due' && standing !== 'ending')) return null
  const page = standing === 'past_due' ? 'card' : 'home'
  return (
    <Button size="sm" pending={isOpening} pendingLabel="Opening..." onClick={() => void openPortal({ page })}>
      {standing === 'past_due' ? 'Update card' : 'Keep this plan'}
    </Button>
  )
}
