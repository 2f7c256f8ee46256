import { makeTypedCode } from '#core/shared/typed-code.ts'

/** What somebody typed as their second factor: a code of the app, or one of the backup codes. */
export type SecondFactorCode = { readonly kind: 'app' | 'backup'; readonly code: string }

const BACKUP_CODES = 10
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
  return Array.from({ length: BACKUP_CODES }, () => makeTypedCode(randomBelow))
}
