import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SitePageData } from '#contract/pages/page-data.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import type { PlanTier } from '#core/plans/plan.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import {
  BadgePlaceholder,
  ButtonPlaceholder,
  LinePlaceholder,
  RepeatedPlaceholder,
  SmallButtonPlaceholder,
} from '#web/kit/loading-shape.tsx'
import { ApiProblem } from '#web/shared/api-client.ts'
import { paths } from '#web/shared/paths.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { RefreshCw } from '#web/ui/icons/refresh-cw.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { InvoicesCard } from './invoices-card.tsx'
import { OpenCalendarsCard } from './open-calendars-card.tsx'
import { decidePlanAction, toPlanTier } from './plan-action.ts'
import { PlanChangeDialog } from './plan-change-dialog.tsx'
import { PlanFeatures } from './plan-features.tsx'
import { PlanStatusSection } from './plan-status-section.tsx'
import { refreshPlan, type SelectableTier, subscriptionQuery } from './subscription-query.ts'
import { useOwnerBillingPortal } from './use-owner-portal.ts'

type SubscriptionPanelProps = {
  /** The number of the owner's calendars; undefined until it has loaded. */
  calendarCount: number | undefined
  site: Pick<SitePageData, 'default_plan' | 'plans_for_sale' | 'stripe'>
  /** The smaller plan that the owner wants to change to, whose dialog is open; undefined if no dialog is open. */
  wanted: SelectableTier | undefined
  onWant: (tier: SelectableTier | undefined) => void
}

/**
 * The Subscription tab: shows the owner's plan with its price and features, and lets the owner change the plan. Source:
 * rules S5 and S11.
 */
export function SubscriptionPanel({ calendarCount, site, wanted, onWant }: SubscriptionPanelProps) {
  const query = useQuery(subscriptionQuery)
  const { data: subscription } = query
  if (subscription === undefined) {
    return (
      <Card
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            Your plan {query.error === null && <BadgePlaceholder className="w-14" />}
          </span>
        }
        actions={query.error === null && <SmallButtonPlaceholder className="w-28" />}
      >
        <LoadStatus
          query={query}
          loading="Loading your subscription..."
          failed="Failed to load your subscription"
        >
          <SubscriptionPlaceholder />
        </LoadStatus>
      </Card>
    )
  }
  const { subscription_tier: plan, limits, paused_calendars, can_manage } = subscription
  const tier = toPlanTier(plan)
  const isSmaller = (other: PlanTier): other is SelectableTier =>
    decidePlanAction(other, { signedIn: true, subscription }, site) === 'smaller'
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
        <PlanStatusSection subscription={subscription} />
        <CalendarMeter used={calendarCount} allowed={limits.calendars} />
        <PlanFeatures limits={limits} canConnectStripe={site.stripe} />
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

/** Lets the owner refresh the plan's status from the provider. */
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

/** The colours of the plans' badges. The larger the plan, the closer the colour is to noon. Source: rule S7. */
const BADGE_TONES: Record<SubscriptionResponse['subscription_tier'], BadgeTone> = {
  Free: 'neutral',
  Professional: 'info',
  Business: 'success',
  Enterprise: 'noon',
}

type PlanWaysProps = {
  subscription: SubscriptionResponse
  /** True if this installation sells plans. */
  isSelling: boolean
  /** Called when the owner wants to end the plan; null if there is no plan to end. */
  onEnd: (() => void) | null
}

/** Lets the owner end the plan, compare plans, and manage the subscription. */
function PlanWays({ subscription, isSelling, onEnd }: PlanWaysProps) {
  const { openPortal, isOpening } = useOwnerBillingPortal('Failed to open subscription management')
  return (
    <div className="mt-6 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-5">
      <p className="min-w-0 flex-1 basis-56 text-ink-soft">{describeManagement(subscription, isSelling)}</p>
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

function describeManagement({ can_manage, subscribed }: SubscriptionResponse, isSelling: boolean): string {
  if (can_manage) return 'You manage your card, invoices and plan at our payment provider.'
  if (subscribed) return 'The other plans are on the pricing page.'
  return isSelling ? 'Larger plans have more calendars.' : 'Larger plans aren’t sold on this site.'
}

type CalendarMeterProps = {
  /** The number of the owner's calendars; undefined until it has loaded. */
  used: number | undefined
  /** The number of calendars in the plan; null if unlimited. */
  allowed: number | null
}

/** Shows how many of the plan's calendars are in use, with one segment per calendar. */
function CalendarMeter({ used, allowed }: CalendarMeterProps) {
  const segments = Array.from({ length: allowed ?? 0 }, (_, index) => ({
    id: `calendar-${index}`,
    taken: used !== undefined && index < used,
  }))
  return (
    <div>
      <p>
        <span className="font-display text-2xl font-semibold">{used ?? '–'}</span>{' '}
        {describeUsage(used, allowed)}
      </p>
      {segments.length > 0 && (
        <div aria-hidden="true" className="mt-2 flex max-w-sm gap-1.5">
          {segments.map(({ id, taken }) => (
            <span
              key={id}
              className={`h-2 flex-1 rounded-full border ${taken ? 'border-transparent bg-noon' : 'border-line-strong'}`}
            />
          ))}
        </div>
      )}
    </div>
  )
}

function describeUsage(used: number | undefined, allowed: number | null): string {
  if (allowed === null) return 'calendars, as many as you like'
  if (used !== undefined && used > allowed) return `calendars, and ${allowed} of them in your plan`
  return `of ${allowed} ${allowed === 1 ? 'calendar' : 'calendars'} used`
}

/** The card's loading placeholder. */
function SubscriptionPlaceholder() {
  return (
    <>
      <LinePlaceholder size="2xl" className="w-48" />
      <Skeleton className="mt-2 h-2 max-w-sm rounded-full!" />
      <div className="mt-6 grid gap-x-8 gap-y-3 border-t border-line pt-5 sm:grid-cols-2">
        <RepeatedPlaceholder count={9}>
          <div className="flex gap-2.5">
            <Skeleton className="mt-0.5 size-5 shrink-0" />
            <div className="min-w-0 flex-1">
              <LinePlaceholder className="w-56" />
              <div className="h-6 sm:hidden" />
            </div>
          </div>
        </RepeatedPlaceholder>
      </div>
      <div className="mt-6 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-5">
        <LinePlaceholder className="w-80" />
        <ButtonPlaceholder className="w-40" />
      </div>
    </>
  )
}
