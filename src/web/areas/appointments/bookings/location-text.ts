import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { PublicCalendar } from '#contract/calendars/calendars.ts'

/**
 * Where an appointment takes place: 'Online', or name and address of the location; null when there is neither. Without a
 * type, the calendar's own location. Source: rule B28.
 */
export function locationText(
  place: Pick<PublicCalendar, 'location'> & Partial<Pick<PublicAppointmentType, 'is_online'>>,
): string | null {
  if (place.is_online) return 'Online'
  return [place.location?.name, place.location?.address].filter(Boolean).join(', ') || null
}
