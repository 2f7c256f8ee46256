import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Calendar, CalendarChanges } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { updateCachedCalendar } from '#web/kit/calendar-cache.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'

type BookingChanges = Pick<CalendarChanges, 'takes_bookings' | 'email_confirmation_required'>

/** Saves a switch that decides how a calendar takes bookings. */
export function useChangeBooking(calendar: Calendar) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (changes: BookingChanges) =>
      callApi(at.updateCalendar, { params: { id: calendar.id }, body: changes }),
    onSuccess: (saved, { takes_bookings }) => {
      updateCachedCalendar(client, saved)
      toast.success(takes_bookings ? 'Customers can book now' : 'Booking settings updated')
    },
    onError: (error) => toast.error(`Failed to update booking settings: ${error.message}`),
  })
}
