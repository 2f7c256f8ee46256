import { useQuery } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { DomainsPanel } from '#web/areas/addresses/domains-panel.tsx'
import { subscriptionQuery } from '#web/areas/plans/subscription-query.ts'

/** Lets the owner choose the addresses of a calendar, as far as their plan includes them. */
export function DomainsTab({ calendar }: { calendar: Calendar }) {
  const { data: subscription } = useQuery(subscriptionQuery)
  return <DomainsPanel calendar={calendar} subscription={subscription} />
}
