import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { SUBSCRIPTION_PROBLEMS } from '#contract/plans/subscription-problems.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { tierNamed } from './plan-answer.ts'
import { describeStanding } from './plan-standing.ts'
import { StandingNotice } from './standing-notice.tsx'
import { useOwnerPortal } from './use-owner-portal.ts'

/** How the plan stands: in plain words while all is well, set apart with what to do where it is not. Source: rule S11. */
export function PlanStandingPart({ subscription }: { subscription: SubscriptionResponse }) {
  const { tone, title, text } = describeStanding(subscription)
  return (
    <div className="mb-6">
      {tone === 'info' ? (
        <>
          <p className="font-semibold">{title}</p>
          <p className="text-ink-soft">{text}</p>
        </>
      ) : (
        <StandingNotice subscription={subscription} action={<StandingAction subscription={subscription} />} />
      )}
    </div>
  )
}

/** What the owner can do about a plan that does not simply go on. */
export function StandingAction({ subscription }: { subscription: SubscriptionResponse }) {
  const { openPortal, isOpening } = useOwnerPortal(SUBSCRIPTION_PROBLEMS['subscription.portal_failed'].title)
  const { standing, subscription_tier, can_manage } = subscription
  if (standing === 'unpaid') {
    return (
      <ButtonLink size="sm" href={paths.pricing(tierNamed(subscription_tier))}>
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
