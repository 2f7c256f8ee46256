import { classNames } from './class-names.ts'

/** A placeholder for loading content, hidden from screen readers. Its surroundings announce the loading. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return (
    <div aria-hidden="true" className={classNames('animate-pulse rounded-control bg-sunken', className)} />
  )
}
