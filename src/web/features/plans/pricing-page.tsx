import type { SitePageData } from '#contract/page-data.ts'
import type { Owner } from '#contract/sessions.ts'
import { PLANS, type PlanTier } from '#core/plan/plan.ts'
import { paths } from '#web/shared/paths.ts'
import { Check } from '#web/ui/icons/check.ts'
import { toast } from '#web/ui/toast.tsx'
import { PlanCard } from './plan-card.tsx'
import { decidePlanAnswer, PLAN_NOTICES } from './plan-notice.ts'
import { listInEveryPlan, PLAN_OFFERS, type PlanOffer } from './plan-offers.ts'
import { PlanQuestions } from './plan-questions.tsx'
import { usePlanViewer } from './use-plan-viewer.ts'

type PricingPageProps = {
  owner: Owner | null | undefined
  site: Pick<SitePageData, 'default_plan' | 'stripe'>
}

/** The four plans. Source: rule S1. */
export function PricingPage({ owner, site }: PricingPageProps) {
  const viewer = usePlanViewer(owner)
  const choose = ({ tier }: PlanOffer) => {
    const answer = decidePlanAnswer(tier, viewer, site.default_plan)
    if (answer === 'register') location.assign(paths.register())
    else toast.info(PLAN_NOTICES[answer], answer === 'log_in' ? { action: LOG_IN } : {})
  }
  return (
    <main className="mx-auto w-full max-w-6xl flex-1 px-4 py-12 sm:px-6 lg:py-16">
      <h1 className="text-4xl sm:text-5xl">Pricing</h1>
      <p className="mt-4 max-w-2xl text-lg text-ink-soft">{toIntro(site.default_plan)}</p>
      <ul className="mt-10 grid gap-5 sm:grid-cols-2 lg:grid-cols-4 lg:gap-4">
        {PLAN_OFFERS.map((offer, index) => (
          <PlanCard
            key={offer.tier}
            offer={offer}
            sunAt={SUN_POSITIONS[index] ?? 0.5}
            // An owner who is logged in knows it already.
            given={viewer.signedIn !== true && site.default_plan === offer.tier}
            current={viewer.signedIn === true && viewer.tier === offer.tier}
            onChoose={() => choose(offer)}
          />
        ))}
      </ul>
      <section aria-labelledby="every-plan" className="mt-14 border-t border-line pt-10">
        <h2 id="every-plan" className="text-3xl">
          In every plan
        </h2>
        <ul className="mt-5 grid gap-x-8 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
          {listInEveryPlan(site.stripe).map((gift) => (
            <li key={gift} className="flex gap-2.5">
              <Check aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-noon-ink" />
              {gift}
            </li>
          ))}
        </ul>
      </section>
      <PlanQuestions />
    </main>
  )
}

/** What is available now, and what comes later. */
function toIntro(given: PlanTier): string {
  const now =
    given === 'free'
      ? 'Start with one calendar, free for as long as you like.'
      : `Every account here has the ${PLANS[given].name} plan, at no charge.`
  if (given === 'enterprise') return now
  return `${now} The larger plans open soon: they add calendars, and what is marked “soon” a little later.`
}

/** The plans are placed in the sky like hours of a morning: the larger, the nearer to noon. */
const SUN_POSITIONS = [0.1, 0.25, 0.38, 0.5]

/** And back to the prices. */
const LOG_IN = { label: 'Log in', onClick: () => location.assign(paths.login(paths.pricing())) }
