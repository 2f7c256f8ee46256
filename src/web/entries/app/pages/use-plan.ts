import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { subscriptionQuery } from '#web/areas/plans/subscription-query.ts'

/** How long a page waits for the plan before it renders without the plan, in ms. */
const PATIENCE_MS = 2_000

/**
 * Returns the owner's plan, and whether to wait for it: a banner about the plan that appeared later would push the page down.
 * Source: rule S8.
 */
export function useOwnerPlan() {
  const { data: subscription, isPending } = useQuery(subscriptionQuery)
  const [isPatient, setPatient] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return { subscription, isAwaited: isPending && isPatient }
}
