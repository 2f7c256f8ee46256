import type { QueryClient } from '@tanstack/react-query'
import { OWNER_KEY } from './owner-key.ts'

/** Where the times of a calendar are kept that the owner's own booking offers and judges. */
export function ownTimesKey(calendarId: string) {
  return [OWNER_KEY, 'own-times', calendarId] as const
}

/** After anything that takes or frees time, or changes what is offered; or when a time turned out to be taken. */
export function forgetTimes(client: QueryClient, calendarId: string): Promise<void> {
  return client.invalidateQueries({ queryKey: ownTimesKey(calendarId) })
}
