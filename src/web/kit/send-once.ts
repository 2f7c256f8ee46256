/**
 * For a command that is written as a query because opening a page sends it: however often React mounts the page, it is
 * sent once, and never repeated by itself.
 */
export const SEND_ONCE = {
  retry: false,
  retryOnMount: false,
  refetchOnMount: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  staleTime: Number.POSITIVE_INFINITY,
} as const
