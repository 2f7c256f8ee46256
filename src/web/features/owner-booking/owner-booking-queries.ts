import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars.ts'
import type { AppointmentTime, CustomersResponse } from '#contract/owner-booking.ts'
import type { SlotsResponse } from '#contract/slots.ts'
import { appointmentTypesQuery } from '#web/kit/appointment-types-query.ts'
import { calendarPath } from '#web/kit/calendar-cache.ts'
import { forgetTimes, ownTimesKey } from '#web/kit/own-times.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { getJson } from '#web/shared/api-client.ts'

/** How long offered times count as fresh (rule T30). */
const FRESH_MS = 60_000

/** The services of a calendar, from the cache entry of the panel that edits them. */
export function servicesQuery(calendarId: string) {
  return queryOptions({
    ...appointmentTypesQuery(calendarId),
    select: ({ appointment_types }) => appointment_types,
  })
}

/** Customers who fit what is typed. */
export function customersQuery(calendarId: string, search: string) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'customers', calendarId, search],
    queryFn: async ({ signal }) => {
      const path = `${calendarPath(calendarId)}/customers${query({ search })}`
      return (await getJson<CustomersResponse>(path, signal)).customers
    },
    staleTime: FRESH_MS,
  })
}

/** The times of a day that customers are offered, in the calendar's zone. */
export function offeredTimesQuery({ id, slug }: Calendar, date: string, typeId: string) {
  return queryOptions({
    queryKey: [...ownTimesKey(id), 'offered', date, typeId],
    queryFn: ({ signal }) => {
      const path = `/api/public/calendars/${encodeURIComponent(slug)}/slots`
      return getJson<SlotsResponse>(`${path}${query({ date, appointment_type_id: typeId })}`, signal)
    },
    staleTime: FRESH_MS,
  })
}

/** Which time is meant: an offered start, or a date and a time on the calendar's clocks. */
export type AskedTime = {
  readonly appointment_type_id: string
  readonly duration: string
  readonly starts_at: string
  readonly date: string
  readonly time: string
}

/** How a time stands; null asks nothing. */
export function judgedTimeQuery(calendarId: string, asked: AskedTime | null) {
  return queryOptions({
    queryKey: [...ownTimesKey(calendarId), 'judged', asked],
    queryFn: ({ signal }) =>
      getJson<AppointmentTime>(`${calendarPath(calendarId)}/appointment-time${query(asked ?? {})}`, signal),
    enabled: asked !== null,
    retry: false,
  })
}

/** Everything that shows the appointments of an owner. */
export async function showNewAppointment(client: QueryClient, calendarId: string): Promise<void> {
  await Promise.all(
    [
      [OWNER_KEY, 'appointments'],
      [OWNER_KEY, 'upcoming-appointments'],
      [OWNER_KEY, 'customers'],
    ].map((queryKey) => client.invalidateQueries({ queryKey })),
  )
  await forgetTimes(client, calendarId)
}

export function bookPath(calendarId: string): string {
  return `${calendarPath(calendarId)}/appointments`
}

/** Empty fields are not sent. */
function query(values: Partial<Record<string, string>>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
