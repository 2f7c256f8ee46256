import { useQuery } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { IntegrationsPanel } from '#web/areas/external-calendars/integrations-panel.tsx'
import { subscriptionQuery } from '#web/areas/plans/subscription-query.ts'

type IntegrationsTabProps = {
  calendar: Calendar
  /** True for a step of the set-up. */
  isSetup?: boolean
}

/** Lets the owner connect external calendars to a calendar, as far as their plan includes them. */
export function IntegrationsTab({ calendar, isSetup }: IntegrationsTabProps) {
  const { data: subscription } = useQuery(subscriptionQuery)
  return <IntegrationsPanel calendar={calendar} subscription={subscription} isSetup={isSetup} />
}
