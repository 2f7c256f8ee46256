import type { Signer } from '#server/platform/secrets/signer.ts'

const DIGITS = 6
const PURPOSE = 'email code'

/**
 * Returns the code that confirms the email address of one booking. It is derived from the product's key and the
 * appointment, and is not stored. Six digits are enough because each attempt is counted before it is checked
 * (`email_codes`). Source: rule B25.
 */
export function toEmailCode(signer: Pick<Signer, 'sign'>, appointmentId: string): string {
  return toDigits(signer.sign(appointmentId, PURPOSE))
}

/** Lists the codes that confirm this booking's email address: first by the current key, then by the previous key. */
export function listEmailCodes(signer: Pick<Signer, 'listGenuine'>, appointmentId: string): string[] {
  return signer.listGenuine(appointmentId, PURPOSE).map(toDigits)
}

/** Derives six digits from a signature. */
export function toDigits(signature: string): string {
  const bytes = Buffer.from(signature, 'base64url')
  // This uses 48 bits of the signature, so the modulo bias is negligible.
  return String(bytes.readUIntBE(0, 6) % 10 ** DIGITS).padStart(DIGITS, '0')
}
