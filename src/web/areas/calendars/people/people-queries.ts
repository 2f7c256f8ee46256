import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { callApi } from '#web/shared/call-api.ts'

/** Somebody who has a calendar already, or somebody by name. */
export type Who = { readonly person_id: string } | { readonly name: string }

/** The appointments to come of a calendar that would overlap others of a person; null asks nothing. Source: rule T41. */
export function overlapsQuery(calendarId: string, who: Who | null) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'overlaps', calendarId, who],
    queryFn: ({ signal }) =>
      callApi(at.listOverlapsWithPerson, { params: { id: calendarId }, query: who ?? {}, signal }),
    enabled: who !== null,
    // Appointments may have been booked or moved since, also in another tab.
    staleTime: 0,
  })
}

/** The appointments to come that overlapped before each person was booked once. Source: rule T42. */
export const keptOverlapsQuery = queryOptions({
  queryKey: [OWNER_KEY, 'overlaps', 'kept'],
  queryFn: ({ signal }) => callApi(at.listKeptOverlaps, { signal }),
})
