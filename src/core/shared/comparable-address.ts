/** Normalises an email address for comparison: lower case, trimmed. Source: rule B13. */
export function normaliseEmailAddress(email: string): string {
  return email.trim().toLowerCase()
}
