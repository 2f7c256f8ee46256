import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { OWNER_KEY } from './owner-key.ts'

/** The cache key of everything about the opening hours of one calendar, including the preview. */
export function availabilityKey(calendarId: string) {
  return [OWNER_KEY, 'availability', calendarId] as const
}

/**
 * The availability of a calendar: weekly hours, slot settings and the durations of the types. Reloaded whenever it is shown,
 * because types may have changed.
 */
export function availabilityQuery(calendarId: string) {
  return queryOptions({
    queryKey: [...availabilityKey(calendarId), 'week'],
    queryFn: ({ signal }) => callApi(at.getAvailability, { params: { id: calendarId }, signal }),
  })
}
