import { useQuery } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { IntegrationsPanel } from '#web/areas/external-calendars/integrations-panel.tsx'
import { subscriptionQuery } from '#web/areas/plans/subscription-query.ts'

/** Lets the owner connect external calendars to a calendar, as far as their plan includes them. */
export function IntegrationsTab({ calendar }: { calendar: Calendar }) {
  const { data: subscription } = useQuery(subscriptionQuery)
  return <IntegrationsPanel calendar={calendar} subscription={subscription} />
}
