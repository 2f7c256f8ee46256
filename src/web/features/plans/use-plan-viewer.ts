import { useEffect, useState } from 'react'
import * as at from '#contract/operations/addresses.ts'
import type { Owner } from '#contract/sessions.ts'
import type { SubscriptionResponse } from '#contract/subscription.ts'
import { PLANS, type PlanTier } from '#core/plan/plan.ts'
import { callApi } from '#web/shared/call-api.ts'
import type { PlanViewer } from './plan-notice.ts'

/** Who looks at the prices. */
export function usePlanViewer(owner: Owner | null | undefined): PlanViewer {
  const [tier, setTier] = useState<PlanTier | null>(null)
  const signedIn = owner === undefined ? undefined : owner !== null
  useEffect(() => {
    if (!signedIn) return
    const leaving = new AbortController()
    callApi(at.checkSubscription, { signal: leaving.signal })
      .then(({ subscription_tier }) => setTier(tierNamed(subscription_tier)))
      .catch(() => {
        // The page works without it: then no plan is marked.
      })
    return () => leaving.abort()
  }, [signedIn])
  return signedIn ? { signedIn, tier } : { signedIn }
}

function tierNamed(name: SubscriptionResponse['subscription_tier']): PlanTier {
  return Object.values(PLANS).find((plan) => plan.name === name)?.tier ?? 'free'
}
