import type { QueryClient } from '@tanstack/react-query'
import { availabilityKey } from './availability-query.ts'
import { forgetTimes } from './own-times.ts'
import { OWNER_KEY } from './owner-key.ts'

/**
 * Loads anew what depends on the hours of a calendar, after they were changed: the week, the special days and the preview, the times of
 * the owner's own booking, the day view and the week view, and the insights.
 */
export async function refreshAvailability(client: QueryClient, calendarId: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: availabilityKey(calendarId) }),
    forgetTimes(client, calendarId),
    client.invalidateQueries({ queryKey: [OWNER_KEY, 'appointments', calendarId, 'agenda'] }),
    client.invalidateQueries({ queryKey: [OWNER_KEY, 'insights', calendarId] }),
  ])
}
