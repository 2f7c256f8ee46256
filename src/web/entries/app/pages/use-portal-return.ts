import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { refreshPlan } from '#web/areas/plans/subscription-query.ts'

const profileApi = getRouteApi('/profile')

/**
 * Shows the plan as it is now when the owner comes back from the provider's portal, and removes the parameter from the address. The
 * provider's event may arrive later than the owner, so the server asks the provider. Source: rules S10 and W6.
 */
export function usePortalReturn(): void {
  const { from } = profileApi.useSearch()
  const navigate = profileApi.useNavigate()
  const client = useQueryClient()
  useEffect(() => {
    if (from !== 'portal') return
    // Without an answer the stored plan stays on the screen. The refresh button beside it says what is wrong.
    void refreshPlan(client).catch(() => {})
    void navigate({ search: { tab: 'subscription' }, replace: true })
  }, [from, client, navigate])
}
