import type { Availability, AvailabilityBody } from '#contract/availability/opening-hours.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { useHoursChange } from './use-hours-change.ts'

/** Opens a range of a weekday and says how it went. */
export function useAddRange(calendarId: string) {
  return useHoursChange(calendarId, {
    send: (body: AvailabilityBody) => callApi(at.addAvailability, { params: { id: calendarId }, body }),
    done: 'Availability added',
    failed: 'Failed to add availability',
  })
}

/** Closes a range, says how it went, and offers to take it back. Source: rule T27. */
export function useRemoveRange(calendarId: string) {
  const { mutate: add } = useAddRange(calendarId)
  return useHoursChange(calendarId, {
    send: ({ id }: Availability) =>
      callApi(at.removeAvailability, { params: { id: calendarId, availability_id: id } }),
    done: 'Availability removed',
    failed: 'Failed to remove availability',
    undo: ({ day_of_week, start_time, end_time }) => add({ day_of_week, start_time, end_time }),
  })
}
