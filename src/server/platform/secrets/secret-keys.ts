import { hkdfSync } from 'node:crypto'

/** The key of the installation, and the earlier key that it has replaced (`SECRET_KEY_PREVIOUS`), if any. */
export type SecretKeys = { readonly current: string; readonly previous: string | null }

/** Identifies a key without revealing it (RFC 5869). */
export function toFingerprint(secretKey: string): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'meridian fingerprint', 16)).toString('hex')
}

/** The key for signatures, derived from the key of the installation (RFC 5869). */
export function toSigningKey(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'meridian signatures', 32))
}

/** SECRET_KEY does not belong to this database, with the sentence that says what to do. */
export class SecretKeyError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SecretKeyError'
  }
}
