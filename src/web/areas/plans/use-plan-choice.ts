import { useEffect, useRef, useState } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import * as at from '#contract/operations/addresses.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { SUBSCRIPTION_PROBLEMS } from '#contract/plans/subscription-problems.ts'
import { PLANS, type PlanTier } from '#core/plans/plan.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { storeToastForNextDocument } from '#web/shared/next-document.ts'
import { paths } from '#web/shared/paths.ts'
import { toast } from '#web/ui/toast.tsx'
import {
  decidePlanAction,
  isPlanNotice,
  PLAN_NOTICES,
  type PlansForSale,
  type PlanViewer,
} from './plan-action.ts'
import { type BillingPortalPage, useBillingPortal } from './use-portal.ts'

type PaidTier = PlansForSale['plans_for_sale'][number]['tier']

type PlanChoiceOptions = { viewer: PlanViewer; sale: PlansForSale; onBack: () => void }

/** Returns a function that carries out the action of a plan's button. Source: rule S6. */
export function useChoosePlan({ viewer, sale, onBack }: PlanChoiceOptions) {
  const [pendingTier, setPendingTier] = useState<PlanTier | null>(null)
  // True while a checkout is starting, so that a double click starts only one.
  const isLeaving = useRef(false)
  const { openPortal, isOpening } = useBillingPortal({
    failed: SUBSCRIPTION_PROBLEMS['subscription.portal_failed'].title,
    onBack,
  })
  const settle = () => {
    isLeaving.current = false
    setPendingTier(null)
  }
  useEffect(() => {
    // If the viewer presses Back, the back-forward cache restores this page in its pending state: reset it.
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
      // Keep the button pending until the next page has loaded.
      location.assign(url)
    } catch (error) {
      settle()
      const code = error instanceof ApiProblem ? error.code : null
      if (code === 'auth.required') goToLogin(tier)
      else toast.error(sayWhy(code))
    }
  }

  const choose = (tier: PlanTier) => {
    const answer = decidePlanAction(tier, viewer, sale)
    if (answer === 'register') location.assign(paths.register())
    else if (isPlanNotice(answer)) toast.info(PLAN_NOTICES[answer])
    else if (answer === 'smaller') location.assign(paths.profile('subscription', tier))
    else if (answer === 'log_in') goToLogin(tier)
    // The casts below are safe: only plans for sale have the remaining actions.
    else if (answer === 'subscribe') void subscribe(tier as PaidTier)
    else void showPortal(tier, toPortalPage(answer, tier as PaidTier))
  }
  const showPortal = async (tier: PlanTier, page: BillingPortalPage) => {
    if (isOpening) return
    setPendingTier(tier)
    await openPortal(page)
    setPendingTier(null)
  }
  return { choose, pendingTier }
}

function toPortalPage(answer: 'upgrade' | 'manage' | 'keep' | 'card', tier: PaidTier): BillingPortalPage {
  if (answer === 'upgrade') return { page: 'change', tier }
  return { page: answer === 'card' ? 'card' : 'home' }
}

/** Opens the login page, which returns to the price page to continue the purchase. */
function goToLogin(tier: PlanTier): void {
  toast.info('Please log in to subscribe')
  storeToastForNextDocument()
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

/** Returns the viewer of the price page (a visitor, or an owner with plan once loaded), and a refetch function. */
export function usePlanViewer(owner: Owner | null | undefined) {
  const [subscription, setSubscription] = useState<SubscriptionResponse | null>(null)
  const [isAsked, setAsked] = useState(false)
  const signedIn = owner === undefined ? undefined : owner !== null
  useEffect(() => {
    if (!signedIn) return
    const leaving = new AbortController()
    callApi(at.checkSubscription, { signal: leaving.signal })
      .then(setSubscription)
      .catch(() => {
        // Ignore the error: the page works without marking the owner's plan.
      })
      .finally(() => leaving.signal.aborted || setAsked(true))
    return () => leaving.abort()
  }, [signedIn])
  const refresh = () => {
    callApi(at.refreshSubscription)
      .then(setSubscription)
      .catch(() => {
        // Ignore the error and keep the plan that was loaded before.
      })
  }
  const viewer: PlanViewer = signedIn ? { signedIn, subscription } : { signedIn }
  return { viewer, isSettled: signedIn === true && isAsked, refresh }
}

/** The name of the query parameter that contains the plan to buy after a login. */
const WANTED_PLAN = 'plan'

/**
 * Continues a purchase after a login. First removes the parameter from the URL, so that pressing Back or reloading does
 * not start the purchase again. Source: rule S6.
 */
export function useContinuePlanPurchase(isOwner: boolean, choose: (tier: PlanTier) => void): void {
  const latest = useRef(choose)
  useEffect(() => {
    latest.current = choose
  })
  useEffect(() => {
    if (!isOwner) return
    const address = new URL(location.href)
    const wanted = address.searchParams.get(WANTED_PLAN)
    if (wanted === null) return
    address.searchParams.delete(WANTED_PLAN)
    history.replaceState(history.state, '', address)
    if (wanted in PLANS) latest.current(wanted as PlanTier) // safe: it is a key of `PLANS`
  }, [isOwner])
}
