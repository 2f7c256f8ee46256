import { LIMITS } from '#contract/shared/limits.ts'
import { renderTitle } from '#core/appointments/title-template.ts'
import type { Appointment } from './appointment.ts'

type Titled = Pick<
  Appointment,
  | 'appointment_type_name'
  | 'default_appointment_title'
  | 'calendar_name'
  | 'professional_first_name'
  | 'professional_last_name'
>

/**
 * Returns the title that the booking form suggests: the name of the type, or else the calendar's template. Source: rule
 * B9.
 */
export function toDefaultTitle(row: Titled): string {
  const template = renderTitle(row.default_appointment_title, row)
  return (row.appointment_type_name ?? template).slice(0, LIMITS.appointmentTitle).trim()
}
