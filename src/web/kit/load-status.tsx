import type { ReactNode } from 'react'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadError } from './load-error.tsx'
import { LoadingShape } from './loading-shape.tsx'

type LoadStatusProps = {
  query: { data: unknown; error: Error | null; refetch: () => unknown }
  /** Text while the data loads. */
  loading: string
  /** Title of the error. */
  failed: string
  /** Shows no toast about an error. */
  isQuiet?: boolean
  /** A placeholder as large as the coming content. */
  children: ReactNode
}

/**
 * Stands in for content until its query has data: a placeholder while it loads, or the error with a retry button.
 * Renders nothing once there is data.
 */
export function LoadStatus({ query, loading, failed, isQuiet = false, children }: LoadStatusProps) {
  const { data, error, refetch } = query
  if (data !== undefined) return null
  if (error === null) return <LoadingShape text={loading}>{children}</LoadingShape>
  const state = { title: failed, hint: error.message, onRetry: () => void refetch() }
  return isQuiet ? <ErrorState {...state} /> : <LoadError error={error} {...state} />
}
