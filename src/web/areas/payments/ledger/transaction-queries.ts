import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'

/** One page of a calendar's payments, newest first. While the next page loads, the previous one stays visible. */
export function transactionsQuery(calendarId: string, page: number) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'payment-transactions', calendarId, page],
    queryFn: async ({ signal }) => {
      try {
        return await callApi(at.listTransactions, { params: { id: calendarId }, query: { page }, signal })
      } catch (error) {
        // biome-ignore lint/suspicious/noConsole: failures to load are also logged to the console
        if (!signal.aborted) console.error('Loading the payment transactions failed', error)
        throw error
      }
    },
    retry: retryOnce,
    placeholderData: (shown, shownQuery) => (shownQuery?.queryKey[2] === calendarId ? shown : undefined),
  })
}

/** A calendar's received, refunded and outstanding money. */
export function paymentsOverviewQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'money', calendarId],
    queryFn: ({ signal }) => callApi(at.getMoneyOverview, { params: { id: calendarId }, signal }),
    retry: retryOnce,
  })
}
