import {
  type AppointmentProperty,
  findAppointmentProperty,
} from '#server/integrations/own-events/appointment-property.ts'

/** Private extended property that names an event's appointment. */
export const APPOINTMENT_PROPERTY = 'meridianAppointment'

/**
 * Derives the event's id from the appointment, so that repeated writes create one event. Includes the secret: a
 * stranger who could predict the id could send an invitation that already has it. Google allows the letters a to v and
 * digits. Source: rules G10 and G27; https://developers.google.com/workspace/calendar/api/v3/reference/events/insert
 */
export function toEventId(appointmentId: string, secret: string): string {
  return `mrd${appointmentId}${secret}`.replaceAll('-', '').toLowerCase()
}

/**
 * Matches an event id that we derived, and captures the appointment's id. Ids from before secrets were introduced
 * contain only the appointment.
 */
const OWN_ID = /^mrd([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})(?:[\da-f]{32})?$/

/** Returns the appointment named in an event's id or private property, or null. Source: rule G5. */
export function findAppointmentOfEvent(
  eventId: string,
  privateProperties: Readonly<Record<string, string>> | null | undefined,
): AppointmentProperty | null {
  const property = findAppointmentProperty(privateProperties?.[APPOINTMENT_PROPERTY])
  const [, ...parts] = OWN_ID.exec(eventId) ?? []
  return property ?? findAppointmentProperty(parts.join('-'))
}
