import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { PastTimeQuery } from '#contract/appointments/past-time.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { appointmentTypesQuery } from '#web/kit/appointment-types-query.ts'
import { ownerFreeTimesKey, refreshOwnerFreeTimes } from '#web/kit/own-times.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { refreshAppointments } from '#web/kit/refresh-appointments.ts'
import { callApi } from '#web/shared/call-api.ts'

/** Maximum age of loaded free times before they are refetched, in milliseconds (rule T30). */
const FRESH_MS = 60_000

/** A calendar's services. This query shares its cache entry with the panel in which the owner edits the services. */
export function servicesQuery(calendarId: string) {
  return queryOptions({
    ...appointmentTypesQuery(calendarId),
    select: ({ appointment_types }) => appointment_types,
  })
}

/** The customers who match a search. */
export function customerSearchQuery(calendarId: string, search: string) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'customers', calendarId, search],
    queryFn: async ({ signal }) => {
      const answer = await callApi(at.searchCustomers, {
        params: { id: calendarId },
        query: { search },
        signal,
      })
      return answer.customers
    },
    staleTime: FRESH_MS,
  })
}

/** The times of a day that customers are offered, in the calendar's time zone. */
export function offeredTimesQuery({ id, slug }: Calendar, date: string, typeId: string) {
  return queryOptions({
    queryKey: [...ownerFreeTimesKey(id), 'offered', date, typeId],
    queryFn: ({ signal }) =>
      callApi(at.getPublicAvailableTimeSlotsWithGoogle, {
        params: { slug },
        // `typeId` is empty if the calendar has no appointment types.
        query: { date, appointment_type_id: typeId || null },
        signal,
      }),
    staleTime: FRESH_MS,
  })
}

/** Refetches all data about the owner's appointments and free times. */
export async function refreshAfterBooking(client: QueryClient): Promise<void> {
  await Promise.all([
    refreshAppointments(client),
    client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY, 'customers'] }),
  ])
  await refreshOwnerFreeTimes(client)
}

/** Explains what customers were offered at an earlier moment. Disabled while `asked` is null. */
export function pastTimeQuery(calendarId: string, asked: PastTimeQuery | null) {
  return queryOptions({
    queryKey: [...ownerFreeTimesKey(calendarId), 'past', asked],
    queryFn: ({ signal }) =>
      callApi(at.explainPastTime, {
        params: { id: calendarId },
        // Disabled without a question.
        query: asked as PastTimeQuery,
        signal,
      }),
    enabled: asked !== null,
    retry: false,
  })
}
