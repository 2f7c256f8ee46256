import { queryOptions } from '@tanstack/react-query'
import type { AppointmentRow } from '#contract/appointments.ts'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi, pathOf } from '#web/shared/call-api.ts'
import type { AppointmentsChoice } from './appointments-choice.ts'

/** How often the lists ask for new bookings while somebody looks at them. */
const REFETCH_MS = 60_000

type ListChoice = Pick<AppointmentsChoice, 'filter' | 'search' | 'page'>

/** One page of a calendar's appointments. While the next page loads, the one before stays in sight. */
export function appointmentsQuery(calendarId: string, { filter, search, page }: ListChoice) {
  const query = { ...toListQuery({ filter, search }), page }
  return queryOptions({
    queryKey: [OWNER_KEY, 'appointments', calendarId, filter, page, search],
    queryFn: ({ signal }) => callApi(at.listAppointments, { params: { id: calendarId }, query, signal }),
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

/** Where the list is downloaded from, all pages of it. */
export function appointmentsFilePath(calendarId: string, choice: Omit<ListChoice, 'page'>): string {
  return pathOf(at.exportAppointments, { params: { id: calendarId }, query: toListQuery(choice) })
}

/** Days in a row with their appointments and opening hours. */
export function agendaQuery(calendarId: string, from: string, days: number) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'appointments', calendarId, 'agenda', from, days],
    queryFn: ({ signal }) =>
      callApi(at.getAppointmentAgenda, { params: { id: calendarId }, query: { from, days }, signal }),
    retry: retryOnce,
    refetchInterval: REFETCH_MS,
  })
}

/** How soon what is on its way is looked at again. */
const ON_ITS_WAY_MS = 3_000

/** The messages of one appointment; while one is on its way, they are asked for more often. */
export function appointmentMessagesQuery(appointment: Pick<AppointmentRow, 'id' | 'calendar_id'>) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'appointments', appointment.calendar_id, 'messages', appointment.id],
    queryFn: ({ signal }) =>
      callApi(at.listAppointmentMessages, {
        params: { id: appointment.calendar_id, appointment_id: appointment.id },
        signal,
      }),
    retry: retryOnce,
    refetchInterval: ({ state }) =>
      state.data?.messages.some((message) => message.state === 'queued') ? ON_ITS_WAY_MS : REFETCH_MS,
  })
}

/** Messages of a calendar that could not be delivered. */
export function undeliveredMessagesQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'appointments', calendarId, 'undelivered'],
    queryFn: ({ signal }) => callApi(at.listUndeliveredMessages, { params: { id: calendarId }, signal }),
    // Whoever acts on an appointment waits for what is asked again; nobody has to wait for this one.
    retry: false,
    refetchInterval: REFETCH_MS,
  })
}

function toListQuery({ filter, search }: Omit<ListChoice, 'page'>) {
  return search === '' ? { filter } : { filter, search }
}

/** The next appointments over all calendars of the owner, for the dashboard. */
export const upcomingAppointmentsQuery = queryOptions({
  queryKey: [OWNER_KEY, 'upcoming-appointments'],
  queryFn: ({ signal }) => callApi(at.listUpcomingAppointments, { signal }),
  retry: retryOnce,
  refetchInterval: REFETCH_MS,
})
