import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AvailabilityResponse } from '#contract/availability/opening-hours.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { availabilityKey } from '#web/kit/availability-query.ts'
import { callApi } from '#web/shared/call-api.ts'
import { localDateOf } from '#web/shared/format-date.ts'

/** The special days of a calendar that are not over, the nearest first. Source: rule T34. */
export function specialDaysQuery(calendarId: string) {
  return queryOptions({
    queryKey: [...availabilityKey(calendarId), 'special-days'],
    queryFn: async ({ signal }) => {
      const { special_days } = await callApi(at.listSpecialDays, { params: { id: calendarId }, signal })
      return special_days
    },
  })
}

/** Seven days as customers see them. The previous days stay visible while the next are loaded. */
export function previewQuery(calendarId: string, from: string, typeId: string | null) {
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

/** The preview as the tab begins with it: from today, for the type that is chosen first. */
export function firstPreviewQuery(
  { id, timezone }: Pick<Calendar, 'id' | 'timezone'>,
  { appointment_types: [first] }: AvailabilityResponse,
) {
  return previewQuery(id, localDateOf(new Date().toISOString(), timezone), first?.id ?? null)
}
