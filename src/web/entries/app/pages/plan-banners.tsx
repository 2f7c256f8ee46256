import type { SitePageData } from '#contract/pages/page-data.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { PlanStatusNotice } from '#web/areas/plans/plan-status.tsx'
import { PlanStatusAction } from '#web/areas/plans/plan-status-section.tsx'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { FreePlanBanner } from './free-plan-banner.tsx'

type PlanBannersProps = {
  subscription: SubscriptionResponse
  site: Pick<SitePageData, 'plans_for_sale'>
}

/** Shows the most important messages about the owner's plan at the top of the dashboard. Source: rules S8, S13 and S14. */
export function PlanBanners({ subscription, site }: PlanBannersProps) {
  const { subscribed, paused_calendars: paused } = subscription
  return (
    <>
      {needsAttention(subscription) && (
        <PlanStatusNotice
          subscription={subscription}
          action={<PlanStatusAction subscription={subscription} />}
        />
      )}
      {paused.length > 0 && <PausedBanner paused={paused} />}
      {!subscribed && <FreePlanBanner isSelling={site.plans_for_sale.length > 0} />}
    </>
  )
}

/** How long before its end an ending plan gets a banner: seven days, in ms. */
const SOON_MS = 7 * 86_400_000

function needsAttention({ standing, subscription_end: end }: SubscriptionResponse): boolean {
  if (standing === 'ending') return end !== null && Date.parse(end) - Date.now() < SOON_MS
  return standing === 'past_due' || standing === 'unpaid'
}

function PausedBanner({ paused }: { paused: SubscriptionResponse['paused_calendars'] }) {
  return (
    <Notice
      tone="warning"
      title={paused.length === 1 ? 'A calendar is paused' : `${paused.length} calendars are paused`}
      action={
        <ButtonLink size="sm" href={paths.profile('subscription')}>
          Choose calendars
        </ButtonLink>
      }
    >
      Your plan allows fewer calendars than you have. New bookings are off for{' '}
      <span className="wrap-anywhere">{paused.map(({ name }) => name).join(', ')}</span>.
    </Notice>
  )
}
