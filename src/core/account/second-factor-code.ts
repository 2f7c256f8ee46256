import { makeTypedCode, normaliseTypedCode, parseTypedCode } from '#core/shared/typed-code.ts'

/** What somebody typed as their second factor: a code of the app, or one of the backup codes. */
export type SecondFactorCode = { readonly kind: 'app' | 'backup'; readonly code: string }

const BACKUP_CODES = 10

/** Reads a code however it was typed. */
export function parseSecondFactorCode(typed: string): SecondFactorCode {
  const bare = normaliseTypedCode(typed)
  if (/^\d{6}$/.test(bare)) return { kind: 'app', code: bare }
  return { kind: 'backup', code: parseTypedCode(bare) }
}

/**
 * Ten codes like `7gkm2-x9wqa`. `randomBelow` gives a whole number from 0 to below its argument, unpredictably.
 * Source: rule U20.
 */
export function makeBackupCodes(randomBelow: (limit: number) => number): string[] {
  return Array.from({ length: BACKUP_CODES }, () => makeTypedCode(randomBelow))
}
