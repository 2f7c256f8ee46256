import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { PublicCalendar } from '#contract/calendars/calendars.ts'

/**
 * Returns the place of an appointment: "Online", or the location's name and address; null if there is no location.
 * Accepts an appointment type, or the calendar if there are no types. Source: rule B28.
 */
export function locationText(
  place: Pick<PublicCalendar, 'location'> & Partial<Pick<PublicAppointmentType, 'is_online'>>,
): string | null {
  if (place.is_online) return 'Online'
  return [place.location?.name, place.location?.address].filter(Boolean).join(', ') || null
}
