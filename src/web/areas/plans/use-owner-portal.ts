import { useQueryClient } from '@tanstack/react-query'
import { refreshPlan, subscriptionQuery } from './subscription-query.ts'
import { usePortal } from './use-portal.ts'

/** The portal on the owner's pages. Refreshes the plan when the owner returns. */
export function useOwnerPortal(failed: string) {
  const client = useQueryClient()
  // Refetch, which also notices an ended session.
  const askAgain = () => void client.invalidateQueries({ queryKey: subscriptionQuery.queryKey })
  return usePortal({ failed, onBack: () => void refreshPlan(client).catch(askAgain), onFailed: askAgain })
}
