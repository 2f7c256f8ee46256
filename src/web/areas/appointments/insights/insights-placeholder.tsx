import { LoadingPlaceholder, RepeatedPlaceholder } from '#web/kit/loading-shape.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The loading placeholder for the charts. */
export function InsightsPlaceholder() {
  return (
    <LoadingPlaceholder text="Loading insights...">
      <div className="grid gap-6 @2xl:grid-cols-2">
        <Skeleton className="h-96 rounded-card @2xl:col-span-2" />
        <RepeatedPlaceholder count={2}>
          <Skeleton className="h-96 rounded-card" />
        </RepeatedPlaceholder>
      </div>
    </LoadingPlaceholder>
  )
}
