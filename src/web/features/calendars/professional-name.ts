import type { Calendar } from '#contract/calendars.ts'

/** First and last name of the professional, or null when neither is known. */
export function professionalName(
  calendar: Pick<Calendar, 'professional_first_name' | 'professional_last_name'>,
): string | null {
  return [calendar.professional_first_name, calendar.professional_last_name].filter(Boolean).join(' ') || null
}
