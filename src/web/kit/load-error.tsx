import { useEffect } from 'react'
import { ApiProblem } from '#web/shared/api-client.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { toast } from '#web/ui/toast.tsx'

type LoadErrorProps = {
  title: string
  error: Error
  /** The server's message, if it adds information to the title. */
  hint?: string | undefined
  onRetry: () => void
}

/**
 * Shows an error in place of data that could not be loaded, and also as a toast. Shows no toast for an expired session, because
 * the login page explains it. Source: rule Y13.
 */
export function LoadError({ title, error, hint, onRetry }: LoadErrorProps) {
  useEffect(() => {
    if (!(error instanceof ApiProblem && error.code === 'auth.required')) toast.error(title)
  }, [error, title])
  return <ErrorState title={title} hint={hint} onRetry={onRetry} />
}
