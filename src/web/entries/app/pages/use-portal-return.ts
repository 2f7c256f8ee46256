import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { refreshPlan } from '#web/areas/plans/subscription-query.ts'

const profileApi = getRouteApi('/profile')

/**
 * Updates the plan when the owner returns from the provider's portal, and removes the parameter from the URL. The provider's
 * webhook may arrive later than the owner, so the server asks the provider. Source: rules S10 and W6.
 */
export function useRefreshPlanAfterPortal(): void {
  const { from } = profileApi.useSearch()
  const navigate = profileApi.useNavigate()
  const client = useQueryClient()
  useEffect(() => {
    if (from !== 'portal') return
    // If the request fails, the page keeps showing the stored plan, and the refresh button beside it reports the error.
    void refreshPlan(client).catch(() => {})
    void navigate({ search: { tab: 'subscription' }, replace: true })
  }, [from, client, navigate])
}
