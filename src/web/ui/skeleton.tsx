import { classNames } from './class-names.ts'

/** The shape of what is still loading. Silent: the place around it says that it loads. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return (
    <div aria-hidden="true" className={classNames('animate-pulse rounded-control bg-sunken', className)} />
  )
}
