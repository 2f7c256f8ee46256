import { z } from 'zod'
import type { Signer } from '#server/platform/secrets/signer.ts'

/** The content of a confirmation link: the registration and the expiry time. */
export type RegistrationLink = {
  readonly registrationId: string
  readonly email: string
  readonly expiresAtMs: number
}

const PURPOSE = 'registration link'
const content = z.tuple([z.uuid(), z.string(), z.number()])

/** Creates the token of the link. It is signed and not stored, so the same registration can be emailed again. */
export function writeRegistrationToken(
  signer: Signer,
  { registrationId, email, expiresAtMs }: RegistrationLink,
): string {
  const text = JSON.stringify([registrationId, email, expiresAtMs])
  return `${Buffer.from(text).toString('base64url')}.${signer.sign(text, PURPOSE)}`
}

/** Reads a token. Null when its signature is invalid or it has expired. */
export function readRegistrationToken(signer: Signer, token: string, nowMs: number): RegistrationLink | null {
  const [encoded = '', signature = ''] = token.split('.')
  const text = Buffer.from(encoded, 'base64url').toString()
  if (!signer.isGenuine(text, signature, PURPOSE)) return null
  // The valid signature proves that we wrote this text.
  const [registrationId, email, expiresAtMs] = content.parse(JSON.parse(text))
  return expiresAtMs > nowMs ? { registrationId, email, expiresAtMs } : null
}
