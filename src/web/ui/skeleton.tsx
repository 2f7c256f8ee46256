import { classNames } from './class-names.ts'

/** A placeholder for loading content. It is hidden from screen readers; an element around it announces the loading. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return (
    <div aria-hidden="true" className={classNames('animate-pulse rounded-control bg-sunken', className)} />
  )
}
