import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { refreshPlan } from '#web/areas/plans/subscription-query.ts'
import { toast } from '#web/ui/toast.tsx'
import { tellCalendarOutcome } from './calendar-outcome.ts'

const dashboardApi = getRouteApi('/dashboard')

/**
 * Says how it went on return from the checkout or from the external calendar, and removes the parameters from the
 * address. Source: rule W6.
 */
export function useReturnNotices(): void {
  const { subscription, google_connected, calendar_connected, calendar_failed } = dashboardApi.useSearch()
  const navigate = dashboardApi.useNavigate()
  const client = useQueryClient()
  useEffect(() => {
    const isBack = tellCalendarOutcome({ google_connected, calendar_connected, calendar_failed })
    if (subscription === undefined && !isBack) return
    if (subscription === 'success') void sayWhatWasBought(client)
    void navigate({ search: {}, replace: true })
  }, [subscription, google_connected, calendar_connected, calendar_failed, client, navigate])
}

/**
 * Anybody can write the address, and the provider's event may arrive later than the owner: the server asks the provider.
 * Source: rule S10.
 */
async function sayWhatWasBought(client: QueryClient): Promise<void> {
  const fresh = await refreshPlan(client).catch(() => null)
  toast.success(
    fresh?.subscribed
      ? 'Your subscription is active. Thank you!'
      : 'Thank you! Your plan appears here as soon as your payment has arrived.',
  )
}
