import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { SunPathPicture } from './day-arc.tsx'

type ErrorStateProps = { title: string; hint?: ReactNode; onRetry?: (() => void) | undefined }

/** Shows an error in place of content that could not be loaded, with a retry button. */
export function ErrorState({ title, hint, onRetry }: ErrorStateProps) {
  return (
    <div role="alert" className="flex flex-col items-center gap-2 px-4 py-10 text-center">
      <SunPathPicture at={null} className="mb-2 h-16" />
      <p className="font-display text-xl font-semibold text-balance">{title}</p>
      {hint !== undefined && <p className="max-w-prose text-ink-soft text-balance">{hint}</p>}
      {onRetry !== undefined && (
        <Button className="mt-3" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
