import { findAppointmentProperty, toAppointmentProperty } from '../own-events/appointment-property.ts'

/**
 * The address of an appointment's event follows from its id and its secret, so a repeated write makes one event, and nobody can put
 * another one there before. Source: rules G10 and G27.
 */
export function toAppointmentHref(
  calendarUrl: string,
  appointment: { readonly appointmentId: string; readonly secret: string },
): string {
  const folder = calendarUrl.endsWith('/') ? calendarUrl : `${calendarUrl}/`
  return new URL(`meridian-${toAppointmentProperty(appointment)}.ics`, folder).href
}

/** The appointment that an address names; null when it names none. Source: rule G5. */
export function findAppointmentInHref(url: string): string | null {
  const [, named] = /\/meridian-([0-9a-f.-]+)\.ics$/i.exec(url) ?? []
  return findAppointmentProperty(named)?.appointmentId ?? null
}
