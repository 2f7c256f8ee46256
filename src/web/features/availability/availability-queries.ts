import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { AvailabilityResponse, PreviewResponse } from '#contract/availability.ts'
import { forgetTimes } from '#web/app/kit/own-times.ts'
import { OWNER_KEY } from '#web/app/kit/owner-key.ts'
import { getJson } from '#web/shared/api-client.ts'

/** Cache key of everything here that belongs to one calendar: what changes the hours changes the preview too. */
function availabilityKey(calendarId: string) {
  return [OWNER_KEY, 'availability', calendarId] as const
}

/** After a change: the week and the preview are asked for again, and the times of the owner's own booking. */
export async function refreshAvailability(client: QueryClient, calendarId: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: availabilityKey(calendarId) }),
    forgetTimes(client, calendarId),
  ])
}

/** The week, the slot settings and the lengths of the types. Asked anew whenever the tab is opened: types change too. */
export function availabilityQuery(calendarId: string) {
  return queryOptions({
    queryKey: [...availabilityKey(calendarId), 'week'],
    queryFn: ({ signal }) => getJson<AvailabilityResponse>(availabilityPath(calendarId), signal),
  })
}

/** Seven days as customers see them. The days before stay in sight while the next are loaded. */
export function previewQuery(calendarId: string, from: string, typeId: string | null) {
  const query = new URLSearchParams({ from, ...(typeId === null ? {} : { appointment_type_id: typeId }) })
  return queryOptions({
    queryKey: [...availabilityKey(calendarId), 'preview', from, typeId],
    queryFn: ({ signal }) =>
      getJson<PreviewResponse>(`${availabilityPath(calendarId)}/preview?${query}`, signal),
    placeholderData: keepPreviousData,
  })
}

/** Where the week of a calendar is, or what is below it. */
export function availabilityPath(calendarId: string, below?: string): string {
  const week = `/api/calendars/${encodeURIComponent(calendarId)}/availability`
  return below === undefined ? week : `${week}/${encodeURIComponent(below)}`
}

export function slotSettingsPath(calendarId: string): string {
  return `/api/calendars/${encodeURIComponent(calendarId)}/slot-settings`
}
