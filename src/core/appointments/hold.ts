/**
 * Why a time is held: the customer is paying, must confirm an email address, or received a waiting-list offer. The
 * reason decides how the hold ends and how it becomes an appointment. Source: rules B24, H1 and Z2.
 */
export type HoldReason = 'payment' | 'email_confirmation' | 'offer'

/** How long a hold waits for the code that we email to the customer. Source: rule B24. */
export const EMAIL_CONFIRMATION_MS = 15 * 60_000

/**
 * Duration of a payment hold: 5 minutes to decide, extended by 5 minutes while the provider is processing a payment, at
 * most 30 minutes in total. Source: rule P2.
 */
export const HOLD_MS = 5 * 60_000
export const MAX_HOLD_MS = 30 * 60_000

/** A hold as read by the expiry sweep; times in epoch milliseconds. */
export type Hold = { readonly beganAtMs: number; readonly expiresAtMs: number }

/** State of the payment at the provider; `unknown` when the provider could not be reached. */
export type PaymentProgress = 'open' | 'under_way' | 'ended' | 'unknown'

export type HoldDecision =
  | { readonly kind: 'keep' }
  | { readonly kind: 'extend'; readonly expiresAtMs: number }
  | { readonly kind: 'release' }

/** Returns the expiry of a hold that starts now. */
export function toHoldEndMs(nowMs: number): number {
  return nowMs + HOLD_MS
}

/**
 * Decides whether to keep, extend or release a hold. Releases it early when the payment can no longer succeed. Extends
 * an expired hold while money may be on its way, up to the maximum duration. Source: rule P2.
 */
export function decideHold(hold: Hold, progress: PaymentProgress, nowMs: number): HoldDecision {
  if (progress === 'ended') return { kind: 'release' }
  if (nowMs < hold.expiresAtMs) return { kind: 'keep' }
  const latestMs = hold.beganAtMs + MAX_HOLD_MS
  if (progress === 'open' || nowMs >= latestMs) return { kind: 'release' }
  return { kind: 'extend', expiresAtMs: extendHold(hold, nowMs) }
}

/**
 * Returns the extended expiry of a hold whose payment is being processed: never earlier than before, never beyond the
 * maximum duration. Source: rule P2.
 */
export function extendHold({ beganAtMs, expiresAtMs }: Hold, nowMs: number): number {
  return Math.max(expiresAtMs, Math.min(nowMs + HOLD_MS, beganAtMs + MAX_HOLD_MS))
}
