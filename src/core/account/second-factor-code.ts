/** What somebody typed as their second factor: a code of the app, or one of the backup codes. */
export type SecondFactorCode = { readonly kind: 'app' | 'backup'; readonly code: string }

/** Letters and digits that nobody mistakes for each other: no 0, 1, i, l, o and u. */
const BACKUP_ALPHABET = '23456789abcdefghjkmnpqrstvwxyz'
const BACKUP_CODES = 10
/** Two groups of five: 49 bits. */
const GROUP = 5

/** Reads a code however it was typed: blanks, dashes and case do not matter. */
export function parseSecondFactorCode(typed: string): SecondFactorCode {
  const bare = typed.replace(/[\s-]/g, '').toLowerCase()
  if (/^\d{6}$/.test(bare)) return { kind: 'app', code: bare }
  return { kind: 'backup', code: `${bare.slice(0, GROUP)}-${bare.slice(GROUP)}` }
}

/**
 * Ten codes like `7gkm2-x9wqa`. `randomBelow` gives a whole number from 0 to below its argument, unpredictably.
 * Source: rule U20.
 */
export function makeBackupCodes(randomBelow: (limit: number) => number): string[] {
  const group = () =>
    Array.from({ length: GROUP }, () => BACKUP_ALPHABET[randomBelow(BACKUP_ALPHABET.length)]).join('')
  return Array.from({ length: BACKUP_CODES }, () => `${group()}-${group()}`)
}
