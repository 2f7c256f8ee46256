import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { subscriptionQuery } from '#web/areas/plans/subscription-query.ts'

/** How long a page waits for the plan before it goes on without it. */
const PATIENCE_MS = 2_000

/** The owner's plan, and whether to wait for it, so that what is said about it pushes nothing down later. Source: rule S8. */
export function usePlan() {
  const { data: subscription, isPending } = useQuery(subscriptionQuery)
  const [isPatient, setPatient] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return { subscription, isAwaited: isPending && isPatient }
}
