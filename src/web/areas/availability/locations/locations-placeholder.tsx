import { LineShape, SmallButtonShape } from '#web/kit/loading-shape.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** A location with its address, as `LocationItem` shows it. */
export function LocationsPlaceholder() {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex min-w-0 flex-wrap items-start justify-between gap-3 rounded-control border border-line bg-surface p-4">
        <div className="flex min-w-0 flex-1 basis-64 gap-3">
          <Skeleton className="size-10 shrink-0 rounded-full!" />
          <div className="min-w-0 flex-1">
            <LineShape className="w-44" />
            <div className="mt-0.5">
              <LineShape className="w-64" />
            </div>
            <div className="mt-0.5">
              <LineShape size="sm" className="w-48" />
            </div>
          </div>
        </div>
        <SmallButtonShape className="ms-auto w-20" />
      </div>
    </div>
  )
}
