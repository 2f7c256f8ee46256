/**
 * Why a time is held: its customer is paying for it, has yet to confirm their email address, or was offered it on the waiting
 * list. Each hold has a reason, because what ends it and what turns it into an appointment depends on it.
 * Source: rules B24, H1 and Z2.
 */
export type HoldReason = 'payment' | 'email_confirmation' | 'offer'

/** How long a time is held for a customer who has to find an email and type its code. Source: rule B24. */
export const EMAIL_CONFIRMATION_MS = 15 * 60_000

/**
 * How long a time is held for a customer who pays: 5 minutes for the decision, then 5 more at a time while the payment
 * is under way at the provider, at most 30 in all.
 *
 * Source: rule P2.
 */
export const HOLD_MS = 5 * 60_000
export const LONGEST_HOLD_MS = 30 * 60_000

/** A hold as the sweep finds it, in milliseconds since the epoch. */
export type Hold = { readonly beganAtMs: number; readonly expiresAtMs: number }

/** How the payment stands at the provider; `unknown` when the provider could not be asked. */
export type PaymentProgress = 'open' | 'under_way' | 'ended' | 'unknown'

export type HoldDecision =
  | { readonly kind: 'keep' }
  | { readonly kind: 'extend'; readonly expiresAtMs: number }
  | { readonly kind: 'release' }

/** Until when a hold that begins now lasts. */
export function toHoldEndMs(nowMs: number): number {
  return nowMs + HOLD_MS
}

/**
 * Decides what happens to a hold. One that has not ended stays, unless its payment can never come. One that has ended
 * is extended while money may be on its way and the longest time has not passed. Source: rule P2.
 */
export function decideHold(hold: Hold, progress: PaymentProgress, nowMs: number): HoldDecision {
  if (progress === 'ended') return { kind: 'release' }
  if (nowMs < hold.expiresAtMs) return { kind: 'keep' }
  const latestMs = hold.beganAtMs + LONGEST_HOLD_MS
  if (progress === 'open' || nowMs >= latestMs) return { kind: 'release' }
  return { kind: 'extend', expiresAtMs: extendHold(hold, nowMs) }
}

/**
 * The new end of a hold whose payment is under way: never earlier than before, never later than the longest hold
 * allows. Source: rule P2.
 */
export function extendHold({ beganAtMs, expiresAtMs }: Hold, nowMs: number): number {
  return Math.max(expiresAtMs, Math.min(nowMs + HOLD_MS, beganAtMs + LONGEST_HOLD_MS))
}
