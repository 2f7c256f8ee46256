import { findAppointmentProperty, toAppointmentProperty } from '../own-events/appointment-property.ts'

/**
 * Derives the event's URL from the appointment's id and secret, so repeated writes create one event, and nobody else
 * can occupy the URL beforehand. Source: rules G10 and G27.
 */
export function toAppointmentHref(
  calendarUrl: string,
  appointment: { readonly appointmentId: string; readonly secret: string },
): string {
  const folder = calendarUrl.endsWith('/') ? calendarUrl : `${calendarUrl}/`
  return new URL(`meridian-${toAppointmentProperty(appointment)}.ics`, folder).href
}

/** Returns the id of the appointment in an event's URL; null when the URL is not one of ours. Source: rule G5. */
export function findAppointmentInHref(url: string): string | null {
  const [, named] = /\/meridian-([0-9a-f.-]+)\.ics$/i.exec(url) ?? []
  return findAppointmentProperty(named)?.appointmentId ?? null
}
