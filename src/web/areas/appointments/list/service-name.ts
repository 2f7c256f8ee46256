import type { AppointmentRow } from '#contract/appointments/appointments.ts'

/**
 * Names the service, or the title of an appointment without a service. With `hasCalendarName`, the name of the calendar follows,
 * unless the title has it.
 */
export function listServiceNames(
  { appointment_types, title, calendar_name }: AppointmentRow,
  hasCalendarName: boolean,
): string[] {
  const service = appointment_types?.name ?? title
  return hasCalendarName && !service.includes(calendar_name) ? [service, calendar_name] : [service]
}

/** True if the service's name already says that the appointment is online. */
export function isNamedOnline({
  appointment_types,
  title,
}: Pick<AppointmentRow, 'title'> & { appointment_types: { readonly name: string } | null }): boolean {
  return /\bonline\b/i.test(appointment_types?.name ?? title)
}
