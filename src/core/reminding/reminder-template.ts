/** The placeholders of a reminder, in the order in which people read them. Source: rule M19. */
export const REMINDER_PLACEHOLDERS = ['customer_name', 'date', 'time', 'calendar_name'] as const
type ReminderPlaceholder = (typeof REMINDER_PLACEHOLDERS)[number]

/** The texts that replace the placeholders. Date and time are already in the customer's zone. */
export type ReminderValues = Readonly<Record<ReminderPlaceholder, string>>

/** Anything in braces on one line that is short enough to have been meant as a placeholder. */
const IN_BRACES = /(\{{1,2})([^{}\n]{1,60})(\}{1,2})/g

/**
 * A reminder's text or subject with its values filled in. Anything else in braces stays as it was written, so that the
 * owner sees the mistake. `{{date}}`, as in title templates, is not a placeholder here. Source: rule M19.
 */
export function renderReminder(template: string, values: ReminderValues): string {
  // One pass with a function, so that a name which looks like a placeholder, or has a `$&`, stays plain text.
  return template.replace(IN_BRACES, (written, open: string, inside: string, close: string) => {
    const placeholder = findPlaceholder(open, inside, close)
    return placeholder === undefined ? written : values[placeholder]
  })
}

/** The texts in braces that are no placeholders, each once and as it was written. */
export function listUnknownPlaceholders(template: string): string[] {
  const unknown = [...template.matchAll(IN_BRACES)].filter(
    ([, open = '', inside = '', close = '']) => findPlaceholder(open, inside, close) === undefined,
  )
  return [...new Set(unknown.map(([written]) => written))]
}

function findPlaceholder(open: string, inside: string, close: string): ReminderPlaceholder | undefined {
  if (open.length > 1 || close.length > 1) return undefined
  return REMINDER_PLACEHOLDERS.find((placeholder) => placeholder === inside.trim())
}
