import { useInfiniteQuery } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { RefusalItem } from '#web/kit/refusal-item.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ActivityCard } from './activity-card.tsx'
import { refusalsQuery } from './activity-queries.ts'

/** Shows what happened on a calendar: the bookings that customers were refused. */
export function ActivityPanel({ calendar }: { calendar: Calendar }) {
  return <RefusalsCard calendar={calendar} />
}

function RefusalsCard({ calendar: { id, timezone } }: { calendar: Calendar }) {
  const query = useInfiniteQuery(refusalsQuery(id))
  const refusals = query.data?.pages.flatMap((page) => page.refusals)
  return (
    <ActivityCard
      title="Refused bookings"
      description="Times that customers tried to book but couldn’t, in the last 30 days."
      query={query}
    >
      {refusals?.length === 0 ? (
        <EmptyState
          title="No refused bookings"
          hint="When a customer can’t have a time, you’ll see here why."
        />
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {refusals?.map((refusal) => (
            <RefusalItem key={refusal.id} refusal={refusal} timeZone={timezone} />
          ))}
        </ul>
      )}
    </ActivityCard>
  )
}
