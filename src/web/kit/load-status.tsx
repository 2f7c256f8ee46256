import type { ReactNode } from 'react'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadingPlaceholder } from './loading-shape.tsx'

type LoadStatusProps = {
  query: { data: unknown; error: Error | null; refetch: () => unknown }
  /** The text shown while the data loads. */
  loading: string
  /** The title of the error. */
  failed: string
  /** A placeholder of the same size as the content. */
  children: ReactNode
}

/**
 * Renders a placeholder while a query loads its data, or the error with a retry button. Renders nothing once the data has
 * arrived.
 */
export function LoadStatus({ query, loading, failed, children }: LoadStatusProps) {
  const { data, error, refetch } = query
  if (data !== undefined) return null
  if (error === null) return <LoadingPlaceholder text={loading}>{children}</LoadingPlaceholder>
  return <ErrorState title={failed} hint={error.message} onRetry={() => void refetch()} />
}
