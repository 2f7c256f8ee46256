import { toProfessionalName } from '#core/publishing/professional-name.ts'
/** What a title template may contain. Empty names count as absent. Source: rule B10. */
export type TitleNames = {
  readonly calendarName: string
  readonly firstName: string | null
  readonly lastName: string | null
}

/** `{{calendar_name}}`, also with spaces inside the braces. */
const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g

/**
 * The title that an owner's template gives before the customer changes it. Without a template, or when nothing of it is
 * left, it is 'Appointment with {calendar name}'. Unknown placeholders stay as they were written, so that the owner
 * sees the mistake. It can be longer than a title may be; the caller cuts it. Source: rule B10.
 */
export function renderTitle(template: string | null, names: TitleNames): string {
  const values = placeholderValues(names)
  // One pass with a function, so that a name which looks like a placeholder, or has a `$&`, stays plain text.
  const rendered = (template ?? '').replace(
    PLACEHOLDER,
    (written, name: string) => values.get(name) ?? written,
  )
  return tidy(rendered) || `Appointment with ${names.calendarName}`
}

/** The title of a booking: what the customer wrote, else the name of the type, else 'Appointment'. Source: rule B9. */
export function titleOf(title: string | null | undefined, typeName: string | null | undefined): string {
  return title?.trim() || typeName?.trim() || 'Appointment'
}

/**
 * What somebody wrote into the title; null when they left what the form was filled with: the name of the type, else the
 * rendered template. Source: rule Y11.
 */
export function findCustomTitle(title: string, filledIn: string): string | null {
  return title.trim() === filledIn.trim() ? null : title.trim()
}

function placeholderValues({ calendarName, firstName, lastName }: TitleNames): ReadonlyMap<string, string> {
  return new Map([
    ['calendar_name', calendarName],
    ['professional_first_name', firstName ?? ''],
    ['professional_last_name', lastName ?? ''],
    ['professional_full_name', toProfessionalName(firstName, lastName) ?? calendarName],
  ])
}

/** An absent name leaves no double space behind. */
function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
