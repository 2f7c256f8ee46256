import { useQueryClient } from '@tanstack/react-query'
import { refreshPlan, subscriptionQuery } from './subscription-query.ts'
import { useBillingPortal } from './use-portal.ts'

/** Opens the billing portal from the owner's pages. Refreshes the plan when the owner returns. */
export function useOwnerBillingPortal(failed: string) {
  const client = useQueryClient()
  // Refetch the plan. The refetch also detects an expired session.
  const askAgain = () => void client.invalidateQueries({ queryKey: subscriptionQuery.queryKey })
  return useBillingPortal({
    failed,
    onBack: () => void refreshPlan(client).catch(askAgain),
    onFailed: askAgain,
  })
}
