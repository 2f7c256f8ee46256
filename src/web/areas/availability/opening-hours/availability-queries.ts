import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AvailabilityResponse } from '#contract/availability/opening-hours.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { availabilityKey } from '#web/kit/availability-query.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { holidaysKey } from '#web/kit/refresh-availability.ts'
import { callApi } from '#web/shared/call-api.ts'
import { todayIn } from '#web/shared/format-date.ts'

/** Loads the current and future special days of a calendar, earliest first. Source: rule T34. */
export function specialDaysQuery(calendarId: string) {
  return queryOptions({
    queryKey: [...availabilityKey(calendarId), 'special-days'],
    queryFn: async ({ signal }) => {
      const { special_days } = await callApi(at.listSpecialDays, { params: { id: calendarId }, signal })
      return special_days
    },
  })
}

/** Loads the public holidays of a calendar's region, earliest first. Source: rule T56. */
export function holidaysQuery(calendarId: string) {
  return queryOptions({
    queryKey: holidaysKey(calendarId),
    queryFn: ({ signal }) => callApi(at.listHolidays, { params: { id: calendarId }, signal }),
  })
}

/** Loads the countries with known public holidays. They change only with a new version of Meridian. */
export const holidayCountriesQuery = queryOptions({
  queryKey: [OWNER_QUERY_KEY, 'holiday-countries'],
  queryFn: async ({ signal }) => (await callApi(at.listHolidayCountries, { signal })).countries,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Loads seven days of available times as customers see them. Keeps the previous days while the next days load. */
export function availabilityPreviewQuery(calendarId: string, from: string, typeId: string | null) {
  return queryOptions({
    queryKey: [...availabilityKey(calendarId), 'preview', from, typeId],
    queryFn: ({ signal }) =>
      callApi(at.previewAvailability, {
        params: { id: calendarId },
        query: { from, appointment_type_id: typeId },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
}

/** Loads the preview that the tab shows first: from today, for the first appointment type. */
export function firstAvailabilityPreviewQuery(
  { id, timezone }: Pick<Calendar, 'id' | 'timezone'>,
  { appointment_types: [first] }: AvailabilityResponse,
) {
  return availabilityPreviewQuery(id, todayIn(timezone), first?.id ?? null)
}
