import { toProfessionalName } from '#core/calendars/professional-name.ts'
/** Values for the placeholders of a title template. Empty names count as absent. Source: rule B10. */
export type TitleTemplateValues = {
  readonly calendar_name: string
  readonly professional_first_name: string | null
  readonly professional_last_name: string | null
}

/** `{{calendar_name}}`; spaces inside the braces are allowed. */
const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g

/**
 * Renders an owner's title template as the default title, which the customer can edit. Falls back to 'Appointment with
 * {calendar name}' when there is no template or the result is blank. Unknown placeholders stay as typed, so that the
 * owner notices the mistake. The result can exceed the maximum length of a title; the caller truncates it. Source: rule
 * B10.
 */
export function renderTitle(template: string | null, names: TitleTemplateValues): string {
  const values = placeholderValues(names)
  // Replaces in a single pass with a function, so that a name that contains a placeholder or `$&` stays plain text.
  const rendered = (template ?? '').replace(
    PLACEHOLDER,
    (written, name: string) => values.get(name) ?? written,
  )
  return tidy(rendered) || `Appointment with ${names.calendar_name}`
}

/**
 * Returns the title of a booking: the customer's text, else the name of the type, else 'Appointment'. Source: rule B9.
 */
export function chooseBookingTitle(
  title: string | null | undefined,
  typeName: string | null | undefined,
): string {
  return title?.trim() || typeName?.trim() || 'Appointment'
}

/**
 * Returns the title when the customer changed the default; null when it is still the name of the type or the rendered
 * template. Source: rule Y11.
 */
export function findCustomTitle(title: string, filledIn: string): string | null {
  return title.trim() === filledIn.trim() ? null : title.trim()
}

function placeholderValues({
  calendar_name: calendarName,
  professional_first_name: firstName,
  professional_last_name: lastName,
}: TitleTemplateValues): ReadonlyMap<string, string> {
  return new Map([
    ['calendar_name', calendarName],
    ['professional_first_name', firstName ?? ''],
    ['professional_last_name', lastName ?? ''],
    ['professional_full_name', toProfessionalName(firstName, lastName) ?? calendarName],
  ])
}

/** Collapses the double space that an absent name leaves. */
function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
