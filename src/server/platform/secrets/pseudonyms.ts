import { createHmac, hkdfSync } from 'node:crypto'

/**
 * A name that recognises somebody without identifying them: an address always becomes the same name, and without the
 * product's key nobody finds the address by trying all of them. `kind` keeps the names of different things apart.
 */
export type ToPseudonym = (kind: string, text: string) => string

/** HMAC-SHA-256 (RFC 2104) under a key that is derived from the product's own (RFC 5869). */
export function buildPseudonyms(secretKey: string): ToPseudonym {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'meridian pseudonyms', 32))
  return (kind, text) => createHmac('sha256', key).update(`${kind}\n${text}`).digest('base64url')
}
