/** Letters and digits that nobody mistakes for each other: no 0, 1, i, l, o and u. */
const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz'
/** Two groups of five: 49 bits. */
const GROUP = 5

/** A code that people type, like `7gkm2-x9wqa`. `randomBelow` gives a whole number from 0 to below its argument, unpredictably. */
export function makeTypedCode(randomBelow: (limit: number) => number): string {
  const group = () => Array.from({ length: GROUP }, () => ALPHABET[randomBelow(ALPHABET.length)]).join('')
  return `${group()}-${group()}`
}

/** Reads such a code however it was typed. */
export function parseTypedCode(typed: string): string {
  const bare = normaliseTypedCode(typed)
  return `${bare.slice(0, GROUP)}-${bare.slice(GROUP)}`
}

/**
 * The letters and digits of a code, as every keyboard types them: blanks, dashes, invisible characters, case, full-width characters and
 * digits of other scripts (`１２３`, `١٢٣`) do not matter.
 */
export function normaliseTypedCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .replace(/[\s\p{Dash}\p{Default_Ignorable_Code_Point}\u30fc]/gu, '')
    .replace(/\p{Nd}/gu, toPlainDigit)
    .toLowerCase()
}

/** Unicode keeps the digits of a script together, from zero to nine. */
function toPlainDigit(digit: string): string {
  const at = digit.codePointAt(0) ?? 0
  let zero = at
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((at - zero) % 10)
}
