/** An email address in the form in which two are compared: whatever its case and outer spaces. Source: rule B13. */
export function toComparableAddress(email: string): string {
  return email.trim().toLowerCase()
}
