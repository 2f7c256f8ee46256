import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { toSigningKey } from './secret-keys.ts'

/** Signs texts that are handed out, so that they are recognised without being stored. */
export type Signer = {
  /** 43 letters, digits, `-` and `_`. `purpose` says what the text is for: for another purpose the signature is not genuine. */
  readonly sign: (text: string, purpose: string) => string
  readonly isGenuine: (text: string, signature: string, purpose: string) => boolean
  /** Every genuine signature: that of the current key first, then that of the previous key. */
  readonly listGenuine: (text: string, purpose: string) => string[]
}

/** HMAC-SHA-256 (RFC 2104) under keys that are derived from the product's own. Signatures of the previous key stay genuine. */
export function buildSigner(secretKey: string, previousKey: string | null = null): Signer {
  const current = buildDigest(toSigningKey(secretKey))
  const digests = previousKey === null ? [current] : [current, buildDigest(toSigningKey(previousKey))]
  return {
    sign: (text, purpose) => current(text, purpose).toString('base64url'),
    isGenuine: (text, signature, purpose) => {
      const given = Buffer.from(signature, 'base64url')
      return digests.some((digest) => {
        const expected = digest(text, purpose)
        return given.length === expected.length && timingSafeEqual(given, expected)
      })
    },
    listGenuine: (text, purpose) => digests.map((digest) => digest(text, purpose).toString('base64url')),
  }
}

/**
 * Signs the names that are stored in place of addresses. They have a key of their own, which outlives a change of SECRET_KEY: a stored
 * name cannot be computed again, because nobody knows its address. Source: rule D17.
 */
export function buildNameSigner(namesKey: Buffer): Pick<Signer, 'sign'> {
  const digest = buildDigest(namesKey)
  return { sign: (text, purpose) => digest(text, purpose).toString('base64url') }
}

function buildDigest(signingKey: Buffer): (text: string, purpose: string) => Buffer {
  // Prepared once: with a buffer the library prepares it anew for each signature, which takes six times as long.
  const key = createSecretKey(signingKey)
  return (text, purpose) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, text]))
      .digest()
}
