import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SubscriptionResponse } from '#contract/subscription.ts'
import { BadgeShape, LoadingShape, SmallButtonShape } from '#web/kit/loading-shape.tsx'
import { ApiProblem } from '#web/shared/api-client.ts'
import { browserTimeZone, formatLongDate, localDateOf } from '#web/shared/format-date.ts'
import { paths } from '#web/shared/paths.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Check } from '#web/ui/icons/check.ts'
import { RefreshCw } from '#web/ui/icons/refresh-cw.ts'
import { toast } from '#web/ui/toast.tsx'
import { CalendarMeter } from './calendar-meter.tsx'
import { INTEGRATIONS, listInEveryPlan, PROMISED_FEATURES } from './plan-offers.ts'
import { SubscriptionPlaceholder } from './subscription-placeholder.tsx'
import { subscriptionQuery } from './subscription-query.ts'

type SubscriptionPanelProps = {
  /** Undefined until it is known. */
  calendarCount: number | undefined
  /** Whether the operator has set up Stripe. */
  canConnectStripe: boolean
}

/** The plan of the owner, its features and how much of it is used. Source: rule S5. */
export function SubscriptionPanel({ calendarCount, canConnectStripe }: SubscriptionPanelProps) {
  const client = useQueryClient()
  const { data: subscription, error, refetch } = useQuery(subscriptionQuery)
  const refresh = useMutation({
    mutationFn: () => client.fetchQuery({ ...subscriptionQuery, staleTime: 0, retry: false }),
    onSuccess: () => toast.success('Subscription status refreshed'),
    onError: (problem) => {
      if (problem instanceof ApiProblem && problem.code === 'auth.required') {
        toast.info('Please log in to refresh subscription status')
      } else toast.error('Failed to refresh subscription status')
    },
  })
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
  const { subscription_tier: tier, subscription_end: end, limits } = subscription
  // What only some plans have comes first.
  const gifts = [...pick(INTEGRATIONS, limits.integrations), ...listInEveryPlan(canConnectStripe)]
  const promised = pick(PROMISED_FEATURES, limits.features).map((gift) => gift.toLowerCase())
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          Your plan{' '}
          <Badge tone={BADGE_TONES[tier]} className="font-sans">
            {tier}
          </Badge>
        </span>
      }
      description={end === null ? undefined : `Until ${formatLongDate(localDateOf(end, browserTimeZone()))}`}
      actions={
        <Button
          size="sm"
          pending={refresh.isPending}
          pendingLabel="Refreshing..."
          onClick={() => refresh.mutate()}
        >
          <RefreshCw aria-hidden="true" className="size-4" />
          Refresh
        </Button>
      }
    >
      <CalendarMeter used={calendarCount} allowed={limits.calendars} />
      <ul className="mt-6 grid gap-x-8 gap-y-3 border-t border-line pt-5 sm:grid-cols-2">
        {gifts.map((gift) => (
          <li key={gift} className="flex gap-2.5">
            <Check aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-noon-ink" />
            {gift}
          </li>
        ))}
      </ul>
      {promised.length > 0 && (
        <p className="mt-5 text-ink-soft">
          Not ready yet, and yours as soon as they are: {promised.join(', ')}.
        </p>
      )}
      <div className="mt-6 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-5">
        <p className="text-ink-soft">
          {subscription.subscribed
            ? 'The other plans are on the pricing page.'
            : 'More calendars come with the larger plans, which open soon.'}
        </p>
        <ButtonLink href={paths.pricing()}>Compare plans</ButtonLink>
      </div>
    </Card>
  )
}

/** The larger the plan, the nearer its badge to noon. Source: rule S7. */
const BADGE_TONES: Record<SubscriptionResponse['subscription_tier'], BadgeTone> = {
  Free: 'neutral',
  Professional: 'info',
  Business: 'success',
  Enterprise: 'noon',
}

/** The features of a plan that are not in every plan. */
function pick(gifts: Readonly<Record<string, string>>, has: readonly string[]): string[] {
  return Object.entries(gifts)
    .filter(([name]) => has.includes(name))
    .map(([, gift]) => gift)
}
