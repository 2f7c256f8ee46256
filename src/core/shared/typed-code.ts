/** Letters and digits that are hard to confuse: no 0, 1, i, l, o and u. */
const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz'
/** Two groups of five: 49 bits. */
const GROUP = 5

/**
 * Generates a code for people to type, like `7gkm2-x9wqa`. `randomBelow(n)` returns a cryptographically random integer
 * from 0 to n - 1.
 */
export function generateUserCode(randomBelow: (limit: number) => number): string {
  const group = () => Array.from({ length: GROUP }, () => ALPHABET[randomBelow(ALPHABET.length)]).join('')
  return `${group()}-${group()}`
}

/** Parses a typed code, ignoring spaces, dashes and case. */
export function parseUserCode(typed: string): string {
  const bare = normaliseUserCode(typed)
  return `${bare.slice(0, GROUP)}-${bare.slice(GROUP)}`
}

/**
 * Reduces a typed code to plain letters and digits: ignores spaces, dashes, invisible characters, case, full-width
 * forms, and converts digits of other scripts (`１２３`, `١٢٣`).
 */
export function normaliseUserCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .replace(/[\s\p{Dash}\p{Default_Ignorable_Code_Point}\u30fc]/gu, '')
    .replace(/\p{Nd}/gu, toPlainDigit)
    .toLowerCase()
}

/** Each script's digits are consecutive in Unicode, from zero to nine. */
function toPlainDigit(digit: string): string {
  const at = digit.codePointAt(0) ?? 0
  let zero = at
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((at - zero) % 10)
}
