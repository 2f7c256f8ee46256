import { LineShape, Repeated } from '#web/kit/loading-shape.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** What was taken, refunded and is outstanding. */
export function FiguresPlaceholder() {
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      <Repeated count={3}>
        <Skeleton className="h-19.5" />
      </Repeated>
    </div>
  )
}

/** Three payments: a table, on phones each a block with its values below each other. */
export function TransactionsPlaceholder() {
  return (
    <>
      <div className="h-9.5 border-b border-line max-sm:hidden" />
      <Repeated count={3}>
        <div className="flex gap-6 border-line py-3 not-last:border-b max-sm:flex-col max-sm:gap-3 sm:h-18 sm:px-3">
          <LineShape className="w-28" />
          <LineShape className="w-20" />
          <div className="min-w-0 sm:flex-1">
            <LineShape className="w-36" />
            <LineShape size="sm" className="w-48" />
          </div>
          <div className="min-w-0 sm:flex-1">
            <LineShape className="w-40" />
            <LineShape size="sm" className="w-36" />
          </div>
          <Skeleton className="h-6 w-20" />
        </div>
      </Repeated>
    </>
  )
}
