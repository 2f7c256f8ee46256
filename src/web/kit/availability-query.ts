import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { OWNER_KEY } from './owner-key.ts'

/** Cache key of everything about the hours of one calendar: what changes the hours changes their preview too. */
export function availabilityKey(calendarId: string) {
  return [OWNER_KEY, 'availability', calendarId] as const
}

/** The week, the slot settings and the lengths of the types. Asked anew whenever it is looked at: types change too. */
export function availabilityQuery(calendarId: string) {
  return queryOptions({
    queryKey: [...availabilityKey(calendarId), 'week'],
    queryFn: ({ signal }) => callApi(at.getAvailability, { params: { id: calendarId }, signal }),
  })
}
