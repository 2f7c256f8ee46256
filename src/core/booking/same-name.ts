/** Whether two names are of one person, whatever their case, blanks and punctuation. Accents count. Source: rule O7. */
export function isSameName(name: string, other: string): boolean {
  return toComparedName(name) === toComparedName(other)
}

function toComparedName(name: string): string {
  const small = name.normalize('NFKC').toLowerCase()
  // A name without letters is compared unchanged.
  return small.replace(/[^\p{L}\p{M}\p{N}]/gu, '') || small.trim()
}
