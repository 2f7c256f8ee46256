import { useEffect, useState } from 'react'
import type { Owner } from '#contract/sessions.ts'
import type { SubscriptionResponse } from '#contract/subscription.ts'
import { PLANS, type PlanTier } from '#core/plan/plan.ts'
import { getJson } from '#web/shared/api-client.ts'
import type { PlanViewer } from './plan-notice.ts'

/** Who looks at the prices. */
export function usePlanViewer(owner: Owner | null | undefined): PlanViewer {
  const [tier, setTier] = useState<PlanTier | null>(null)
  const signedIn = owner === undefined ? undefined : owner !== null
  useEffect(() => {
    if (!signedIn) return
    const leaving = new AbortController()
    getJson<SubscriptionResponse>('/api/subscription', leaving.signal)
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
