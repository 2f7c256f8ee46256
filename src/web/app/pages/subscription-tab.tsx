import { useQuery } from '@tanstack/react-query'
import type { Owner } from '#contract/sessions.ts'
import { calendarsQuery } from '#web/features/calendars/calendar-queries.ts'
import { SubscriptionPanel } from '#web/features/plans/subscription-panel.tsx'

/** The plan, with how many of its calendars the owner uses. */
export function SubscriptionTab({ owner }: { owner: Owner }) {
  const { data: calendars } = useQuery(calendarsQuery(owner.id))
  return <SubscriptionPanel calendarCount={calendars?.length} />
}
