import { queryOptions } from '@tanstack/react-query'
import type {
  AppointmentFilter,
  AppointmentsResponse,
  UpcomingAppointmentsResponse,
} from '#contract/appointments.ts'
import { OWNER_KEY } from '#web/app/kit/owner-key.ts'
import { retryOnce } from '#web/app/kit/retry-once.ts'
import { getJson } from '#web/shared/api-client.ts'

/** How often the lists ask for new bookings while somebody looks at them. */
const REFETCH_MS = 60_000

/** One page of a calendar's appointments. While the next page loads, the one before stays in sight. */
export function appointmentsQuery(calendarId: string, filter: AppointmentFilter, page: number) {
  const path = `/api/calendars/${encodeURIComponent(calendarId)}/appointments?filter=${filter}&page=${page}`
  return queryOptions({
    queryKey: [OWNER_KEY, 'appointments', calendarId, filter, page],
    queryFn: ({ signal }) => getJson<AppointmentsResponse>(path, signal),
    retry: retryOnce,
    refetchInterval: REFETCH_MS,
    placeholderData: (shown, shownQuery) =>
      shownQuery?.queryKey[2] === calendarId && shownQuery.queryKey[3] === filter ? shown : undefined,
  })
}

/** The next appointments over all calendars of the owner, for the dashboard. */
export const upcomingAppointmentsQuery = queryOptions({
  queryKey: [OWNER_KEY, 'upcoming-appointments'],
  queryFn: ({ signal }) => getJson<UpcomingAppointmentsResponse>('/api/appointments/upcoming', signal),
  retry: retryOnce,
  refetchInterval: REFETCH_MS,
})
