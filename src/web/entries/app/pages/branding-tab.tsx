import { useQuery } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { BrandingPanel } from '#web/areas/calendars/branding/branding-panel.tsx'
import { subscriptionQuery } from '#web/areas/plans/subscription-query.ts'

/** Lets the owner edit the look of a calendar's booking page, as far as their plan includes it. */
export function BrandingTab({ calendar }: { calendar: Calendar }) {
  const { data: subscription } = useQuery(subscriptionQuery)
  return <BrandingPanel calendar={calendar} subscription={subscription} />
}
