import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { OWNER_QUERY_KEY } from './owner-key.ts'

/** Returns the prefix of all query keys for a calendar's opening hours, including the preview. */
export function availabilityKey(calendarId: string) {
  return [OWNER_QUERY_KEY, 'availability', calendarId] as const
}

/**
 * Loads a calendar's weekly hours, slot settings and the durations of its types. Reloads them whenever a page shows them, because
 * the types may have changed.
 */
export function availabilityQuery(calendarId: string) {
  return queryOptions({
    queryKey: [...availabilityKey(calendarId), 'week'],
    queryFn: ({ signal }) => callApi(at.getAvailability, { params: { id: calendarId }, signal }),
  })
}
