import { z } from 'zod'
import type { Signer } from '#server/platform/secrets/signer.ts'

/** What the link of a confirmation email stands for: one registration, and until when. */
export type RegistrationLink = {
  readonly registrationId: string
  readonly email: string
  readonly expiresAtMs: number
}

const PURPOSE = 'registration link'
const content = z.tuple([z.uuid(), z.string(), z.number()])

/** What the link carries. It is signed and stored nowhere, so that the same registration can be mailed again. */
export function writeRegistrationToken(
  signer: Signer,
  { registrationId, email, expiresAtMs }: RegistrationLink,
): string {
  const text = JSON.stringify([registrationId, email, expiresAtMs])
  return `${Buffer.from(text).toString('base64url')}.${signer.sign(text, PURPOSE)}`
}

/** The link that we mailed; null when it was made up or is too old. */
export function readRegistrationToken(signer: Signer, token: string, nowMs: number): RegistrationLink | null {
  const [encoded = '', signature = ''] = token.split('.')
  const text = Buffer.from(encoded, 'base64url').toString()
  if (!signer.isGenuine(text, signature, PURPOSE)) return null
  // It is a text of ours: the signature says so.
  const [registrationId, email, expiresAtMs] = content.parse(JSON.parse(text))
  return expiresAtMs > nowMs ? { registrationId, email, expiresAtMs } : null
}
