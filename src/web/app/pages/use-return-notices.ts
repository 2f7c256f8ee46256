import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { subscriptionQuery } from '#web/features/plans/subscription-query.ts'
import { toast } from '#web/ui/toast.tsx'

const dashboardApi = getRouteApi('/dashboard')

/**
 * Says how it went on return from the checkout or from the external calendar, and takes the parameters out of the
 * address. Source: spec §2 "Dashboard".
 */
export function useReturnNotices(): void {
  const { subscription, google_connected } = dashboardApi.useSearch()
  const navigate = dashboardApi.useNavigate()
  const client = useQueryClient()
  useEffect(() => {
    if (subscription === undefined && google_connected === undefined) return
    if (subscription === 'success') {
      toast.success('Your subscription is active. Thank you!')
      void client.invalidateQueries({ queryKey: subscriptionQuery.queryKey })
    }
    if (google_connected === 'success') toast.success('Connected to Google Calendar')
    void navigate({ search: {}, replace: true })
  }, [subscription, google_connected, client, navigate])
}
