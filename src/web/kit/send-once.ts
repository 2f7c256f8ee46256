/**
 * Of a command that is written as a query because it is sent by opening a page: however often React mounts the page, it is
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
