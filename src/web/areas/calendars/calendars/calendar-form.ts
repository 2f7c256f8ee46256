import { z } from 'zod'
import { createCalendarBody } from '#contract/calendars/calendars.ts'
import { DEFAULT_COLOR, DEFAULT_TITLE_TEMPLATE } from '#contract/shared/limits.ts'
import { isReservedSlug, isValidSlug } from '#core/addresses/slug.ts'

/** The create-calendar form. The rules of a booking link are checked before the server is asked. */
export const calendarForm = createCalendarBody
  .extend({
    slug: createCalendarBody.shape.slug
      .refine((slug) => slug === '' || isValidSlug(slug), { error: 'calendar.slug_invalid', abort: true })
      .refine((slug) => !isReservedSlug(slug), 'calendar.slug_reserved'),
    timezone: z.string(),
    whose: z.enum(['mine', 'other']),
  })
  .refine(({ whose, person_name }) => whose === 'mine' || person_name !== '', {
    path: ['person_name'],
    error: 'person.name_required',
    // Checked even if other fields are invalid, so that all mistakes show at once.
    when: () => true,
  })
export type CalendarForm = z.input<typeof calendarForm>

/** A new calendar before anything is typed. Source: rule C1. */
export function emptyCalendarForm(timeZone: string): CalendarForm {
  return {
    name: '',
    slug: '',
    description: '',
    category: '',
    color: DEFAULT_COLOR,
    timezone: timeZone,
    appointment_title_required: true,
    default_appointment_title: DEFAULT_TITLE_TEMPLATE,
    payment_required: false,
    whose: 'mine',
    person_name: '',
  }
}
