import { LinePlaceholder, RepeatedPlaceholder, SmallButtonPlaceholder } from '#web/kit/loading-shape.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The loading placeholder for the dashboard's list: a day with three appointments. */
export function UpcomingPlaceholder() {
  return (
    <>
      <div className="-mt-2 mb-3">
        <LinePlaceholder size="sm" className="w-40" />
      </div>
      <div className="mb-1">
        <LinePlaceholder className="w-56" />
      </div>
      <RepeatedPlaceholder count={3}>
        <div className="grid gap-x-6 gap-y-1 py-2 @2xl:grid-cols-[15rem_minmax(0,1fr)_auto]">
          <LinePlaceholder className="w-40" />
          <div className="min-w-0">
            <LinePlaceholder className="w-32" />
            <LinePlaceholder className="w-72" />
          </div>
          <div className="flex flex-col gap-1 @2xl:items-end">
            <BadgesPlaceholder />
            <ReferencePlaceholder />
          </div>
        </div>
      </RepeatedPlaceholder>
    </>
  )
}

/** The loading placeholder for a calendar's list. */
export function AppointmentsPlaceholder() {
  return (
    <>
      <div className="mb-2">
        <LinePlaceholder size="sm" className="w-40" />
      </div>
      <div className="@container divide-y divide-line border-t border-line">
        <RepeatedPlaceholder count={3}>
          <div className="grid gap-x-6 gap-y-3 py-5 @3xl:grid-cols-[15rem_1fr]">
            <div className="flex flex-col gap-2">
              <div>
                <LinePlaceholder size="sm" className="w-24" />
                <LinePlaceholder size="lg" className="w-44" />
                <LinePlaceholder className="w-40" />
              </div>
              <BadgesPlaceholder />
            </div>
            <div className="flex min-w-0 flex-col gap-2">
              <div>
                <LinePlaceholder size="lg" className="w-36" />
                <LinePlaceholder className="w-80" />
              </div>
              <div>
                <LinePlaceholder className="w-48" />
                <LinePlaceholder className="w-96" />
              </div>
              <ReferencePlaceholder />
              <div className="mt-1 flex flex-wrap gap-2">
                <SmallButtonPlaceholder className="w-20" />
                <SmallButtonPlaceholder className="w-40" />
                <SmallButtonPlaceholder className="w-28" />
              </div>
              <SmallButtonPlaceholder className="w-28" />
            </div>
          </div>
        </RepeatedPlaceholder>
      </div>
    </>
  )
}

/** The loading placeholder for a calendar's list with compact rows. */
export function CompactRowsPlaceholder() {
  return (
    <div className="border-y border-line">
      <div className="bg-sunken px-4 py-1">
        <LinePlaceholder size="sm" className="w-44" />
      </div>
      <div className="divide-y divide-line">
        <RepeatedPlaceholder count={7}>
          <div className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 px-4 py-1">
            <div>
              <LinePlaceholder className="w-16" />
              <LinePlaceholder size="sm" className="w-12" />
            </div>
            <div>
              <LinePlaceholder className="w-36" />
              <LinePlaceholder size="sm" className="w-48" />
            </div>
          </div>
        </RepeatedPlaceholder>
      </div>
    </div>
  )
}

/** The loading placeholder for a list of `CollapsedAppointment`s. */
export function CollapsedAppointmentsPlaceholder() {
  return (
    <>
      <div className="mb-2">
        <LinePlaceholder size="sm" className="w-40" />
      </div>
      <div className="divide-y divide-line border-t border-line">
        <RepeatedPlaceholder count={5}>
          <div className="flex min-h-12 items-center gap-2.5 py-1.5">
            <Skeleton className="h-8 w-1 rounded-full!" />
            <LinePlaceholder className="w-16" />
            <LinePlaceholder className="w-36" />
          </div>
        </RepeatedPlaceholder>
      </div>
    </>
  )
}

/** The loading placeholder for the time grid, with the hours from 9 AM to 5 PM. */
export function TimeGridPlaceholder({ dayCount }: { dayCount: number }) {
  const isWeek = dayCount > 1
  return (
    <div className="grid grid-cols-[3.75rem_1fr] border-t border-line">
      {isWeek && (
        <div className="col-start-2 flex border-b border-line">
          <RepeatedPlaceholder count={dayCount}>
            <div className="grid min-w-0 flex-1 justify-items-center border-s border-line px-1 py-2">
              <LinePlaceholder size="sm" className="w-8" />
              <Skeleton className="size-9" />
            </div>
          </RepeatedPlaceholder>
        </div>
      )}
      <div className="col-start-1">
        <RepeatedPlaceholder count={OPEN_HOURS}>
          <div className={HOUR_CLASS}>
            <LinePlaceholder size="sm" className="ms-2 w-10" />
          </div>
        </RepeatedPlaceholder>
      </div>
      <div className="flex">
        <RepeatedPlaceholder count={dayCount}>
          <div className="min-w-0 flex-1 divide-y divide-line border-s border-b border-line">
            <RepeatedPlaceholder count={OPEN_HOURS}>
              <div className={HOUR_CLASS} />
            </RepeatedPlaceholder>
          </div>
        </RepeatedPlaceholder>
      </div>
    </div>
  )
}

/** The loading placeholder for a week on a narrow screen. */
export function DayListsPlaceholder() {
  return (
    <div className="divide-y divide-line border-t border-line">
      <RepeatedPlaceholder count={7}>
        <div className="flex flex-col gap-2 py-4">
          <LinePlaceholder size="lg" className="w-48" />
          <LinePlaceholder size="sm" className="w-36" />
          <LinePlaceholder className="w-32" />
        </div>
      </RepeatedPlaceholder>
    </div>
  )
}

/** The number of hours in a typical time grid. */
const OPEN_HOURS = 8
/** The CSS class for the minimum height of an hour. */
const HOUR_CLASS = 'h-18'

function BadgesPlaceholder() {
  return (
    <div className="flex gap-2">
      <Skeleton className="h-6 w-24" />
    </div>
  )
}

function ReferencePlaceholder() {
  return (
    <div className="flex h-9 items-center touch:h-11">
      <LinePlaceholder size="sm" className="w-56" />
    </div>
  )
}
