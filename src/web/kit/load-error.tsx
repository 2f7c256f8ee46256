import { useEffect } from 'react'
import { ApiProblem } from '#web/shared/api-client.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { toast } from '#web/ui/toast.tsx'

type LoadErrorProps = {
  title: string
  error: Error
  /** What the server says of it, where that tells more than the title. */
  hint?: string | undefined
  onRetry: () => void
}

/**
 * Says that something of the owner's could not be loaded: where it would be, and as a toast for whoever looks elsewhere.
 * The way to the login says itself why it is there. Source: rule Y13.
 */
export function LoadError({ title, error, hint, onRetry }: LoadErrorProps) {
  useEffect(() => {
    if (!(error instanceof ApiProblem && error.code === 'auth.required')) toast.error(title)
  }, [error, title])
  return <ErrorState title={title} hint={hint} onRetry={onRetry} />
}
