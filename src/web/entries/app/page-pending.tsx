import { LinePlaceholder, LoadingPlaceholder } from '#web/kit/loading-shape.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/**
 * The placeholder of a page that is still loading, with the shape of a heading. The router shows it only after a delay, so it
 * needs no delay of its own.
 */
export function PagePlaceholder() {
  return (
    <main className="mx-auto w-full max-w-7xl flex-1 px-4 py-5 sm:px-6 lg:py-6">
      <LoadingPlaceholder text="Loading..." className="animate-none!">
        <LinePlaceholder size="3xl" className="w-64" />
        <Skeleton className="mt-8 h-40 rounded-card!" />
        <Skeleton className="mt-8 h-96 rounded-card!" />
      </LoadingPlaceholder>
    </main>
  )
}
