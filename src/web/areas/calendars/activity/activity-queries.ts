import { infiniteQueryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { callApi } from '#web/shared/call-api.ts'

/** The bookings that were refused because of the time, newest first. */
export function refusalsQuery(calendarId: string) {
  return infiniteQueryOptions({
    queryKey: [OWNER_QUERY_KEY, 'refusals', calendarId],
    queryFn: ({ pageParam, signal }) =>
      callApi(at.listRefusals, { params: { id: calendarId }, query: pageParam, signal }),
    initialPageParam: {} as { before?: string },
    getNextPageParam: ({ next }) => (next === null ? null : { before: next }),
    // Customers cause refusals at any time.
    staleTime: 0,
  })
}
