import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'

/** How long a provider is asked about a payment that it has said nothing about. */
const PATIENCE_MS = 3 * DAY_MS
const SHORTEST_PAUSE_MS = MINUTE_MS
const LONGEST_PAUSE_MS = 2 * HOUR_MS

/**
 * When to ask a provider again about a payment whose hold ended before the provider said whether the money comes. The
 * pauses grow with the age of the payment: a tenth of it, between a minute and two hours. Source: rule P13.
 * @returns null when it was asked long enough; then the owner is told to look
 */
export function findNextPaymentCheckMs(beganAtMs: number, nowMs: number): number | null {
  const ageMs = nowMs - beganAtMs
  if (ageMs >= PATIENCE_MS) return null
  return nowMs + Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, Math.round(ageMs / 10)))
}
