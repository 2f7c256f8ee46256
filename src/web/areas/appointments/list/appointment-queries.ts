import { queryOptions } from '@tanstack/react-query'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import * as at from '#contract/operations/addresses.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi, pathOf } from '#web/shared/call-api.ts'
import type { AppointmentsView } from './appointments-view.ts'

/** How often the lists ask for new bookings while somebody looks at them. */
const REFETCH_MS = 60_000

type ListChoice = Pick<AppointmentsView, 'filter' | 'search' | 'page'>

/** One page of a calendar's appointments. While the next page loads, the previous one stays visible. */
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

/** The address of the download, with all pages of the list. */
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

/** The events of the owner's own calendars on these days, from a day before to a day after in any zone. */
export function externalEventsQuery(calendarId: string, from: string, days: number) {
  const query = { from: `${addDays(from, -1)}T00:00:00Z`, until: `${addDays(from, days + 1)}T00:00:00Z` }
  return queryOptions({
    queryKey: [OWNER_KEY, 'appointments', calendarId, 'external-events', from, days],
    queryFn: async ({ signal }) => {
      const { events } = await callApi(at.listExternalEvents, { params: { id: calendarId }, query, signal })
      return events
    },
    retry: retryOnce,
    refetchInterval: REFETCH_MS,
  })
}

/** What became of an appointment, newest first. */
export function appointmentHistoryQuery({ id, calendar_id }: Pick<AppointmentRow, 'id' | 'calendar_id'>) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'appointments', calendar_id, 'history', id],
    queryFn: async ({ signal }) => {
      const params = { id: calendar_id, appointment_id: id }
      const { entries } = await callApi(at.getAppointmentHistory, { params, signal })
      return entries
    },
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
    // An action on an appointment waits for what is loaded again; nothing has to wait for this one.
    retry: false,
    refetchInterval: REFETCH_MS,
  })
}

function toListQuery({ filter, search }: Omit<ListChoice, 'page'>) {
  return search === '' ? { filter } : { filter, search }
}

/** Today and what comes next, over all calendars of the owner. */
export const ownerDayQuery = queryOptions({
  queryKey: [OWNER_KEY, 'upcoming-appointments', 'day'],
  queryFn: ({ signal }) => callApi(at.getOwnerDay, { signal }),
  retry: retryOnce,
  refetchInterval: REFETCH_MS,
})

/** The next appointments over all calendars of the owner, for the dashboard. */
export const upcomingAppointmentsQuery = queryOptions({
  queryKey: [OWNER_KEY, 'upcoming-appointments', 'dashboard'],
  queryFn: ({ signal }) => callApi(at.listUpcomingAppointments, { signal }),
  retry: retryOnce,
  refetchInterval: REFETCH_MS,
})
