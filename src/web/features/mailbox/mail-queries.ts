import { queryOptions } from '@tanstack/react-query'
import type { Mail, MailsResponse } from '#contract/mailbox.ts'
import { retryOnce } from '#web/app/kit/retry-once.ts'
import { getJson } from '#web/shared/api-client.ts'

/** Mails arrive while one looks. */
const REFETCH_MS = 3_000

/** What the product would have sent, newest first. */
export const mailsQuery = queryOptions({
  queryKey: ['sandbox-mails'],
  queryFn: async ({ signal }) => (await getJson<MailsResponse>('/api/sandbox/mails', signal)).mails,
  retry: retryOnce,
  refetchInterval: REFETCH_MS,
})

/** One message; it never changes. */
export function mailQuery(id: string) {
  return queryOptions({
    queryKey: ['sandbox-mail', id],
    queryFn: ({ signal }) => getJson<Mail>(`/api/sandbox/mails/${encodeURIComponent(id)}`, signal),
    retry: retryOnce,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
