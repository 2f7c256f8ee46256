import { LinePlaceholder, RepeatedPlaceholder, SmallButtonPlaceholder } from '#web/kit/loading-shape.tsx'
import { useIsWide } from '#web/kit/use-is-wide.ts'
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
export function CalendarSettingsPlaceholder({ isTabPage }: { isTabPage: boolean }) {
  const bookingPage = <Skeleton className="h-12.5 rounded-card! touch:h-14.5" />
  if (useIsWide()) {
    return (
      <div className="flex flex-col gap-6">
        <HeadingShape />
        <div className="grid grid-cols-[12.5rem_minmax(0,1fr)] gap-8">
          <div className="flex flex-col gap-5">
            <RepeatedPlaceholder count={3}>
              <div>
                <LinePlaceholder size="sm" className="w-20" />
                <RepeatedPlaceholder count={4}>
                  <div className="flex h-9 items-center touch:h-11">
                    <LinePlaceholder className="w-28" />
                  </div>
                </RepeatedPlaceholder>
              </div>
            </RepeatedPlaceholder>
          </div>
          <div className="flex flex-col gap-6">
            {bookingPage}
            <PanelShape />
          </div>
        </div>
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-5">
      {isTabPage ? (
        <>
          <div>
            <LinePlaceholder size="2xl" className="w-56" />
            <LinePlaceholder className="w-24" />
          </div>
          <PanelShape />
        </>
      ) : (
        <>
          <HeadingShape />
          {bookingPage}
          <RepeatedPlaceholder count={3}>
            <div>
              <LinePlaceholder size="sm" className="mb-2 w-20" />
              <Skeleton className="h-50 rounded-card!" />
            </div>
          </RepeatedPlaceholder>
        </>
      )}
    </div>
  )
}

/** The placeholder of another page about a calendar. */
export function CalendarPagePlaceholder() {
  return (
    <div className="flex flex-col gap-6">
      <LinePlaceholder size="3xl" className="w-64" />
      <PanelShape />
    </div>
  )
}

function HeadingShape() {
  return (
    <div className="flex items-start gap-3">
      <Skeleton className="mt-3 size-4 shrink-0 rounded-full!" />
      <LinePlaceholder size="3xl" className="w-64" />
    </div>
  )
}

function PanelShape() {
  return (
    <Card>
      <HeadLines />
      <Skeleton className="mt-4 h-80" />
    </Card>
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
