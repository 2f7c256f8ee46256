/** Placeholders of reminder texts, in the order shown to owners. Source: rule M19. */
export const REMINDER_PLACEHOLDERS = ['customer_name', 'date', 'time', 'calendar_name'] as const
type ReminderPlaceholder = (typeof REMINDER_PLACEHOLDERS)[number]

/** Values of the placeholders; date and time are in the customer's zone. */
export type ReminderValues = Readonly<Record<ReminderPlaceholder, string>>

/** Matches text in braces on one line that could be meant as a placeholder. */
const IN_BRACES = /(\{{1,2})([^{}\n]{1,60})(\}{1,2})/g

/**
 * Fills in the placeholders of a reminder's text or subject. Unknown placeholders stay as typed, so that the owner
 * notices the mistake. `{{date}}` works in title templates only. Source: rule M19.
 */
export function renderReminder(template: string, values: ReminderValues): string {
  // Replaces in a single pass with a function, so that a name that contains a placeholder or `$&` stays plain text.
  return template.replace(IN_BRACES, (written, open: string, inside: string, close: string) => {
    const placeholder = findPlaceholder(open, inside, close)
    return placeholder === undefined ? written : values[placeholder]
  })
}

/** Lists the distinct texts in braces that are not placeholders, as typed. */
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
