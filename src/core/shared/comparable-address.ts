/** Normalises an email address for comparison: lower case, trimmed. Source: rule B13. */
export function toComparableAddress(email: string): string {
  return email.trim().toLowerCase()
}
