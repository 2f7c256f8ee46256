/**
 * Query options for a command that opening a page sends. It is sent once, even if React mounts the page several times, and
 * is never retried.
 */
export const SEND_ONCE = {
  retry: false,
  retryOnMount: false,
  refetchOnMount: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  staleTime: Number.POSITIVE_INFINITY,
} as const
