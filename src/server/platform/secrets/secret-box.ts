import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts secrets of owners for the database and its backups. */
export type SecretBox = {
  /** Encrypts a secret. `purpose` binds the result to its place: it cannot be decrypted for any other purpose. */
  readonly seal: (secret: string, purpose: string) => Buffer
  /**
   * Decrypts a secret.
   * @throws Error when the key or purpose differs, or the bytes were modified
   */
  readonly open: (sealed: Buffer, purpose: string) => string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts with the current key; also decrypts values of the previous key, because jobs carry encrypted credentials for
 * a day.
 */
export function buildSecretBox(secretKey: string, previousKey: string | null = null): SecretBox {
  const current = buildBox(secretKey)
  if (previousKey === null) return current
  const previous = buildBox(previousKey)
  return {
    seal: current.seal,
    open: (sealed, purpose) => {
      try {
        return current.open(sealed, purpose)
      } catch {
        return previous.open(sealed, purpose)
      }
    },
  }
}

/**
 * Builds a box with AES-256-GCM (NIST SP 800-38D) and a key derived from the product's key (RFC 5869). Format of the
 * result: nonce, tag, ciphertext.
 */
function buildBox(secretKey: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'meridian secrets at rest', 32))
  return {
    seal: (secret, purpose) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), text])
    },
    open: (sealed, purpose) => {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(tag)
      return Buffer.concat([
        decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8')
    },
  }
}
