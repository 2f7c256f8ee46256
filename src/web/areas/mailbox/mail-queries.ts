import { queryOptions } from '@tanstack/react-query'
import type { MailSampleScene } from '#contract/mailbox.ts'
import * as at from '#contract/operations/addresses.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi, pathOf } from '#web/shared/call-api.ts'

/** Mails arrive while somebody looks. */
const REFETCH_MS = 3_000

/** What the product would have sent, newest first. */
export const mailsQuery = queryOptions({
  queryKey: ['sandbox-mails'],
  queryFn: async ({ signal }) => (await callApi(at.listMails, { signal })).mails,
  retry: retryOnce,
  refetchInterval: REFETCH_MS,
})

/** One message; it never changes. */
export function mailQuery(id: string) {
  return queryOptions({
    queryKey: ['sandbox-mail', id],
    queryFn: ({ signal }) => callApi(at.getMail, { params: { id }, signal }),
    retry: retryOnce,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Every message of the product. */
export const mailSamplesQuery = queryOptions({
  queryKey: ['sandbox-mail-samples'],
  queryFn: async ({ signal }) => (await callApi(at.listMailSamples, { signal })).samples,
  retry: retryOnce,
  staleTime: Number.POSITIVE_INFINITY,
})

/** One of them, shown with what a scene is made of. */
export function mailSampleQuery(id: string, scene: MailSampleScene) {
  return queryOptions({
    queryKey: ['sandbox-mail-sample', id, scene],
    queryFn: ({ signal }) => callApi(at.getMailSample, { params: { id }, query: { scene }, signal }),
    retry: retryOnce,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Where the HTML of a message is a page of its own. */
export const mailPages = {
  kept: (id: string) => pathOf(at.showMail, { params: { id } }),
  sample: (id: string, scene: MailSampleScene) =>
    pathOf(at.showMailSample, { params: { id }, query: { scene } }),
} as const
