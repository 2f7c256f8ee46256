import type { QueryClient } from '@tanstack/react-query'
import { OWNER_KEY } from './owner-key.ts'

const OWN_TIMES_KEY = [OWNER_KEY, 'own-times'] as const

/** The cache key of a calendar's times that the owner's own booking offers and checks. */
export function ownTimesKey(calendarId: string) {
  return [...OWN_TIMES_KEY, calendarId] as const
}

/**
 * Call it after anything that takes or frees time, or changes what is offered, or when a time turned out to be taken.
 * Without a calendar it means all of them, because they may share what has changed: a location, or the person whose time it is.
 */
export function forgetTimes(client: QueryClient, calendarId?: string): Promise<void> {
  return client.invalidateQueries({
    queryKey: calendarId === undefined ? OWN_TIMES_KEY : ownTimesKey(calendarId),
  })
}
