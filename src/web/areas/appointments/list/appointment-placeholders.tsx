import { LineShape, Repeated, SmallButtonShape } from '#web/kit/loading-shape.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The loading placeholder for the dashboard's list: a day with three appointments. */
export function UpcomingPlaceholder() {
  return (
    <>
      <div className="-mt-2 mb-3">
        <LineShape size="sm" className="w-40" />
      </div>
      <div className="mb-1">
        <LineShape className="w-56" />
      </div>
      <Repeated count={3}>
        <div className="grid gap-x-6 gap-y-1 py-2 md:grid-cols-[15rem_minmax(0,1fr)_auto]">
          <LineShape className="w-40" />
          <div className="min-w-0">
            <LineShape className="w-32" />
            <LineShape className="w-72" />
          </div>
          <div className="flex flex-col gap-1 md:items-end">
            <BadgesPlaceholder />
            <ReferencePlaceholder />
          </div>
        </div>
      </Repeated>
    </>
  )
}

/** The loading placeholder for a calendar's list. */
export function AppointmentsPlaceholder() {
  return (
    <>
      <div className="mb-2">
        <LineShape size="sm" className="w-40" />
      </div>
      <div className="@container divide-y divide-line border-t border-line">
        <Repeated count={3}>
          <div className="grid gap-x-6 gap-y-3 py-5 @3xl:grid-cols-[15rem_1fr]">
            <div className="flex flex-col gap-2">
              <div>
                <LineShape size="sm" className="w-24" />
                <LineShape size="lg" className="w-44" />
                <LineShape className="w-40" />
              </div>
              <BadgesPlaceholder />
            </div>
            <div className="flex min-w-0 flex-col gap-2">
              <div>
                <LineShape size="lg" className="w-36" />
                <LineShape className="w-80" />
              </div>
              <div>
                <LineShape className="w-48" />
                <LineShape className="w-96" />
              </div>
              <ReferencePlaceholder />
              <div className="mt-1 flex flex-wrap gap-2">
                <SmallButtonShape className="w-20" />
                <SmallButtonShape className="w-40" />
                <SmallButtonShape className="w-28" />
              </div>
              <SmallButtonShape className="w-28" />
            </div>
          </div>
        </Repeated>
      </div>
    </>
  )
}

/** The loading placeholder for a list of `AppointmentLine`s. */
export function LinesPlaceholder() {
  return (
    <>
      <div className="mb-2">
        <LineShape size="sm" className="w-40" />
      </div>
      <div className="divide-y divide-line border-t border-line">
        <Repeated count={5}>
          <div className="flex min-h-12 items-center gap-2.5 py-1.5">
            <Skeleton className="h-8 w-1 rounded-full!" />
            <LineShape className="w-16" />
            <LineShape className="w-36" />
          </div>
        </Repeated>
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
          <Repeated count={dayCount}>
            <div className="grid min-w-0 flex-1 justify-items-center border-s border-line px-1 py-2">
              <LineShape size="sm" className="w-8" />
              <Skeleton className="size-9" />
            </div>
          </Repeated>
        </div>
      )}
      <div className="col-start-1">
        <Repeated count={OPEN_HOURS}>
          <div className={HOUR_CLASS}>
            <LineShape size="sm" className="ms-2 w-10" />
          </div>
        </Repeated>
      </div>
      <div className="flex">
        <Repeated count={dayCount}>
          <div className="min-w-0 flex-1 divide-y divide-line border-s border-b border-line">
            <Repeated count={OPEN_HOURS}>
              <div className={HOUR_CLASS} />
            </Repeated>
          </div>
        </Repeated>
      </div>
    </div>
  )
}

/** The loading placeholder for a week on a narrow screen. */
export function DayListsPlaceholder() {
  return (
    <div className="divide-y divide-line border-t border-line">
      <Repeated count={7}>
        <div className="flex flex-col gap-2 py-4">
          <LineShape size="lg" className="w-48" />
          <LineShape size="sm" className="w-36" />
          <LineShape className="w-32" />
        </div>
      </Repeated>
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
      <LineShape size="sm" className="w-56" />
    </div>
  )
}
