import type { Option } from './select.tsx'

/** True if every typed word occurs in the option's label, value or keywords, ignoring accents and case. */
export function matchesQuery(option: Option, query: string): boolean {
  const text = fold(`${option.label} ${option.value} ${option.keywords ?? ''}`)
  return fold(query)
    .split(' ')
    .every((word) => text.includes(word))
}

/** Normalises a text: "new york" matches `America/New_York`, and "sao" matches `São Paulo`. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .replace(/[_/,\s]+/g, ' ')
    .trim()
    .toLowerCase()
}
