import { useQueryClient } from '@tanstack/react-query'
import { refreshPlan, subscriptionQuery } from './subscription-query.ts'
import { usePortal } from './use-portal.ts'

/** The portal for the owner's own pages. What is done there is shown here when the owner is back. */
export function useOwnerPortal(failed: string) {
  const client = useQueryClient()
  // Asked again, the server says when the session has ended.
  const askAgain = () => void client.invalidateQueries({ queryKey: subscriptionQuery.queryKey })
  return usePortal({ failed, onBack: () => void refreshPlan(client).catch(askAgain), onFailed: askAgain })
}
