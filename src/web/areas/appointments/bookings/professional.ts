import { toProfessionalName } from '#core/calendars/professional-name.ts'

type Named = {
  calendar_name: string
  professional_first_name: string | null
  professional_last_name: string | null
}

/** Returns the professional's name, or the calendar's name if the professional has not entered one. Source: rule C5. */
export function professionalName(named: Named): string {
  return (
    toProfessionalName(named.professional_first_name, named.professional_last_name) ?? named.calendar_name
  )
}

/** Capitalises the first letter: `physical therapist` becomes `Physical therapist`. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
