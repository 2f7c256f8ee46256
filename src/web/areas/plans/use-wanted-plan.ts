import { useEffect, useRef } from 'react'
import { PLANS, type PlanTier } from '#core/plans/plan.ts'

/** The parameter with which the login leads back to a purchase. */
const WANTED_PLAN = 'plan'

/**
 * Goes on with the purchase that somebody had to log in for. The parameter is taken out of the address first: Back and a reload
 * show the prices and buy nothing. Source: rule S6.
 */
export function useWantedPlan(isOwner: boolean, choose: (tier: PlanTier) => void): void {
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
    if (wanted in PLANS) latest.current(wanted as PlanTier) // a key of that table
  }, [isOwner])
}
