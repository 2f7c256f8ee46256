import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'

/** The shown part of the list: open requests, or ended ones. */
export type WaitingListFilter = 'waiting' | 'ended'

export function waitingListKey(calendarId: string) {
  return [OWNER_QUERY_KEY, 'waiting-list', calendarId] as const
}

/** One page of a calendar's waiting list. While the next page loads, the previous one stays visible. */
export function waitingListQuery(calendarId: string, show: WaitingListFilter, page: number) {
  return queryOptions({
    queryKey: [...waitingListKey(calendarId), show, page],
    queryFn: ({ signal }) =>
      callApi(at.listWaiting, { params: { id: calendarId }, query: { show, page }, signal }),
    retry: retryOnce,
    placeholderData: (shown, shownQuery) =>
      shownQuery?.queryKey[2] === calendarId && shownQuery.queryKey[3] === show ? shown : undefined,
  })
}

/** The number of open requests for each of the owner's calendars. */
export const waitingListCountsQuery = queryOptions({
  queryKey: [OWNER_QUERY_KEY, 'waiting-counts'],
  queryFn: ({ signal }) => callApi(at.listWaitingCounts, { signal }),
  retry: retryOnce,
})

/** The free times that match a request. Reloaded each time they are shown, because other customers keep booking. */
export function matchingTimesQuery(calendarId: string, entryId: string) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'fitting-times', calendarId, entryId],
    queryFn: ({ signal }) =>
      callApi(at.listFittingTimes, { params: { id: calendarId, entry_id: entryId }, signal }),
    retry: retryOnce,
    staleTime: 0,
    gcTime: 0,
  })
}
