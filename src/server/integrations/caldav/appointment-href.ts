import { toAppointmentId } from '../icalendar/parse-event.ts'

/** The address of an appointment's event follows from its id, so a repeated write makes one event. Source: rule G10. */
export function toAppointmentHref(calendarUrl: string, appointmentId: string): string {
  const folder = calendarUrl.endsWith('/') ? calendarUrl : `${calendarUrl}/`
  return new URL(`meridian-${appointmentId}.ics`, folder).href
}

/** The appointment whose event has this address; null when it is not ours. Source: rule G5. */
export function findAppointmentInHref(url: string): string | null {
  return toAppointmentId(/\/meridian-([0-9a-f-]{36})\.ics$/i.exec(url)?.[1] ?? '')
}
