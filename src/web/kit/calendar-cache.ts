import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { OWNER_QUERY_KEY } from './owner-key.ts'
import { retryOnce } from './retry-once.ts'

/** Returns the query key of the owner's list of calendars. */
export function calendarsKey(ownerId: string) {
  return [OWNER_QUERY_KEY, 'calendars', ownerId] as const
}

/** Returns the query key of one calendar. */
export function calendarKey(ownerId: string, id: string) {
  return [OWNER_QUERY_KEY, 'calendar', ownerId, id] as const
}

/** Writes a changed calendar to the cache. If its time zone or its clock has changed, reloads all data that has either. */
export function updateCachedCalendar(client: QueryClient, changed: Calendar): void {
  const key = calendarKey(changed.user_id, changed.id)
  const before = client.getQueryData<Calendar>(key)
  client.setQueryData(key, changed)
  client.setQueryData<Calendar[]>(calendarsKey(changed.user_id), (known) =>
    known?.map((calendar) => (calendar.id === changed.id ? changed : calendar)),
  )
  if (before === undefined) return
  if (before.timezone === changed.timezone && before.hour_cycle === changed.hour_cycle) return
  const own: readonly unknown[] = ['calendar', 'calendars']
  void client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === OWNER_QUERY_KEY && !own.includes(queryKey[1]),
  })
}

/** Reloads a calendar after the server has refused a change to an outdated version. @throws ApiProblem */
export function reloadCalendar(client: QueryClient, { user_id, id }: Calendar): Promise<Calendar> {
  return client.fetchQuery({
    queryKey: calendarKey(user_id, id),
    queryFn: ({ signal }) => callApi(at.getCalendar, { params: { id }, signal }),
    staleTime: 0,
  })
}

/** Loads the number of a calendar's future appointments, for confirmation dialogs. */
export function futureAppointmentsQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'calendar-outlook', calendarId],
    queryFn: ({ signal }) => callApi(at.getCalendarOutlook, { params: { id: calendarId }, signal }),
    retry: retryOnce,
  })
}
