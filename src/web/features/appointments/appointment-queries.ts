import { queryOptions } from '@tanstack/react-query'
import type {
  AgendaResponse,
  AppointmentRow,
  AppointmentsResponse,
  UndeliveredMessagesResponse,
  UpcomingAppointmentsResponse,
} from '#contract/appointments.ts'
import type { AppointmentMessagesResponse } from '#contract/messages.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { getJson } from '#web/shared/api-client.ts'
import type { AppointmentsView } from './appointments-view.ts'

/** How often the lists ask for new bookings while somebody looks at them. */
const REFETCH_MS = 60_000

type ListChoice = Pick<AppointmentsView, 'filter' | 'search' | 'page'>

/** One page of a calendar's appointments. While the next page loads, the previous one stays visible. */
export function appointmentsQuery(calendarId: string, { filter, search, page }: ListChoice) {
  const path = `${pathOf(calendarId)}?${listParams({ filter, search })}&page=${page}`
  return queryOptions({
    queryKey: [OWNER_KEY, 'appointments', calendarId, filter, page, search],
    queryFn: ({ signal }) => getJson<AppointmentsResponse>(path, signal),
    retry: retryOnce,
    refetchInterval: REFETCH_MS,
    placeholderData: (shown, shownQuery) =>
      shownQuery?.queryKey[2] === calendarId &&
      shownQuery.queryKey[3] === filter &&
      shownQuery.queryKey[5] === search
        ? shown
        : undefined,
  })
}

/** The address of the download, with all pages of the list. */
export function appointmentsFilePath(calendarId: string, choice: Omit<ListChoice, 'page'>): string {
  return `${pathOf(calendarId)}.csv?${listParams(choice)}`
}

/** Days in a row with their appointments and opening hours. */
export function agendaQuery(calendarId: string, from: string, days: number) {
  const path = `${pathOf(calendarId)}/agenda?from=${from}&days=${days}`
  return queryOptions({
    queryKey: [OWNER_KEY, 'appointments', calendarId, 'agenda', from, days],
    queryFn: ({ signal }) => getJson<AgendaResponse>(path, signal),
    retry: retryOnce,
    refetchInterval: REFETCH_MS,
  })
}

/** How soon a message on its way is loaded again. */
const ON_ITS_WAY_MS = 3_000

/** The messages of one appointment. While one is on its way, they are loaded more often. */
export function appointmentMessagesQuery(appointment: Pick<AppointmentRow, 'id' | 'calendar_id'>) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'appointments', appointment.calendar_id, 'messages', appointment.id],
    queryFn: ({ signal }) => getJson<AppointmentMessagesResponse>(messagesPath(appointment), signal),
    retry: retryOnce,
    refetchInterval: ({ state }) =>
      state.data?.messages.some((message) => message.state === 'queued') ? ON_ITS_WAY_MS : REFETCH_MS,
  })
}

/** Messages of a calendar that could not be delivered. */
export function undeliveredMessagesQuery(calendarId: string) {
  const path = `/api/calendars/${encodeURIComponent(calendarId)}/undelivered-messages`
  return queryOptions({
    queryKey: [OWNER_KEY, 'appointments', calendarId, 'undelivered'],
    queryFn: ({ signal }) => getJson<UndeliveredMessagesResponse>(path, signal),
    // An action on an appointment waits for what is loaded again; nothing has to wait for this one.
    retry: false,
    refetchInterval: REFETCH_MS,
  })
}

export function messagesPath({ id, calendar_id }: Pick<AppointmentRow, 'id' | 'calendar_id'>): string {
  return `${pathOf(calendar_id)}/${encodeURIComponent(id)}/messages`
}

function pathOf(calendarId: string): string {
  return `/api/calendars/${encodeURIComponent(calendarId)}/appointments`
}

function listParams({ filter, search }: Omit<ListChoice, 'page'>): string {
  return new URLSearchParams(search === '' ? { filter } : { filter, search }).toString()
}

/** The next appointments over all calendars of the owner, for the dashboard. */
export const upcomingAppointmentsQuery = queryOptions({
  queryKey: [OWNER_KEY, 'upcoming-appointments'],
  queryFn: ({ signal }) => getJson<UpcomingAppointmentsResponse>('/api/appointments/upcoming', signal),
  retry: retryOnce,
  refetchInterval: REFETCH_MS,
})
