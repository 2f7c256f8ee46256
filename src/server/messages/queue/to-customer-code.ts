import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Signer } from '#server/platform/secrets/signer.ts'
import { toDigits } from './to-email-code.ts'

/** Whose code it is: a customer of a calendar with the address that it is sent to. */
export type CodeOwner = { readonly calendarId: string; readonly customerId: string; readonly email: string }

/** A code is good for at least so long, and for at most twice as long. */
const PERIOD_MS = 15 * MINUTE_MS
const PURPOSE = 'customer code'

/**
 * The code that shows on the customer's page that somebody reads the customer's address. It is derived from the product's key and
 * the quarter of an hour, and stored nowhere. Source: rule R8.
 */
export function toCustomerCode(signer: Pick<Signer, 'sign'>, owner: CodeOwner, atMs: number): string {
  return toDigits(signer.sign(textOf(owner, atMs), PURPOSE))
}

/** The codes that are good now: of this quarter of an hour, and of the one before. */
export function listValidCodes(
  signer: Pick<Signer, 'listGenuine'>,
  owner: CodeOwner,
  nowMs: number,
): string[] {
  return [nowMs, nowMs - PERIOD_MS].flatMap((atMs) =>
    signer.listGenuine(textOf(owner, atMs), PURPOSE).map(toDigits),
  )
}

function textOf({ calendarId, customerId, email }: CodeOwner, atMs: number): string {
  return `${Math.floor(atMs / PERIOD_MS)} ${calendarId} ${customerId} ${email}`
}

/** Until when a code that was asked for then is worth sending, in milliseconds. */
export function codeExpiresAtMs(askedAtMs: number): number {
  return askedAtMs + PERIOD_MS
}
