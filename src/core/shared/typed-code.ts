/** Letters and digits that nobody mistakes for each other: no 0, 1, i, l, o and u. */
const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz'
/** Two groups of five: 49 bits. */
const GROUP = 5

/** A code that people type, like `7gkm2-x9wqa`. `randomBelow` gives a whole number from 0 to below its argument, unpredictably. */
export function makeTypedCode(randomBelow: (limit: number) => number): string {
  const group = () => Array.from({ length: GROUP }, () => ALPHABET[randomBelow(ALPHABET.length)]).join('')
  return `${group()}-${group()}`
}

/** Reads such a code however it was typed: blanks, dashes, case and full-width characters do not matter. */
export function parseTypedCode(typed: string): string {
  const bare = typed
    .normalize('NFKC')
    .replace(/[\s\p{Dash}]/gu, '')
    .toLowerCase()
  return `${bare.slice(0, GROUP)}-${bare.slice(GROUP)}`
}
