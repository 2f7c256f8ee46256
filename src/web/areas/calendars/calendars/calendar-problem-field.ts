import type { ApiProblem } from '#web/shared/api-client.ts'
import type { CalendarForm } from './calendar-form.ts'

/** The field of a refusal, or null when the refusal concerns the form as a whole. */
export function fieldOfProblem(code: ApiProblem['code']): keyof CalendarForm | null {
  if (code === 'calendar.name_required') return 'name'
  if (code === 'calendar.time_zone_unknown') return 'timezone'
  return code.startsWith('calendar.slug_') ? 'slug' : null
}
