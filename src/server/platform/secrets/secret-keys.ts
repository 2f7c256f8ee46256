import { hkdfSync } from 'node:crypto'

/** The installation's key, and the earlier key that it replaced (`SECRET_KEY_PREVIOUS`), if any. */
export type SecretKeys = { readonly current: string; readonly previous: string | null }

/** Returns a fingerprint that identifies a key without revealing it (RFC 5869). */
export function toFingerprint(secretKey: string): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'meridian fingerprint', 16)).toString('hex')
}

/** Derives the signing key from the installation's key (RFC 5869). */
export function toSigningKey(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'meridian signatures', 32))
}

/** SECRET_KEY does not belong to this database; the message says what the operator should do. */
export class SecretKeyError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SecretKeyError'
  }
}
