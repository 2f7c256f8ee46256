import type { Owner } from '#contract/accounts/sessions.ts'
import type { SitePageData } from '#contract/pages/page-data.ts'
import { PLANS, type PlanTier } from '#core/plans/plan.ts'
import { Check } from '#web/ui/icons/check.ts'
import {
  decidePlanAction,
  isPaidPlan,
  PLAN_ACTION_LABELS,
  type PlansForSale,
  type PlanViewer,
  toPlanTier,
} from './plan-action.ts'
import { PlanCard, toPlanBadge, toPlanPrice } from './plan-card.tsx'
import { listCommonFeatures, PLAN_OFFERS } from './plan-offers.ts'
import { PlanFaq } from './plan-questions.tsx'
import { PlanStatusNotice } from './plan-status.tsx'
import { useChoosePlan, useContinuePlanPurchase, usePlanViewer } from './use-plan-choice.ts'

type PricingPageProps = {
  owner: Owner | null | undefined
  site: Pick<SitePageData, 'default_plan' | 'plans_for_sale' | 'registration' | 'stripe'>
}

/** The price page: shows all plans, and lets the viewer choose one. Source: rules S1 and S6. */
export function PricingPage({ owner, site }: PricingPageProps) {
  const { viewer, isSettled, refresh } = usePlanViewer(owner)
  const { choose, pendingTier } = useChoosePlan({ viewer, sale: site, onBack: refresh })
  useContinuePlanPurchase(isSettled, choose)
  const subscription = viewer.signedIn ? viewer.subscription : null
  const own = subscription === null ? null : toPlanTier(subscription.subscription_tier)
  const main = findMain(viewer, site)
  return (
    <main className="mx-auto w-full max-w-6xl flex-1 px-4 py-12 sm:px-6 lg:py-16">
      <h1 className="text-4xl sm:text-5xl">Pricing</h1>
      <p className="mt-4 max-w-2xl text-lg text-ink-soft">{toIntro(site)}</p>
      <ul className="mt-10 grid gap-5 sm:grid-cols-2 lg:grid-cols-4 lg:gap-4">
        {PLAN_OFFERS.map((offer, index) => {
          const { tier } = offer
          const answer = decidePlanAction(tier, viewer, site)
          const hasButton = answer !== 'not_sold' && (answer !== 'register' || site.registration === 'open')
          return (
            <PlanCard
              key={tier}
              offer={offer}
              sunAt={SUN_POSITIONS[index] ?? 0.5}
              price={toPlanPrice(tier, viewer, site)}
              isMain={tier === main}
              isCurrent={tier === own}
              badge={toPlanBadge(tier, viewer, site)}
              label={hasButton ? PLAN_ACTION_LABELS[answer] : null}
              pendingLabel={tier === pendingTier ? 'Opening...' : undefined}
              onChoose={() => choose(tier)}
            />
          )
        })}
      </ul>
      {/* The notice is below the plans, so that the plans do not move when it appears. */}
      {subscription !== null && isPaidPlan(subscription) && (
        <div className="mt-6">
          <PlanStatusNotice subscription={subscription} />
        </div>
      )}
      <section aria-labelledby="every-plan" className="mt-14 border-t border-line pt-10">
        <h2 id="every-plan" className="text-3xl">
          In every plan
        </h2>
        <ul className="mt-5 grid gap-x-8 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
          {listCommonFeatures(site.stripe).map((feature) => (
            <li key={feature} className="flex gap-2.5">
              <Check aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-noon-ink" />
              {feature}
            </li>
          ))}
        </ul>
      </section>
      <PlanFaq isSelling={site.plans_for_sale.length > 0} />
    </main>
  )
}

/** Finds the highlighted plan: the default one for visitors, the recommended one for owners. */
function findMain(viewer: PlanViewer, sale: PlansForSale): PlanTier | null {
  if (!viewer.signedIn) return sale.default_plan
  const answers = PLAN_OFFERS.map(({ tier }) => ({ tier, answer: decidePlanAction(tier, viewer, sale) }))
  const { subscription } = viewer
  if (subscription !== null && isPaidPlan(subscription)) {
    return subscription.standing === 'active' ? null : toPlanTier(subscription.subscription_tier)
  }
  return answers.find(({ answer }) => answer === 'subscribe')?.tier ?? null
}

/** Returns the introduction, which names the default plan and the plans for sale. */
function toIntro({ default_plan: given, plans_for_sale }: PlansForSale): string {
  const now =
    given === 'free'
      ? 'Start with one calendar, free forever.'
      : `Every account here has the ${PLANS[given].name} plan, free of charge.`
  if (given === 'enterprise') return now
  if (plans_for_sale.length > 0) {
    return `${now} Larger plans add calendars, and soon the features marked “soon”. Pay monthly, and cancel anytime.`
  }
  return given === 'free'
    ? 'Every account here has the Free plan, free of charge. Larger plans aren’t sold on this site.'
    : `${now} Larger plans aren’t sold on this site.`
}

/** The position of the sun in each plan's picture. The larger the plan, the closer the sun is to noon (0.5). */
const SUN_POSITIONS = [0.1, 0.25, 0.38, 0.5]
