import { z } from 'zod'

/** The private property that names the appointment of an event. */
export const APPOINTMENT_PROPERTY = 'meridianAppointment'

/**
 * The id of an appointment's event, so that a repeated write makes one event. Google allows the letters a to v and digits.
 * Source: rule G10; https://developers.google.com/workspace/calendar/api/v3/reference/events/insert
 */
export function toEventId(appointmentId: string): string {
  return `mrd${appointmentId.replaceAll('-', '').toLowerCase()}`
}

/** The appointment of an event that we wrote, by its id or by its private property; null for anybody else's. Source: rule G5. */
export function findAppointmentId(
  eventId: string,
  privateProperties: Readonly<Record<string, string>> | null | undefined,
): string | null {
  const [, ...parts] = /^mrd(\w{8})(\w{4})(\w{4})(\w{4})(\w{12})$/.exec(eventId) ?? []
  const named = [parts.join('-'), privateProperties?.[APPOINTMENT_PROPERTY]]
  return named.map((text) => z.uuid().safeParse(text)).find(({ success }) => success)?.data ?? null
}
