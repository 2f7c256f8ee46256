/**
 * Query options for a command that is sent when a page opens. It is sent once, even if React mounts the page several times, and
 * never retried.
 */
export const SEND_ONCE_QUERY_OPTIONS = {
  retry: false,
  retryOnMount: false,
  refetchOnMount: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  staleTime: Number.POSITIVE_INFINITY,
} as const
