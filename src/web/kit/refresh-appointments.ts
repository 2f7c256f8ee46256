import type { QueryClient } from '@tanstack/react-query'
import { OWNER_KEY } from './owner-key.ts'

/**
 * Call it after anything that changes an appointment or what is known about it: its dialog opens from the lists of a
 * calendar, from the dashboard and from the day, and each has a copy of its own.
 */
export async function refreshAppointments(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: [OWNER_KEY, 'appointments'] }),
    client.invalidateQueries({ queryKey: [OWNER_KEY, 'upcoming-appointments'] }),
  ])
}
