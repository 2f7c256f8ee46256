import { useMutation, useQueryClient } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { refreshLocations } from './location-queries.ts'

/** Gives the calendar a location: one of the owner's by its id, or another owner's by its code. Source: rules L2 and L3. */
export function useAddLocation(calendarId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { location_id: string } | { sharing_code: string }) =>
      callApi(at.addCalendarLocation, { params: { id: calendarId }, body }),
    onSuccess: () => toast.success('Location added successfully!'),
    onError: (error) => toast.error(`Failed to add location: ${error.message}`),
    onSettled: () => refreshLocations(client),
  })
}
