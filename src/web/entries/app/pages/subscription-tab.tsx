import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import { calendarsQuery } from '#web/areas/calendars/calendars/calendar-queries.ts'
import { SubscriptionPanel } from '#web/areas/plans/subscription-panel.tsx'
import type { SelectableTier } from '#web/areas/plans/subscription-query.ts'
import { readSitePageData } from '#web/shared/site-page-data.ts'

type SubscriptionTabProps = {
  owner: Owner
  /** The plan that the owner is thinking of changing to. */
  wanted: SelectableTier | undefined
  onWant: (tier: SelectableTier | undefined) => void
}

/** Shows the owner's plan and how many of its calendars they use. */
export function SubscriptionTab({ owner, ...change }: SubscriptionTabProps) {
  const { data: calendars } = useQuery(calendarsQuery(owner.id))
  const [site] = useState(readSitePageData)
  return <SubscriptionPanel calendarCount={calendars?.length} site={site} {...change} />
}
