import { useQuery } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { IntegrationsPanel } from '#web/areas/external-calendars/integrations-panel.tsx'
import { subscriptionQuery } from '#web/areas/plans/subscription-query.ts'

/** The external calendars of a calendar, as far as its owner's plan goes. */
export function IntegrationsTab({ calendar }: { calendar: Calendar }) {
  const { data: subscription } = useQuery(subscriptionQuery)
  return <IntegrationsPanel calendar={calendar} subscription={subscription} />
}
