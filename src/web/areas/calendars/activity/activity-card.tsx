import type { ReactNode } from 'react'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { LinePlaceholder, RepeatedPlaceholder } from '#web/kit/loading-shape.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'

type ActivityCardProps = {
  title: string
  description: string
  query: {
    data: unknown
    error: Error | null
    refetch: () => unknown
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => unknown
  }
  actions?: ReactNode
  children: ReactNode
}

/** A card with a list of events, newest first, and a button that loads older ones. */
export function ActivityCard({ title, description, query, actions, children }: ActivityCardProps) {
  return (
    <Card title={title} description={description} actions={actions}>
      <LoadStatus query={query} loading="Loading..." failed="Failed to load the list">
        <RepeatedPlaceholder count={4}>
          <div className="py-3">
            <LinePlaceholder className="w-64" />
            <LinePlaceholder size="sm" className="w-40" />
          </div>
        </RepeatedPlaceholder>
      </LoadStatus>
      {query.data !== undefined && children}
      {query.hasNextPage && (
        <Button
          variant="secondary"
          className="mt-4"
          pending={query.isFetchingNextPage}
          pendingLabel="Loading..."
          onClick={() => void query.fetchNextPage()}
        >
          Show older
        </Button>
      )}
    </Card>
  )
}
