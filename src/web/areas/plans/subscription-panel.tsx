import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SitePageData } from '#contract/pages/page-data.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import type { PlanTier } from '#core/plans/plan.ts'
import { BadgeShape, LoadingShape, SmallButtonShape } from '#web/kit/loading-shape.tsx'
import { ApiProblem } from '#web/shared/api-client.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { RefreshCw } from '#web/ui/icons/refresh-cw.ts'
import { toast } from '#web/ui/toast.tsx'
import { CalendarMeter } from './calendar-meter.tsx'
import { InvoicesCard } from './invoices-card.tsx'
import { OpenCalendarsCard } from './open-calendars-card.tsx'
import { decidePlanAnswer, tierNamed } from './plan-answer.ts'
import { PlanChangeDialog } from './plan-change-dialog.tsx'
import { PlanGifts } from './plan-gifts.tsx'
import { PlanStandingPart } from './plan-standing-part.tsx'
import { PlanWays } from './plan-ways.tsx'
import { SubscriptionPlaceholder } from './subscription-placeholder.tsx'
import { type NextTier, refreshPlan, subscriptionQuery } from './subscription-query.ts'

type SubscriptionPanelProps = {
  /** Undefined until it is known. */
  calendarCount: number | undefined
  site: Pick<SitePageData, 'default_plan' | 'plans_for_sale' | 'stripe'>
  /** The plan that the owner thinks of changing to. */
  wanted: NextTier | undefined
  onWant: (tier: NextTier | undefined) => void
}

/** The owner's plan: what it is, costs and gives, and the ways to change it. Source: rules S5 and S11. */
export function SubscriptionPanel({ calendarCount, site, wanted, onWant }: SubscriptionPanelProps) {
  const { data: subscription, error, refetch } = useQuery(subscriptionQuery)
  if (subscription === undefined) {
    return (
      <Card
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            Your plan {error === null && <BadgeShape className="w-14" />}
          </span>
        }
        actions={error === null && <SmallButtonShape className="w-28" />}
      >
        {error === null ? (
          <LoadingShape text="Loading your subscription...">
            <SubscriptionPlaceholder />
          </LoadingShape>
        ) : (
          <ErrorState
            title="Failed to load your subscription"
            hint={error.message}
            onRetry={() => refetch()}
          />
        )}
      </Card>
    )
  }
  const { subscription_tier: plan, limits, paused_calendars, can_manage } = subscription
  const tier = tierNamed(plan)
  const isSmaller = (other: PlanTier): other is NextTier =>
    decidePlanAnswer(other, { signedIn: true, subscription }, site) === 'smaller'
  const { default_plan: given } = site
  const asked = wanted !== undefined && isSmaller(wanted) ? wanted : null
  return (
    <div className="flex flex-col gap-6">
      <Card
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            Your plan{' '}
            <Badge tone={BADGE_TONES[plan]} className="font-sans">
              {plan}
            </Badge>
          </span>
        }
        actions={<RefreshButton />}
      >
        <PlanStandingPart subscription={subscription} />
        <CalendarMeter used={calendarCount} allowed={limits.calendars} />
        <PlanGifts limits={limits} canConnectStripe={site.stripe} />
        <PlanWays
          subscription={subscription}
          isSelling={site.plans_for_sale.length > 0}
          onEnd={isSmaller(given) ? () => onWant(given) : null}
        />
      </Card>
      {paused_calendars.length > 0 && tier !== 'enterprise' && <OpenCalendarsCard tier={tier} plan={plan} />}
      {can_manage && <InvoicesCard />}
      <PlanChangeDialog tier={asked} from={plan} isEnd={asked === given} onClose={() => onWant(undefined)} />
    </div>
  )
}

/** Asks the provider how the plan stands. */
function RefreshButton() {
  const client = useQueryClient()
  const refresh = useMutation({
    mutationFn: () => refreshPlan(client),
    meta: { loginReason: 'Please log in to refresh subscription status' },
    onSuccess: () => toast.success('Subscription status refreshed'),
    onError: (problem) => {
      if (problem instanceof ApiProblem && problem.code === 'auth.required') return
      toast.error('Failed to refresh subscription status')
    },
  })
  return (
    <Button
      size="sm"
      pending={refresh.isPending}
      pendingLabel="Refreshing..."
      onClick={() => refresh.mutate()}
    >
      <RefreshCw aria-hidden="true" className="size-4" />
      Refresh
    </Button>
  )
}

/** The larger the plan, the nearer its badge to noon. Source: rule S7. */
const BADGE_TONES: Record<SubscriptionResponse['subscription_tier'], BadgeTone> = {
  Free: 'neutral',
  Professional: 'info',
  Business: 'success',
  Enterprise: 'noon',
}
