import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { AvailabilityResponse, PreviewResponse } from '#contract/availability.ts'
import type { Calendar } from '#contract/calendars.ts'
import { availabilityKey, availabilityPath } from '#web/kit/availability-query.ts'
import { calendarPath } from '#web/kit/calendar-cache.ts'
import { forgetTimes } from '#web/kit/own-times.ts'
import { getJson } from '#web/shared/api-client.ts'
import { localDateOf } from '#web/shared/format-date.ts'

/** After a change: reloads the week and the preview, and the times of the owner's own booking. */
export async function refreshAvailability(client: QueryClient, calendarId: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: availabilityKey(calendarId) }),
    forgetTimes(client, calendarId),
  ])
}

/** Seven days as customers see them. The previous days stay visible while the next are loaded. */
export function previewQuery(calendarId: string, from: string, typeId: string | null) {
  const query = new URLSearchParams({ from, ...(typeId === null ? {} : { appointment_type_id: typeId }) })
  return queryOptions({
    queryKey: [...availabilityKey(calendarId), 'preview', from, typeId],
    queryFn: ({ signal }) =>
      getJson<PreviewResponse>(`${availabilityPath(calendarId)}/preview?${query}`, signal),
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

export function slotSettingsPath(calendarId: string): string {
  return `${calendarPath(calendarId)}/slot-settings`
}
