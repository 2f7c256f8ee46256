import { generateUserCode, normaliseUserCode, parseUserCode } from '#core/shared/typed-code.ts'

/** A typed second factor: a code from the authenticator app, or a backup code. */
export type SecondFactorCode = { readonly kind: 'app' | 'backup'; readonly code: string }

const BACKUP_CODES = 10

/** Parses a typed code, ignoring spaces, dashes and case. */
export function parseSecondFactorCode(typed: string): SecondFactorCode {
  const bare = normaliseUserCode(typed)
  if (/^\d{6}$/.test(bare)) return { kind: 'app', code: bare }
  return { kind: 'backup', code: parseUserCode(bare) }
}

/**
 * Generates ten backup codes like `7gkm2-x9wqa`. `randomBelow(n)` returns a cryptographically random integer from 0 to
 * n - 1. Source: rule U20.
 */
export function makeBackupCodes(randomBelow: (limit: number) => number): string[] {
  return Array.from({ length: BACKUP_CODES }, () => generateUserCode(randomBelow))
}
