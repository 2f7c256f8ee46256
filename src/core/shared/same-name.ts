/** True when two names belong to one person, ignoring case, spaces and punctuation but not accents. Source: rule O7. */
export function isSameName(name: string, other: string): boolean {
  return toComparedName(name) === toComparedName(other)
}

function toComparedName(name: string): string {
  const small = name.normalize('NFKC').toLowerCase()
  // Names without letters are compared unchanged.
  return small.replace(/[^\p{L}\p{M}\p{N}]/gu, '') || small.trim()
}
