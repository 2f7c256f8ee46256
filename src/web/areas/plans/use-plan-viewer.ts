import { useEffect, useState } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import * as at from '#contract/operations/addresses.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { callApi } from '#web/shared/call-api.ts'
import type { PlanViewer } from './plan-answer.ts'

/** Who looks at the prices; whether they are an owner whose plan is known, as far as it will be; and a function that asks again. */
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
        // The page works without it: then no plan is marked.
      })
      .finally(() => leaving.signal.aborted || setAsked(true))
    return () => leaving.abort()
  }, [signedIn])
  const refresh = () => {
    callApi(at.refreshSubscription)
      .then(setSubscription)
      .catch(() => {
        // What is known stays.
      })
  }
  const viewer: PlanViewer = signedIn ? { signedIn, subscription } : { signedIn }
  return { viewer, isSettled: signedIn === true && isAsked, refresh }
}
