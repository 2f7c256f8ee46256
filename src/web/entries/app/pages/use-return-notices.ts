import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { refreshPlan } from '#web/areas/plans/subscription-query.ts'
import { toast } from '#web/ui/toast.tsx'
import { showConnectCalendarResult } from './calendar-outcome.ts'

const dashboardApi = getRouteApi('/dashboard')

/**
 * Shows the result when the owner returns from the checkout or from connecting an external calendar, and removes the parameters
 * from the URL. Source: rule W6.
 */
export function useToastAfterReturn(): void {
  const { subscription, google_connected, calendar_connected, calendar_failed } = dashboardApi.useSearch()
  const navigate = dashboardApi.useNavigate()
  const client = useQueryClient()
  useEffect(() => {
    const isBack = showConnectCalendarResult({ google_connected, calendar_connected, calendar_failed })
    if (subscription === undefined && !isBack) return
    if (subscription === 'success') void sayWhatWasBought(client)
    void navigate({ search: {}, replace: true })
  }, [subscription, google_connected, calendar_connected, calendar_failed, client, navigate])
}

/**
 * Shows whether the purchase has succeeded. The server asks the provider, because anybody can write the URL, and the provider's
 * webhook may arrive later than the owner. Source: rule S10.
 */
async function sayWhatWasBought(client: QueryClient): Promise<void> {
  const fresh = await refreshPlan(client).catch(() => null)
  toast.success(
    fresh?.subscribed
      ? 'Your subscription is active. Thank you!'
      : 'Thank you! Your plan will appear here as soon as your payment arrives.',
  )
}
