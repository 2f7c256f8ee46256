import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Availability, AvailabilityBody } from '#contract/availability.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { refreshAvailability } from './availability-queries.ts'

/** How long a removal can be taken back, in milliseconds. Source: rule T27. */
export const UNDO_MS = 8_000

/** Opens a range of a weekday and says how it went. */
export function useAddRange(calendarId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: AvailabilityBody) => callApi(at.addAvailability, { params: { id: calendarId }, body }),
    onSuccess: () => toast.success('Availability added'),
    onError: (error) => toast.error(`Failed to add availability: ${error.message}`),
    onSettled: () => refreshAvailability(client, calendarId),
  })
}

/** Closes a range, says how it went, and offers to take it back. Source: rule T27. */
export function useRemoveRange(calendarId: string) {
  const client = useQueryClient()
  const { mutate: add } = useAddRange(calendarId)
  return useMutation({
    mutationFn: ({ id }: Availability) =>
      callApi(at.removeAvailability, { params: { id: calendarId, availability_id: id } }),
    onSuccess: (_answer, { day_of_week, start_time, end_time }) =>
      toast.success('Availability removed', {
        durationMs: UNDO_MS,
        action: { label: 'Undo', onClick: () => add({ day_of_week, start_time, end_time }) },
      }),
    onError: (error) => toast.error(`Failed to remove availability: ${error.message}`),
    onSettled: () => refreshAvailability(client, calendarId),
  })
}
