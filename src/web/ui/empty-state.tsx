import type { ReactNode } from 'react'
import { SunPathPicture } from './day-arc.tsx'

type EmptyStateProps = {
  title: string
  hint?: ReactNode
  action?: ReactNode
  /** An illustration to show instead of the default one. */
  illustration?: ReactNode
}

/** Shows the message of an empty list, with an optional action. */
export function EmptyState({
  title,
  hint,
  action,
  illustration = <SunPathPicture at={0.18} className="mb-2 h-16" />,
}: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 px-4 py-10 text-center">
      {illustration}
      <p className="font-display text-xl font-semibold text-balance">{title}</p>
      {hint !== undefined && <p className="max-w-prose text-ink-soft text-balance">{hint}</p>}
      {action !== undefined && <div className="mt-3">{action}</div>}
    </div>
  )
}
