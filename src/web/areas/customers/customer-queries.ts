import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'

/** Loads one page of a calendar's customers. Keeps the previous page while the next one loads. */
export function customerListQuery(calendarId: string, search: string, page: number) {
  const query = search === '' ? { page } : { page, search }
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'customer-list', calendarId, search, page],
    queryFn: ({ signal }) => callApi(at.listCustomers, { params: { id: calendarId }, query, signal }),
    retry: retryOnce,
    placeholderData: (shown, shownQuery) =>
      shownQuery?.queryKey[2] === calendarId && shownQuery.queryKey[3] === search ? shown : undefined,
  })
}

/** Loads one customer. */
export function customerQuery(calendarId: string, customerId: string) {
  const params = { id: calendarId, customer_id: customerId }
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'customer', calendarId, customerId],
    queryFn: ({ signal }) => callApi(at.getCustomer, { params, signal }),
    retry: retryOnce,
  })
}
