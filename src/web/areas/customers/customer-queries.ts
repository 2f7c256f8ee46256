import { queryOptions } from '@tanstack/react-query'
import type { AllCustomersResponse } from '#contract/customers/customers.ts'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'

/** One page of customers, each with the calendar of the record. */
type CustomersPage = Pick<AllCustomersResponse, 'customers' | 'total'>

/**
 * Loads one page of the customers of a calendar, or of all calendars if `calendarId` is null. Keeps the previous page while the
 * next one loads.
 */
export function customerListQuery(calendarId: string | null, search: string, page: number) {
  const query = search === '' ? { page } : { page, search }
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'customer-list', calendarId, search, page],
    queryFn: async ({ signal }): Promise<CustomersPage> => {
      if (calendarId === null) return callApi(at.listAllCustomers, { query, signal })
      const { customers, total } = await callApi(at.listCustomers, {
        params: { id: calendarId },
        query,
        signal,
      })
      return { customers: customers.map((customer) => ({ ...customer, calendar_id: calendarId })), total }
    },
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
