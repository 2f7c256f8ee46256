import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { CalendarDomain } from '#contract/addresses/domains.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { updateCachedCalendar } from '#web/kit/calendar-cache.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'

/** Refetch interval while a certificate is being issued, in ms. Issuing takes seconds or minutes. */
const CERTIFICATE_LOOK_MS = 5_000

/** Loads the addresses of a calendar. Refetches them while a certificate is being issued. */
export function calendarAddressesQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'calendar-domain', calendarId],
    queryFn: ({ signal }) => callApi(at.getCalendarDomain, { params: { id: calendarId }, signal }),
    retry: retryOnce,
    refetchInterval: ({ state }) => (state.data?.certificate === 'pending' ? CERTIFICATE_LOOK_MS : false),
  })
}

/** Stores changed addresses in the cache: in the query of the addresses and in the calendar. */
export function cacheDomain(client: QueryClient, calendar: Calendar, domain: CalendarDomain): void {
  client.setQueryData(calendarAddressesQuery(calendar.id).queryKey, domain)
  const { type, path, custom_domain, public_url } = domain
  const [label = null] = type === 'subdomain' ? (domain.subdomain?.split('.') ?? []) : []
  const domain_settings = { type, path, subdomain: label, custom_domain }
  updateCachedCalendar(client, { ...calendar, domain_settings, public_url })
}
