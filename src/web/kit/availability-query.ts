import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { OWNER_KEY } from './owner-key.ts'

/** Cache key of everything about the hours of one calendar: a change of the hours changes the preview, too. */
export function availabilityKey(calendarId: string) {
  return [OWNER_KEY, 'availability', calendarId] as const
}

/**
 * The availability of a calendar: the week, the slot settings and the lengths of the types. Loaded again whenever it is
 * shown, because types change, too.
 */
export function availabilityQuery(calendarId: string) {
  return queryOptions({
    queryKey: [...availabilityKey(calendarId), 'week'],
    queryFn: ({ signal }) => callApi(at.getAvailability, { params: { id: calendarId }, signal }),
  })
}
