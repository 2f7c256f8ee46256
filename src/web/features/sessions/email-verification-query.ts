import { queryOptions } from '@tanstack/react-query'
import { sendJson } from '#web/shared/api-client.ts'

/**
 * Redeems the link of the confirmation mail. It is a command, but written as a query that is never repeated by
 * itself: however often React mounts the page, one token is sent once.
 */
export function emailVerificationQuery(token: string) {
  return queryOptions({
    queryKey: ['email-verification', token],
    queryFn: () => sendJson<{ ok: true }>('POST', '/api/auth/email-verification', { token }),
    enabled: token !== '',
    retry: false,
    retryOnMount: false,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
