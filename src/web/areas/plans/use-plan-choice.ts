import { useEffect, useRef, useState } from 'react'
import * as at from '#contract/operations/addresses.ts'
import { SUBSCRIPTION_PROBLEMS } from '#contract/plans/subscription-problems.ts'
import type { PlanTier } from '#core/plans/plan.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { carryToast } from '#web/shared/carried-toast.ts'
import { paths } from '#web/shared/paths.ts'
import { toast } from '#web/ui/toast.tsx'
import { decidePlanAnswer, isNotice, PLAN_NOTICES, type PlanSale, type PlanViewer } from './plan-answer.ts'
import { type PortalPage, usePortal } from './use-portal.ts'

type PaidTier = PlanSale['plans_for_sale'][number]['tier']

type PlanChoiceOptions = { viewer: PlanViewer; sale: PlanSale; onBack: () => void }

/** Does what the button of a plan is for. Source: rule S6. */
export function usePlanChoice({ viewer, sale, onBack }: PlanChoiceOptions) {
  const [pendingTier, setPendingTier] = useState<PlanTier | null>(null)
  // Two presses before the first is drawn start one checkout.
  const isLeaving = useRef(false)
  const { openPortal, isOpening } = usePortal({
    failed: SUBSCRIPTION_PROBLEMS['subscription.portal_failed'].title,
    onBack,
  })
  const settle = () => {
    isLeaving.current = false
    setPendingTier(null)
  }
  useEffect(() => {
    // Back from the checkout to the page as the browser has kept it.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && settle()
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  })

  const subscribe = async (tier: PaidTier) => {
    if (isLeaving.current) return
    isLeaving.current = true
    setPendingTier(tier)
    try {
      const { url } = await callApi(at.createSubscriptionCheckout, { body: { tier } })
      // It stays pending until the next page is there.
      location.assign(url)
    } catch (error) {
      settle()
      const code = error instanceof ApiProblem ? error.code : null
      if (code === 'auth.required') goToLogin(tier)
      else toast.error(sayWhy(code))
    }
  }

  const choose = (tier: PlanTier) => {
    const answer = decidePlanAnswer(tier, viewer, sale)
    if (answer === 'register') location.assign(paths.register())
    else if (isNotice(answer)) toast.info(PLAN_NOTICES[answer])
    else if (answer === 'smaller') location.assign(paths.profile('subscription', tier))
    else if (answer === 'log_in') goToLogin(tier)
    // What follows is the answer of plans that are sold only.
    else if (answer === 'subscribe') void subscribe(tier as PaidTier)
    else void showPortal(tier, toPortalPage(answer, tier as PaidTier))
  }
  const showPortal = async (tier: PlanTier, page: PortalPage) => {
    if (isOpening) return
    setPendingTier(tier)
    await openPortal(page)
    setPendingTier(null)
  }
  return { choose, pendingTier }
}

function toPortalPage(answer: 'upgrade' | 'manage' | 'keep' | 'card', tier: PaidTier): PortalPage {
  if (answer === 'upgrade') return { page: 'change', tier }
  return { page: answer === 'card' ? 'card' : 'home' }
}

/** And back to the purchase. */
function goToLogin(tier: PlanTier): void {
  toast.info('Please log in to subscribe')
  carryToast()
  location.assign(paths.login(paths.pricing(tier)))
}

function sayWhy(code: ApiProblem['code'] | null): string {
  switch (code) {
    case 'subscription.not_for_sale':
    case 'subscription.given':
    case 'subscription.checkout_under_way':
      return SUBSCRIPTION_PROBLEMS[code].title
    default:
      return SUBSCRIPTION_PROBLEMS['subscription.checkout_failed'].title
  }
}
