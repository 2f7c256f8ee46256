import { queryOptions } from '@tanstack/react-query'
import type {
  Mail,
  MailContent,
  MailSampleScene,
  MailSamplesResponse,
  MailsResponse,
} from '#contract/mailbox.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { getJson } from '#web/shared/api-client.ts'

/** Mails arrive while somebody looks. */
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

/** Every message of the product. */
export const mailSamplesQuery = queryOptions({
  queryKey: ['sandbox-mail-samples'],
  queryFn: async ({ signal }) =>
    (await getJson<MailSamplesResponse>('/api/sandbox/mail-samples', signal)).samples,
  retry: retryOnce,
  staleTime: Number.POSITIVE_INFINITY,
})

/** One of them, shown with what a scene is made of. */
export function mailSampleQuery(id: string, scene: MailSampleScene) {
  return queryOptions({
    queryKey: ['sandbox-mail-sample', id, scene],
    queryFn: ({ signal }) =>
      getJson<MailContent>(`/api/sandbox/mail-samples/${encodeURIComponent(id)}?scene=${scene}`, signal),
    retry: retryOnce,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Where the HTML of a message is a page of its own. */
export const mailPages = {
  kept: (id: string) => `/api/sandbox/mails/${encodeURIComponent(id)}/html`,
  sample: (id: string, scene: MailSampleScene) =>
    `/api/sandbox/mail-samples/${encodeURIComponent(id)}/html?scene=${scene}`,
} as const
