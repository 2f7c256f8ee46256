import { queryOptions } from '@tanstack/react-query'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import * as at from '#contract/operations/addresses.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { apiPath, callApi } from '#web/shared/call-api.ts'
import type { AppointmentsView } from './appointments-view.ts'

/** Interval at which visible lists are refetched, in milliseconds. */
const REFETCH_MS = 60_000

type ListChoice = Pick<AppointmentsView, 'filter' | 'search' | 'page'>

/** One page of a calendar's appointments. While the next page loads, the previous one stays visible. */
export function appointmentsQuery(calendarId: string, { filter, search, page }: ListChoice) {
  const query = { ...toListQuery({ filter, search }), page }
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'appointments', calendarId, filter, page, search],
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

/** One appointment of a calendar, for a panel whose appointment is on another page of the list. */
export function appointmentQuery(calendarId: string, id: string) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'appointments', calendarId, 'one', id],
    queryFn: ({ signal }) =>
      callApi(at.getAppointment, { params: { id: calendarId, appointment_id: id }, signal }),
    retry: retryOnce,
    refetchInterval: REFETCH_MS,
  })
}

/** Returns the URL path of the CSV download, which contains all pages of the list. */
export function appointmentsFilePath(calendarId: string, choice: Omit<ListChoice, 'page'>): string {
  return apiPath(at.exportAppointments, { params: { id: calendarId }, query: toListQuery(choice) })
}

/** The appointments and opening hours of consecutive days. */
export function agendaQuery(calendarId: string, from: string, days: number) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'appointments', calendarId, 'agenda', from, days],
    queryFn: ({ signal }) =>
      callApi(at.getAppointmentAgenda, { params: { id: calendarId }, query: { from, days }, signal }),
    retry: retryOnce,
    refetchInterval: REFETCH_MS,
  })
}

/** The external events on these days. Requests one more day at both ends, so that the days are covered in any time zone. */
export function externalEventsQuery(calendarId: string, from: string, days: number) {
  const query = { from: `${addDays(from, -1)}T00:00:00Z`, until: `${addDays(from, days + 1)}T00:00:00Z` }
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'appointments', calendarId, 'external-events', from, days],
    queryFn: async ({ signal }) => {
      const { events } = await callApi(at.listExternalEvents, { params: { id: calendarId }, query, signal })
      return events
    },
    retry: retryOnce,
    refetchInterval: REFETCH_MS,
  })
}

/** The changes to an appointment, newest first. */
export function appointmentHistoryQuery({ id, calendar_id }: Pick<AppointmentRow, 'id' | 'calendar_id'>) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'appointments', calendar_id, 'history', id],
    queryFn: async ({ signal }) => {
      const params = { id: calendar_id, appointment_id: id }
      const { entries } = await callApi(at.getAppointmentHistory, { params, signal })
      return entries
    },
    retry: retryOnce,
    refetchInterval: REFETCH_MS,
  })
}

/** Interval at which messages are refetched while one is being sent, in milliseconds. */
const ON_ITS_WAY_MS = 3_000

/** The messages about an appointment. Refetched more often while a message is being sent. */
export function appointmentMessagesQuery(appointment: Pick<AppointmentRow, 'id' | 'calendar_id'>) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'appointments', appointment.calendar_id, 'messages', appointment.id],
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

/** A calendar's messages that could not be delivered. */
export function undeliveredMessagesQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'appointments', calendarId, 'undelivered'],
    queryFn: ({ signal }) => callApi(at.listUndeliveredMessages, { params: { id: calendarId }, signal }),
    // Do not retry: actions stay pending until all invalidated queries have been refetched, and retries would delay them.
    retry: false,
    refetchInterval: REFETCH_MS,
  })
}

function toListQuery({ filter, search }: Omit<ListChoice, 'page'>) {
  return search === '' ? { filter } : { filter, search }
}

/** Today's and the next appointments in all of the owner's calendars. */
export const ownerDayQuery = queryOptions({
  queryKey: [OWNER_QUERY_KEY, 'upcoming-appointments', 'day'],
  queryFn: ({ signal }) => callApi(at.getOwnerDay, { signal }),
  retry: retryOnce,
  refetchInterval: REFETCH_MS,
})

/** The next appointments in all of the owner's calendars, for the dashboard. */
export const upcomingAppointmentsQuery = queryOptions({
  queryKey: [OWNER_QUERY_KEY, 'upcoming-appointments', 'dashboard'],
  queryFn: ({ signal }) => callApi(at.listUpcomingAppointments, { signal }),
  retry: retryOnce,
  refetchInterval: REFETCH_MS,
})
