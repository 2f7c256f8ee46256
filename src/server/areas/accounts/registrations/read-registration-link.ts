import { z } from 'zod'
import type { Signer } from '#server/platform/secrets/signer.ts'

/** The meaning of a confirmation link: one registration, and until when. */
export type RegistrationLink = {
  readonly registrationId: string
  readonly email: string
  readonly expiresAtMs: number
}

const PURPOSE = 'registration link'
const content = z.tuple([z.uuid(), z.string(), z.number()])

/** The text in the link. It is signed and stored nowhere, so the same registration can be mailed again. */
export function writeRegistrationToken(
  signer: Signer,
  { registrationId, email, expiresAtMs }: RegistrationLink,
): string {
  const text = JSON.stringify([registrationId, email, expiresAtMs])
  return `${Buffer.from(text).toString('base64url')}.${signer.sign(text, PURPOSE)}`
}

/** Reads a link that we mailed; null when it was made up or is too old. */
export function readRegistrationToken(signer: Signer, token: string, nowMs: number): RegistrationLink | null {
  const [encoded = '', signature = ''] = token.split('.')
  const text = Buffer.from(encoded, 'base64url').toString()
  if (!signer.isGenuine(text, signature, PURPOSE)) return null
  // It is our own text: the signature says so.
  const [registrationId, email, expiresAtMs] = content.parse(JSON.parse(text))
  return expiresAtMs > nowMs ? { registrationId, email, expiresAtMs } : null
}
