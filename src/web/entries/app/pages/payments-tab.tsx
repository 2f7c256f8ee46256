import { useQuery } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { PaymentsPanel } from '#web/areas/payments/accounts/payments-panel.tsx'
import { subscriptionQuery } from '#web/areas/plans/subscription-query.ts'

/** The payments of a calendar, as far as its owner's plan goes. */
export function PaymentsTab({ calendar }: { calendar: Calendar }) {
  const { data: subscription } = useQuery(subscriptionQuery)
  return <PaymentsPanel calendar={calendar} subscription={subscription} />
}
