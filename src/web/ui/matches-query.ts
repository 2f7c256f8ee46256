import type { Option } from './select.tsx'

/** True when every typed word is somewhere in the option's label, value or keywords; accents and case do not count. */
export function matchesQuery(option: Option, query: string): boolean {
  const text = fold(`${option.label} ${option.value} ${option.keywords ?? ''}`)
  return fold(query)
    .split(' ')
    .every((word) => text.includes(word))
}

/** `America/New_York` is found by "new york", `São Paulo` by "sao". */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .replace(/[_/,\s]+/g, ' ')
    .trim()
    .toLowerCase()
}
