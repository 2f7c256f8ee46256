import type { QueryClient } from '@tanstack/react-query'
import { OWNER_KEY } from './owner-key.ts'

/**
 * Loads the lists of appointments, the insights and the overlaps again after an appointment was changed. The lists of a calendar, the
 * dashboard and the day view each have a copy of the appointment. The insights count it.
 */
export async function refreshAppointments(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: [OWNER_KEY, 'appointments'] }),
    client.invalidateQueries({ queryKey: [OWNER_KEY, 'upcoming-appointments'] }),
    client.invalidateQueries({ queryKey: [OWNER_KEY, 'insights'] }),
    client.invalidateQueries({ queryKey: [OWNER_KEY, 'overlaps'] }),
  ])
}
