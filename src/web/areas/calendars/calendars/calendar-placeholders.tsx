import { LinePlaceholder, RepeatedPlaceholder, SmallButtonPlaceholder } from '#web/kit/loading-shape.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The placeholder of a `CalendarCard`. */
export function CalendarCardPlaceholder() {
  return (
    <div className="flex min-w-0 overflow-hidden rounded-card border border-line bg-surface shadow-card">
      <div className="w-1.5 shrink-0 bg-sunken" />
      <div className="flex min-w-0 flex-1 flex-col gap-3 p-5">
        {/* Leaves room for the card's button. */}
        <div className="pe-11">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <LinePlaceholder size="lg" className="w-44" />
            <Skeleton className="h-6 w-24 rounded-full!" />
          </div>
          <div className="mt-1">
            <LinePlaceholder className="w-96" />
            <LinePlaceholder className="w-64" />
          </div>
        </div>
        <Skeleton className="h-9 touch:h-11" />
        <div className="flex flex-wrap gap-2 *:grow sm:*:grow-0">
          <SmallButtonPlaceholder className="w-28" />
          <SmallButtonPlaceholder className="w-50" />
          <SmallButtonPlaceholder className="w-61" />
        </div>
      </div>
    </div>
  )
}

/** The placeholder of a calendar's settings. */
export function CalendarSettingsPlaceholder() {
  return (
    <div className="flex flex-col gap-6">
      <div className="flex items-start gap-3">
        <Skeleton className="mt-3 size-4 shrink-0 rounded-full!" />
        <LinePlaceholder size="3xl" className="w-64" />
      </div>
      {/* The placeholder of the card with the booking page, whose height is that of its buttons. */}
      <Skeleton className="h-12.5 rounded-card! touch:h-14.5" />
      <div>
        <div className="flex h-11.25 items-center gap-7 overflow-hidden border-b border-line px-3 *:shrink-0">
          <RepeatedPlaceholder count={9}>
            <LinePlaceholder className="w-24" />
          </RepeatedPlaceholder>
        </div>
        <Card className="mt-6">
          <HeadLines />
          <Skeleton className="mt-4 h-80" />
        </Card>
      </div>
    </div>
  )
}

function HeadLines() {
  return (
    <div className="min-w-0">
      <LinePlaceholder size="xl" className="w-36" />
      <div className="mt-1">
        <LinePlaceholder className="w-64" />
      </div>
    </div>
  )
}
