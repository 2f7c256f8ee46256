import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { toSigningKey } from './secret-keys.ts'

/** Signs tokens that are given out, so that they can be verified without being stored. */
export type Signer = {
  /**
   * Returns a signature of 43 letters, digits, `-` and `_`. `purpose` binds the signature to its use: it is invalid for
   * any other purpose.
   */
  readonly sign: (text: string, purpose: string) => string
  readonly isGenuine: (text: string, signature: string, purpose: string) => boolean
  /** Lists all valid signatures of a text: first that of the current key, then that of the previous key. */
  readonly listGenuine: (text: string, purpose: string) => string[]
}

/**
 * Builds a signer with HMAC-SHA-256 (RFC 2104) and keys derived from the product's key. Signatures of the previous key
 * stay valid.
 */
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
 * Builds the signer for the pseudonyms that are stored instead of email addresses. It uses a key of its own, which
 * survives a change of SECRET_KEY: a stored pseudonym cannot be recomputed, because the address is not stored. Source:
 * rule D17.
 */
export function buildPseudonymSigner(namesKey: Buffer): Pick<Signer, 'sign'> {
  const digest = buildDigest(namesKey)
  return { sign: (text, purpose) => digest(text, purpose).toString('base64url') }
}

function buildDigest(signingKey: Buffer): (text: string, purpose: string) => Buffer {
  // Created once: if the library got a buffer, it would prepare the key for each signature, which takes six times as
  // long.
  const key = createSecretKey(signingKey)
  return (text, purpose) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, text]))
      .digest()
}

/**
 * Returns a pseudonym: the same address always gives the same pseudonym, but without the product's key nobody can find
 * the address by trying all addresses. Pseudonyms of different `kind`s never match.
 */
export type ToPseudonym = (kind: string, text: string) => string

export function buildToPseudonym(names: Pick<Signer, 'sign'>): ToPseudonym {
  return (kind, text) => names.sign(text, `pseudonym of ${kind}`)
}
