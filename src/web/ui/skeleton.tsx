import { classNames } from './class-names.ts'

/** The shape of content that is still loading. It is silent: its surroundings say that it loads. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return (
    <div aria-hidden="true" className={classNames('animate-pulse rounded-control bg-sunken', className)} />
  )
}
