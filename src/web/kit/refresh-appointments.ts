import type { QueryClient } from '@tanstack/react-query'
import { OWNER_QUERY_KEY } from './owner-key.ts'

/**
 * Reloads all data that shows or counts appointments after one has changed: the lists, the dashboard, the day view, the insights
 * and the overlaps.
 */
export async function refreshAppointments(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY, 'appointments'] }),
    client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY, 'upcoming-appointments'] }),
    client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY, 'insights'] }),
    client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY, 'overlaps'] }),
  ])
}
