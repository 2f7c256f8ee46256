import {
  type AppointmentProperty,
  findAppointmentProperty,
} from '#server/integrations/own-events/appointment-property.ts'

/** The private property that names the appointment of an event. */
export const APPOINTMENT_PROPERTY = 'meridianAppointment'

/**
 * The id of an appointment's event, so that a repeated write makes one event. It contains the secret: a stranger who can
 * predict an id can send an invitation that has it already. Google allows the letters a to v and digits.
 * Source: rules G10 and G27; https://developers.google.com/workspace/calendar/api/v3/reference/events/insert
 */
export function toEventId(appointmentId: string, secret: string): string {
  return `mrd${appointmentId}${secret}`.replaceAll('-', '').toLowerCase()
}

/** The appointment that the id of an event names. Before there were secrets, there was nothing else in the id. */
const OWN_ID = /^mrd([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})(?:[\da-f]{32})?$/

/** The appointment that an event names by its id or by its private property; null when it names none. Source: rule G5. */
export function findAppointment(
  eventId: string,
  privateProperties: Readonly<Record<string, string>> | null | undefined,
): AppointmentProperty | null {
  const property = findAppointmentProperty(privateProperties?.[APPOINTMENT_PROPERTY])
  const [, ...parts] = OWN_ID.exec(eventId) ?? []
  return property ?? findAppointmentProperty(parts.join('-'))
}
