import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { LocationBody } from '#contract/locations.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { refreshLocations } from './location-queries.ts'

/** Gives the calendar a location: one of the owner's by its id, or a described one. Source: rule L2. */
export function useAddLocation(calendarId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: LocationBody | { location_id: string }) =>
      callApi(at.addCalendarLocation, { params: { id: calendarId }, body }),
    onSuccess: () => toast.success('Location added successfully!'),
    onError: (error) => toast.error(`Failed to add location: ${error.message}`),
    onSettled: () => refreshLocations(client),
  })
}
