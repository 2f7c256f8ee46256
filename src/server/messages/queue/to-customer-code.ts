import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Signer } from '#server/platform/secrets/signer.ts'
import { toDigits } from './to-email-code.ts'

/** The customer of a calendar, and the email address to which the code is sent. */
export type CodeRecipient = {
  readonly calendarId: string
  readonly customerId: string
  readonly email: string
}

/** The period of a code. A code is valid for at least one period, and at most two. */
const PERIOD_MS = 15 * MINUTE_MS
const PURPOSE = 'customer code'

/**
 * Returns the code that proves that a customer can read the emails to their address. It is derived from the product's
 * key and the current quarter of an hour, and is not stored. Source: rule R8.
 */
export function toCustomerCode(signer: Pick<Signer, 'sign'>, owner: CodeRecipient, atMs: number): string {
  return toDigits(signer.sign(textOf(owner, atMs), PURPOSE))
}

/** Lists the codes that are currently valid: those of this quarter of an hour and the previous one. */
export function listValidCodes(
  signer: Pick<Signer, 'listGenuine'>,
  owner: CodeRecipient,
  nowMs: number,
): string[] {
  return [nowMs, nowMs - PERIOD_MS].flatMap((atMs) =>
    signer.listGenuine(textOf(owner, atMs), PURPOSE).map(toDigits),
  )
}

function textOf({ calendarId, customerId, email }: CodeRecipient, atMs: number): string {
  return `${Math.floor(atMs / PERIOD_MS)} ${calendarId} ${customerId} ${email}`
}

/** Returns when a code requested at this time expires and no longer needs to be sent, in epoch milliseconds. */
export function codeExpiresAtMs(askedAtMs: number): number {
  return askedAtMs + PERIOD_MS
}
