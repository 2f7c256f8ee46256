import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { callApi } from '#web/shared/call-api.ts'

/** A person who has a calendar, by id, or any person by name. */
export type PersonChoice = { readonly person_id: string } | { readonly name: string }

/**
 * Loads the calendar's upcoming appointments that would overlap those of a person. Disabled if `who` is null. Source: rule T41.
 */
export function overlapsWithPersonQuery(calendarId: string, who: PersonChoice | null) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'overlaps', calendarId, who],
    queryFn: ({ signal }) =>
      callApi(at.listOverlapsWithPerson, { params: { id: calendarId }, query: who ?? {}, signal }),
    enabled: who !== null,
    // Never cached, because appointments may have changed in another tab.
    staleTime: 0,
  })
}

/**
 * Loads the upcoming appointments of one person that were booked at overlapping times before Meridian prevented that. Source:
 * rule T42.
 */
export const existingOverlapsQuery = queryOptions({
  queryKey: [OWNER_QUERY_KEY, 'overlaps', 'kept'],
  queryFn: ({ signal }) => callApi(at.listKeptOverlaps, { signal }),
})
