import { queryOptions } from '@tanstack/react-query'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import * as at from '#contract/operations/addresses.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { type CalendarScope, toKeyParts } from '#web/kit/calendar-scope.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { apiPath, callApi } from '#web/shared/call-api.ts'
import type { AppointmentsView } from './appointments-view.ts'

/** Interval at which visible lists are refetched, in milliseconds. */
const REFETCH_MS = 60_000

type ListChoice = Pick<AppointmentsView, 'filter' | 'search' | 'page'>

/** One page of the appointments. While the next page loads, the previous one stays visible. */
export function appointmentsQuery(scope: CalendarScope, { filter, search, page }: ListChoice) {
  const query = { ...toListQuery({ filter, search }), page }
  const { key, timeZone } = toKeyParts(scope)
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'appointments', key, filter, page, search, timeZone],
    queryFn: async ({ signal }) => {
      if (typeof scope === 'string')
        return callApi(at.listAppointments, { params: { id: scope }, query, signal })
      return withCalendarColors(
        await callApi(at.listAllAppointments, { query: { ...query, time_zone: scope.timeZone }, signal }),
      )
    },
    retry: retryOnce,
    refetchInterval: REFETCH_MS,
    placeholderData: (shown, shownQuery) =>
      shownQuery?.queryKey[2] === key &&
      shownQuery.queryKey[3] === filter &&
      shownQuery.queryKey[5] === search
        ? shown
        : undefined,
  })
}

/** One appointment, for a panel whose appointment is on another page of the list. */
export function appointmentQuery(scope: CalendarScope, id: string) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'appointments', toKeyParts(scope).key, 'one', id],
    queryFn: ({ signal }) =>
      typeof scope === 'string'
        ? callApi(at.getAppointment, { params: { id: scope, appointment_id: id }, signal })
        : callApi(at.getOwnAppointment, { params: { appointment_id: id }, signal }),
    retry: retryOnce,
    refetchInterval: REFETCH_MS,
  })
}

/** Returns the URL path of the CSV download, which contains all pages of the list. */
export function appointmentsFilePath(scope: CalendarScope, choice: Omit<ListChoice, 'page'>): string {
  const query = toListQuery(choice)
  return typeof scope === 'string'
    ? apiPath(at.exportAppointments, { params: { id: scope }, query })
    : apiPath(at.exportAllAppointments, { query: { ...query, time_zone: scope.timeZone } })
}

/** The appointments and opening hours of consecutive days. */
export function agendaQuery(scope: CalendarScope, from: string, days: number) {
  const { key, timeZone } = toKeyParts(scope)
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'appointments', key, 'agenda', from, days, timeZone],
    queryFn: async ({ signal }) => {
      const query = { from, days }
      if (typeof scope === 'string')
        return callApi(at.getAppointmentAgenda, { params: { id: scope }, query, signal })
      return withCalendarColors(
        await callApi(at.getAllAppointmentsAgenda, {
          query: { ...query, time_zone: scope.timeZone },
          signal,
        }),
      )
    },
    retry: retryOnce,
    refetchInterval: REFETCH_MS,
  })
}

/** The external events on these days. Requests one more day at both ends, so that the days are covered in any time zone. */
export function externalEventsQuery(scope: CalendarScope, from: string, days: number) {
  const query = { from: `${addDays(from, -1)}T00:00:00Z`, until: `${addDays(from, days + 1)}T00:00:00Z` }
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'appointments', toKeyParts(scope).key, 'external-events', from, days],
    queryFn: async ({ signal }) => {
      const { events } =
        typeof scope === 'string'
          ? await callApi(at.listExternalEvents, { params: { id: scope }, query, signal })
          : await callApi(at.listAllExternalEvents, { query, signal })
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

/** The answers of an appointment's customer. */
export function appointmentAnswersQuery({ id, calendar_id }: Pick<AppointmentRow, 'id' | 'calendar_id'>) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'appointments', calendar_id, 'answers', id],
    queryFn: async ({ signal }) => {
      const params = { id: calendar_id, appointment_id: id }
      const { answers } = await callApi(at.getAppointmentAnswers, { params, signal })
      return answers
    },
    retry: retryOnce,
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

/** The messages that could not be delivered. */
export function undeliveredMessagesQuery(scope: CalendarScope) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'appointments', toKeyParts(scope).key, 'undelivered'],
    queryFn: ({ signal }) =>
      typeof scope === 'string'
        ? callApi(at.listUndeliveredMessages, { params: { id: scope }, signal })
        : callApi(at.listAllUndeliveredMessages, { signal }),
    // Do not retry: actions stay pending until all invalidated queries have been refetched, and retries would delay them.
    retry: false,
    refetchInterval: REFETCH_MS,
  })
}

/** Gives each appointment the colour of its calendar, which tells calendars apart where all are shown. Source: rule Y12. */
function withCalendarColors<Listed extends { appointments: AppointmentRow[] }>(listed: Listed): Listed {
  const appointments = listed.appointments.map((row) => ({ ...row, color: row.calendar_color }))
  return { ...listed, appointments }
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
