import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { useOwnerPortal } from './use-owner-portal.ts'

type PlanWaysProps = {
  subscription: SubscriptionResponse
  /** Whether this installation sells plans. */
  isSelling: boolean
  /** Null when there is nothing to end. */
  onEnd: (() => void) | null
}

/** The ways from one plan to another, and to what is paid for it. */
export function PlanWays({ subscription, isSelling, onEnd }: PlanWaysProps) {
  const { openPortal, isOpening } = useOwnerPortal('Failed to open subscription management')
  return (
    <div className="mt-6 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-5">
      <p className="min-w-0 flex-1 basis-56 text-ink-soft">{toText(subscription, isSelling)}</p>
      <div className="flex flex-wrap gap-3 *:grow sm:*:grow-0">
        {onEnd !== null && <Button onClick={onEnd}>End plan</Button>}
        <ButtonLink href={paths.pricing()}>Compare plans</ButtonLink>
        {subscription.can_manage && (
          <Button
            pending={isOpening}
            pendingLabel="Opening..."
            onClick={() => void openPortal({ page: 'home' })}
          >
            Manage subscription
          </Button>
        )}
      </div>
    </div>
  )
}

function toText({ can_manage, subscribed }: SubscriptionResponse, isSelling: boolean): string {
  if (can_manage) return 'The card, the invoices and the plan itself are managed at our payment provider.'
  if (subscribed) return 'The other plans are on the pricing page.'
  return isSelling ? 'More calendars come with the larger plans.' : 'This installation sells no larger plans.'
}
