import { ButtonShape, LineShape, Repeated } from '#web/kit/loading-shape.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** How much of a plan is used, what it gives, and the way to the others. */
export function SubscriptionPlaceholder() {
  return (
    <>
      <LineShape size="2xl" className="w-48" />
      <Skeleton className="mt-2 h-2 max-w-sm rounded-full!" />
      <div className="mt-6 grid gap-x-8 gap-y-3 border-t border-line pt-5 sm:grid-cols-2">
        <Repeated count={9}>
          <div className="flex gap-2.5">
            <Skeleton className="mt-0.5 size-5 shrink-0" />
            <div className="min-w-0 flex-1">
              <LineShape className="w-56" />
              <div className="h-6 sm:hidden" />
            </div>
          </div>
        </Repeated>
      </div>
      <div className="mt-6 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-5">
        <LineShape className="w-80" />
        <ButtonShape className="w-40" />
      </div>
    </>
  )
}
