import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Owner } from '#contract/sessions.ts'
import { calendarsQuery } from '#web/features/calendars/calendar-queries.ts'
import { SubscriptionPanel } from '#web/features/plans/subscription-panel.tsx'
import { readSitePageData } from '#web/shared/site-page-data.ts'

/** The plan, with how many of its calendars the owner uses. */
export function SubscriptionTab({ owner }: { owner: Owner }) {
  const { data: calendars } = useQuery(calendarsQuery(owner.id))
  const [{ stripe }] = useState(readSitePageData)
  return <SubscriptionPanel calendarCount={calendars?.length} canConnectStripe={stripe} />
}
