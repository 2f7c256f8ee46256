/** Joins the professional's names; null when the calendar names nobody. */
export function toProfessionalName(
  firstName: string | null | undefined,
  lastName: string | null | undefined,
): string | null {
  const parts = [firstName, lastName].map((part) => part?.trim())
  return parts.filter(Boolean).join(' ') || null
}
