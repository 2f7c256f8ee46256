import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { OWNER_KEY } from './owner-key.ts'
import { retryOnce } from './retry-once.ts'

/** Where the owner's list of calendars is kept. */
export function calendarsKey(ownerId: string) {
  return [OWNER_KEY, 'calendars', ownerId] as const
}

/** Where one calendar is kept. */
export function calendarKey(ownerId: string, id: string) {
  return [OWNER_KEY, 'calendar', ownerId, id] as const
}

/** Shows a changed calendar everywhere at once. What depends on its zone is loaded again. */
export function showChangedCalendar(client: QueryClient, changed: Calendar): void {
  const key = calendarKey(changed.user_id, changed.id)
  const before = client.getQueryData<Calendar>(key)
  client.setQueryData(key, changed)
  client.setQueryData<Calendar[]>(calendarsKey(changed.user_id), (known) =>
    known?.map((calendar) => (calendar.id === changed.id ? changed : calendar)),
  )
  if (before === undefined || before.timezone === changed.timezone) return
  const own: readonly unknown[] = ['calendar', 'calendars']
  void client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === OWNER_KEY && !own.includes(queryKey[1]),
  })
}

/** Loads a calendar again after a refusal that says that it has changed. @throws ApiProblem */
export function readCalendarAgain(client: QueryClient, { user_id, id }: Calendar): Promise<Calendar> {
  return client.fetchQuery({
    queryKey: calendarKey(user_id, id),
    queryFn: ({ signal }) => callApi(at.getCalendar, { params: { id }, signal }),
    staleTime: 0,
  })
}

/** The future appointments of a calendar. Loaded again for every question about it. */
export function outlookQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'calendar-outlook', calendarId],
    queryFn: ({ signal }) => callApi(at.getCalendarOutlook, { params: { id: calendarId }, signal }),
    retry: retryOnce,
  })
}
