import { LineShape, Repeated } from '#web/kit/loading-shape.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Two devices, as `SessionItem` shows them. */
export function SessionsPlaceholder() {
  return (
    <div className="-my-4 divide-y divide-line">
      <Repeated count={2}>
        <div className="flex gap-4 py-4">
          <Skeleton className="size-6 shrink-0" />
          <div className="min-w-0 flex-1">
            <LineShape className="w-52" />
            <div className="mt-0.5">
              <LineShape className="w-32" />
            </div>
            <LineShape size="sm" className="w-72" />
          </div>
        </div>
      </Repeated>
    </div>
  )
}
