import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CalendarLocation, LocationBody } from '#contract/locations.ts'
import { sendJson } from '#web/shared/api-client.ts'
import { toast } from '#web/ui/toast.tsx'
import { calendarLocationsPath, refreshLocations } from './location-queries.ts'

/** Gives the calendar a location: one of the owner's by its id, or a described one. Source: rule L2. */
export function useAddLocation(calendarId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: LocationBody | { location_id: string }) =>
      sendJson<CalendarLocation>('POST', calendarLocationsPath(calendarId), body),
    onSuccess: () => toast.success('Location added successfully!'),
    onError: (error) => toast.error(`Failed to add location: ${error.message}`),
    onSettled: () => refreshLocations(client),
  })
}
