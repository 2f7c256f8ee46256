import { queryOptions } from '@tanstack/react-query'
import type { AvailabilityResponse } from '#contract/availability.ts'
import { getJson } from '#web/shared/api-client.ts'
import { calendarPath } from './calendar-cache.ts'
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
    queryFn: ({ signal }) => getJson<AvailabilityResponse>(availabilityPath(calendarId), signal),
  })
}

/** Where the week of a calendar is, or what is below it. */
export function availabilityPath(calendarId: string, below?: string): string {
  const week = `${calendarPath(calendarId)}/availability`
  return below === undefined ? week : `${week}/${encodeURIComponent(below)}`
}
