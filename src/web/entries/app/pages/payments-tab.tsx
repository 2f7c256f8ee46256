import { useQuery } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { PaymentsPanel } from '#web/areas/payments/accounts/payments-panel.tsx'
import { subscriptionQuery } from '#web/areas/plans/subscription-query.ts'

/** Lets the owner set up the payments of a calendar, as far as their plan includes them. */
export function PaymentsTab({ calendar }: { calendar: Calendar }) {
  const { data: subscription } = useQuery(subscriptionQuery)
  return <PaymentsPanel calendar={calendar} subscription={subscription} />
}
