import type { QueryClient } from '@tanstack/react-query'
import { OWNER_QUERY_KEY } from './owner-key.ts'

const OWN_TIMES_KEY = [OWNER_QUERY_KEY, 'own-times'] as const

/** Returns the prefix of the query keys for a calendar's free times and time checks in the owner's booking dialog. */
export function ownerFreeTimesKey(calendarId: string) {
  return [...OWN_TIMES_KEY, calendarId] as const
}

/**
 * Reloads the free times. Call it after any change that takes or frees time, or when a time turned out to be taken. Without a
 * calendar, reloads the free times of all calendars, because they may share a location or a person.
 */
export function refreshOwnerFreeTimes(client: QueryClient, calendarId?: string): Promise<void> {
  return client.invalidateQueries({
    queryKey: calendarId === undefined ? OWN_TIMES_KEY : ownerFreeTimesKey(calendarId),
  })
}
